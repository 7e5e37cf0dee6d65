#pragma once

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agents.hpp"
#include "catch.hpp"
#include "http/door.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "people/session.hpp"
#include "plugin/catalogue.hpp"
#include "run/runner.hpp"
#include "seam/parley.hpp"
#include "unit/archive_samples.hpp"

/// Sessions without a network: requests go to the router, streams end in a queue.
namespace people {

/// Throws unless it is so: people play on several threads, where the checks of a test must not be.
inline void must(bool is_so, const std::string& what) {
  if (!is_so) throw std::runtime_error(what);
}

using agon::serve::EventStream;
using agon::serve::Request;
using agon::serve::Response;
using boost::json::value;

/// A stream of a page, as its browser reads it.
class Page final : public EventStream {
 public:
  void send(std::string_view event, std::string_view data, std::string_view) override {
    const std::lock_guard lock(mutex_);
    if (!open_) return;
    all_ += data;
    events_.emplace_back(event, data);
    came_.notify_all();
  }
  void close() override { end(); }
  [[nodiscard]] bool is_open() const override { return open_; }
  void on_gone(std::function<void()> gone) override {
    if (!open_) return gone();
    const std::lock_guard lock(mutex_);
    gone_.push_back(std::move(gone));
  }
  /// The browser goes, or the server ends it.
  void end() {
    std::vector<std::function<void()>> told;
    {
      const std::lock_guard lock(mutex_);
      open_ = false;
      told.swap(gone_);
    }
    for (const auto& gone : told) gone();
  }
  /// The next event; fails the test where none comes.
  std::pair<std::string, value> next() {
    std::unique_lock lock(mutex_);
    must(came_.wait_for(lock, std::chrono::minutes(3), [this] { return !events_.empty(); }),
         "a page waits for nothing");
    auto [name, data] = std::move(events_.front());
    events_.pop_front();
    return {name, agon::json::parse(data, name)};
  }
  /// All bytes that it was sent.
  [[nodiscard]] std::string all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<std::pair<std::string, std::string>> events_;
  std::string all_;
  std::atomic<bool> open_{true};
  std::vector<std::function<void()>> gone_;
};

/// A browser: it keeps its cookies.
class Browser {
 public:
  explicit Browser(const agon::serve::Router& router) : router_(router) {}

  Response get(const std::string& path, const std::map<std::string, std::string>& query = {}) {
    return send({.method = "GET", .path = path, .query = query});
  }
  Response post(const std::string& path, const boost::json::object& body) {
    return send({.method = "POST", .path = path, .body = agon::json::write(value(body))});
  }
  /// Null if it is refused; then with what status.
  std::shared_ptr<Page> listen(const std::string& path, const std::string& tab,
                               int* status = nullptr) {
    Request asked{.method = "GET", .path = path, .query = {{"tab", tab}}, .cookies = cookies};
    auto page = std::make_shared<Page>();
    bool opened = false;
    router_.handle({asked,
                    [&](const Response& response) {
                      if (status != nullptr) *status = response.status;
                    },
                    [&] {
                      opened = true;
                      return page;
                    }});
    return opened ? page : nullptr;
  }

  std::map<std::string, std::string> cookies;

 private:
  Response send(Request asked) {
    asked.cookies = cookies;
    struct Answer {
      std::mutex mutex;
      std::condition_variable came;
      std::optional<Response> response;
    };
    auto answer = std::make_shared<Answer>();
    try {
      router_.handle({std::move(asked),
                      [answer](Response response) {
                        const std::lock_guard lock(answer->mutex);
                        answer->response = std::move(response);
                        answer->came.notify_all();
                      },
                      [] { return nullptr; }});
    } catch (const agon::Error& error) {
      return {.status = 400, .body = error.what()};
    }
    std::unique_lock lock(answer->mutex);
    must(answer->came.wait_for(lock, std::chrono::minutes(3),
                               [&] { return answer->response.has_value(); }),
         "no answer came");
    for (const auto& [name, text] : answer->response->headers)
      if (name == "Set-Cookie")
        cookies[text.substr(0, text.find('='))] =
            text.substr(text.find('=') + 1, text.find(';') - text.find('=') - 1);
    return *answer->response;
  }

  const agon::serve::Router& router_;
};

/// The same small game under other rules.
inline const agon::Game& other_game() {
  static const agon::Game held =
      agon::game<&parley::play>("other-parley", {.title = "Other parley",
                                                 .seats = {3, 3},
                                                 .rules = "Bid otherwise.",
                                                 .seating = agon::hook<&parley::seating>});
  return held;
}

/// Two small games of three seats, and the agents that play any game.
inline const agon::Catalogue& catalogue() {
  static const std::unique_ptr<const agon::Catalogue> held = [] {
    auto made = std::make_unique<agon::Catalogue>();
    agon::agents::enter(*made);
    made->add(parley::game());
    made->add(other_game());
    return made;
  }();
  return *held;
}

/// A session of a suite, its run on a thread of its own, and whoever leads it.
class Lab {
 public:
  /// `people`: the section of the suite; `seats`: who sits at the three seats of a match.
  Lab(const std::filesystem::path& folder, const std::string& people,
      const std::string& seats = R"(["me", "me", "rule"])", int blocks = 1,
      const std::string& settings = "{}")
      : Lab(folder, people, blocks,
            R"({"game": "parley", "design": {"fixed": [)" + seats +
                R"(], "seat_rotation": "as-listed"}, "set": )" + settings + "}",
            0) {}
  /// `scenarios`: with their designs.
  Lab(const std::filesystem::path& folder, const std::string& people, int blocks,
      const std::string& scenarios, int answer_seconds)
      : suite(agon::Suite::parse(
            catalogue(),
            R"({"suite": "lab", "seed": 5, "agents": {"me": "human", "rule": "random"},
                "design": {"seat_rotation": "as-listed", "blocks": )" +
                std::to_string(blocks) + "}, " +
                (answer_seconds == 0 ? ""
                                     : R"("limits": {"answer_seconds": )" +
                                           std::to_string(answer_seconds) + "}, ") +
                R"("scenarios": [)" + scenarios + R"(], "people": )" + people + "}",
            (folder / "lab.json").string(), {})),
        archive(folder / "lab.agon"),
        session(suite, archive, 0),
        researcher(router) {
    door.add_routes(router);
    session.add_routes(router, door);
    const std::string link = door.new_link();
    (void)researcher.get("/login", {{"key", link.substr(link.find('=') + 1)}});
  }
  ~Lab() { stop(); }
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  void run() {
    thread = std::thread([this] {
      agon::RunOptions options;
      options.archive = archive.string();
      options.quiet = true;
      options.stop = &flags;
      options.people = &session;
      try {
        (void)agon::run_suite(suite, catalogue(), options);
      } catch (const agon::Error& error) {
        broke = error.what();
      }
      if (!flags.asked) session.run_over();
    });
  }
  /// Ends the run as Ctrl-C does.
  void stop() {
    flags.asked = true;
    wait();
  }
  /// Until the run is over by itself.
  void wait() {
    if (thread.joinable()) thread.join();
  }
  value act(const boost::json::object& what) {
    const Response response = researcher.post("/session/do", what);
    must(response.status == 200, response.body);
    return agon::json::parse(response.body, "do");
  }
  value state() {
    const auto page = researcher.listen("/session/events", "");
    must(page != nullptr, "no stream");
    return page->next().second;
  }

  agon::Suite suite;
  std::filesystem::path archive;
  agon::StopFlags flags;
  agon::serve::Router router;
  agon::serve::Door door;
  agon::serve::Session session;
  Browser researcher;
  std::string broke;  ///< why the run ended, once it has
  std::thread thread;
};

/// Somebody who takes part.
class Somebody {
 public:
  Somebody(Lab& lab, const std::string& link) : browser(lab.router) {
    const Response joined = browser.get(link);
    must(joined.status == 303, joined.body);
    for (const auto& [name, text] : joined.headers)
      if (name == "Location") base = text;
    must(base.starts_with("/p/"), base);
  }

  /// Without a link: they come from a panel.
  explicit Somebody(Lab& lab) : browser(lab.router) {}
  Response come(const boost::json::object& sent) {
    const Response answer = browser.post("/join", sent);
    if (answer.status == 200)
      base = agon::json::parse(answer.body, "").at("go").as_string().c_str();
    return answer;
  }

  void open(const std::string& tab = "one") {
    page = browser.listen(base + "events", tab);
    must(page != nullptr, "no stream");
  }
  int act(const std::string& what) {
    return browser.post(base + "do", {{"do", what}, {"tab", "one"}}).status;
  }
  /// Reads states until the page is this one.
  value& until(const std::string& name) {
    for (;;) {
      auto [event, data] = page->next();
      if (event == "here") (void)act("here");
      if (event != "state") continue;
      state = std::move(data);
      if (state.at("page").as_string() == name) return state;
      must(state.at("page").as_string() != "end", agon::json::write(state));
    }
  }
  /// From the welcome to the waiting room.
  void come_in() {
    open();
    until("welcome");
    must(act("begin") == 204, "begin");
    must(act("understood") == 204, "understood");
  }
  boost::json::object answer(const value& typed) const {
    const value& question = state.at("match").at("question");
    return {{"match", state.at("match").at("key")},
            {"question", question.at("number")},
            {"attempt", question.at("attempt")},
            {"typed", typed},
            {"confirmed", true},
            {"skip", false},
            {"thought", "I hope so"},
            {"shown", 5},
            {"first_input", 3},
            {"tab", "one"}};
  }
  Response say(const boost::json::object& answer) { return browser.post(base + "answer", answer); }
  Response say(const std::string& typed) { return say(answer(agon::json::parse(typed, "typed"))); }

  Browser browser;
  std::string base;
  std::shared_ptr<Page> page;
  value state;
};

/// Begins the session; its first person, at the first question.
inline Somebody at_question(Lab& lab) {
  lab.run();
  Somebody who(lab, lab.session.links()[0]);
  who.come_in();
  who.until("question");
  return who;
}

inline std::string text_of(const value& v) {
  return v.is_string() ? std::string(v.as_string()) : std::string();
}

/// Says something fitting to whatever is asked: bids `bid`, guesses nothing; reads the rules.
struct Player {
  std::unique_ptr<Somebody> who;
  int bid = 1;
  std::map<std::string, std::string> sent{};  ///< by match, question and attempt

  void answer_one() {
    const value& question = who->state.at("match").at("question");
    const std::string stage = text_of(question.at("stage"));
    boost::json::object body;
    if (question.at("probe").as_bool()) {
      body = who->answer(nullptr);
      body["skip"] = true;
    } else if (stage == "bid") {
      body = who->answer(boost::json::object{{"amount", std::to_string(bid)}});
    } else {
      body = who->answer(boost::json::object{{"text", "well"}});
    }
    const Response said = who->say(body);
    must(said.status == 200 || said.status == 409, said.body);
    if (said.status == 200)
      sent[text_of(body["match"]) + " " + std::to_string(body["question"].to_number<int>())] =
          agon::json::write(body["typed"]);
  }
  /// Until the page is this one.
  void play_to(const std::string& page) {
    for (;;) {
      auto [event, data] = who->page->next();
      if (event == "here") (void)who->act("here");
      if (event != "state") continue;
      who->state = std::move(data);
      const std::string name = text_of(who->state.at("page"));
      if (name == page) return;
      if (name == "rules")
        (void)who->act("understood");  // shown twice, it is known the second time
      must(name != "end", agon::json::write(who->state));
      if (name == "question") answer_one();
    }
  }
};

}  // namespace people
