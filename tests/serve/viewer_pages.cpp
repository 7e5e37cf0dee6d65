// What pages on an archive are told, by their addresses.
#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>

#include "catch.hpp"
#include "http/door.hpp"
#include "json/parse.hpp"
#include "plugin/catalogue.hpp"
#include "unit/archive_samples.hpp"
#include "viewer/run_state.hpp"
#include "viewer/viewer.hpp"

using namespace archive_samples;
using namespace agon::serve;
using boost::json::value;

namespace {

/// Events that a page was sent.
class Heard final : public EventStream {
 public:
  void send(std::string_view event, std::string_view data, std::string_view) override {
    const std::lock_guard lock(mutex_);
    events_.emplace_back(event, data);
    changed_.notify_all();
  }
  void close() override { open_ = false; }
  [[nodiscard]] bool is_open() const override { return open_; }
  void on_gone(std::function<void()>) override {}

  /// Waits for a run event of which this is true; the last one.
  value until(const std::function<bool(const value&)>& is) {
    std::unique_lock lock(mutex_);
    value last;
    const bool came = changed_.wait_for(lock, std::chrono::minutes(3), [&] {
      for (; read_ < events_.size(); ++read_) {
        last = agon::json::parse(events_[read_].second, "event");
        if (is(last)) return true;
      }
      return false;
    });
    INFO(last);
    REQUIRE(came);
    return last;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::string, std::string>> events_;
  std::size_t read_ = 0;
  std::atomic<bool> open_{true};
};

/// A browser that was let in.
class Browser {
 public:
  explicit Browser(const Router& router) : router_(router) {}

  void enter(Door& door) {
    const std::string link = door.new_link();
    Request asked{.method = "GET", .path = "/login"};
    asked.query["key"] = link.substr(link.find('=') + 1);
    const Response response = send(asked);
    for (const auto& [name, text] : response.headers)
      if (name == "Set-Cookie")
        cookies_[text.substr(0, text.find('='))] =
            text.substr(text.find('=') + 1, text.find(';') - text.find('=') - 1);
    REQUIRE(!cookies_.empty());
  }
  Response get(const std::string& path, const std::map<std::string, std::string>& query = {}) {
    return send({.method = "GET", .path = path, .query = query});
  }
  Response post(const std::string& path, const std::string& body) {
    return send({.method = "POST", .path = path, .body = body});
  }
  std::shared_ptr<Heard> listen() {
    auto heard = std::make_shared<Heard>();
    Request asked{.method = "GET", .path = "/events", .cookies = cookies_};
    router_.handle(Exchange(
        asked, [](const Response&) {}, [heard] { return heard; }));
    return heard;
  }
  value json(const std::string& path, const std::map<std::string, std::string>& query = {}) {
    const Response response = get(path, query);
    INFO(path << ": " << response.body);
    REQUIRE(response.status == 200);
    return agon::json::parse(response.body, path);
  }

 private:
  Response send(Request asked) {
    asked.cookies = cookies_;
    struct Answer {
      std::mutex mutex;
      std::condition_variable came;
      std::optional<Response> response;
    };
    auto answer = std::make_shared<Answer>();
    try {
      router_.handle(Exchange(
          std::move(asked),
          [answer](Response response) {
            const std::lock_guard lock(answer->mutex);
            REQUIRE(!answer->response);
            answer->response = std::move(response);
            answer->came.notify_all();
          },
          [] { return nullptr; }));
    } catch (const agon::Error& error) {
      return {.status = error.kind() == agon::ErrorKind::usage ? 400 : 500, .body = error.what()};
    }
    std::unique_lock lock(answer->mutex);
    REQUIRE(answer->came.wait_for(lock, std::chrono::minutes(3),
                                  [&] { return answer->response.has_value(); }));
    return *answer->response;
  }

  const Router& router_;
  std::map<std::string, std::string> cookies_;
};

/// A viewer on an archive, and a browser that looks at it.
struct Viewed {
  Viewed(const std::filesystem::path& archive, OwnRun* own = nullptr)
      : viewer(archive.string(), plugins, own) {
    door.add_routes(router);
    viewer.add_routes(router, door);
    browser.enter(door);
  }
  agon::Catalogue plugins;
  Door door;
  Router router;
  Viewer viewer;
  Browser browser{router};
};

/// Until the index has so many matches.
auto has_read(std::int64_t matches) {
  return [matches](const value& run) { return run.at("read").as_int64() == matches; };
}

std::vector<std::int64_t> numbers_in(const value& list) {
  std::vector<std::int64_t> numbers;
  for (const value& match : list.at("matches").as_array())
    numbers.push_back(match.at("number").as_int64());
  return numbers;
}

void begin_run(Writer& writer) {
  RunRow run;
  run.started = 1000;
  run.suite_number = writer.suite({agon::hash::sha256("a"), "a", 1});
  run.manifest = R"({"suite":"a","matches":40,"plan":[{"scenario":"quick","game":"split",
    "matches":40,"blocks":1,"repeats":1,"treatments":1,"agents":[]}]})";
  writer.begin_run(run, {});
}

}  // namespace

TEST_CASE("viewer: who was not let in sees nothing") {
  const Folder folder;
  const Viewed viewed(folder / "run.agon");
  Browser stranger(viewed.router);
  for (const char* path :
       {"/", "/api/archive", "/api/matches", "/api/match/1", "/api/report", "/api/run"}) {
    INFO(path);
    CHECK(stranger.get(path).status >= 400);
  }
  CHECK(stranger.post("/api/run", R"({"do":"stop"})").status >= 400);
}

TEST_CASE("viewer: who comes before the archive was read waits for it") {
  const Folder folder;
  {
    Writer writer(folder / "run.agon");
    const Numbers rows = add_rows(writer);
    begin_run(writer);
    for (int i = 1; i <= 5; ++i) writer.write_finished(sample_match(rows, i));
    writer.close();
  }
  for (int i = 0; i < 10; ++i) {
    Viewed viewed(folder / "run.agon");
    const auto heard = viewed.browser.listen();
    CHECK(viewed.browser.json("/api/matches").at("total") == 5);
    bool has_problem = false;
    (void)heard->until([&](const value& run) {
      has_problem = has_problem || !run.at("problem").as_string().empty();
      return has_read(5)(run);
    });
    CHECK_FALSE(has_problem);
  }
}

TEST_CASE("viewer: matches are found by their addresses while a run writes") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  begin_run(writer);
  for (int i = 1; i <= 5; ++i) writer.write_finished(sample_match(rows, i));
  writer.flush();
  Viewed viewed(folder / "run.agon");
  const auto heard = viewed.browser.listen();
  value run = heard->until(has_read(5));
  CHECK(run.at("state") == "playing");
  CHECK(run.at("total") == 40);
  CHECK(run.at("done") == 5);
  CHECK(run.at("scenarios").at(0).at("scenario") == "quick");
  CHECK(run.at("scenarios").at(0).at("done") == 5);
  CHECK(run.at("may_stop") == false);
  for (int i = 6; i <= 12; ++i) writer.write_finished(sample_match(rows, i));
  writer.flush();
  run = heard->until(has_read(12));
  CHECK(run.at("done") == 12);

  Browser& browser = viewed.browser;
  value list = browser.json("/api/matches");
  CHECK(list.at("total") == 12);
  CHECK(list.at("matches").at(0).at("seats").at(1).at("agent") == "second");
  CHECK(list.at("matches").at(0).at("seats").at(0).at("score") == "12.43");
  CHECK(numbers_in(browser.json("/api/matches", {{"from", "3"}, {"most", "2"}})) ==
        std::vector<std::int64_t>{4, 5});
  CHECK(numbers_in(browser.json("/api/matches", {{"most", "2"}, {"order", "last"}})) ==
        std::vector<std::int64_t>{12, 11});
  CHECK(numbers_in(browser.json("/api/matches", {{"block", "7"}})) == std::vector<std::int64_t>{7});
  CHECK(numbers_in(browser.json("/api/matches", {{"rng_key", "3"}})) ==
        std::vector<std::int64_t>{3});
  CHECK(browser.json("/api/matches", {{"agent", "first"}, {"other", "second"}}).at("total") == 12);
  CHECK(browser.json("/api/matches", {{"agent", "first"}, {"other", "first"}}).at("total") == 0);
  CHECK(browser.json("/api/matches", {{"game", "other"}}).at("total") == 0);
  CHECK(
      browser.json("/api/matches", {{"faults", "fallback"}, {"status", "finished"}}).at("total") ==
      12);
  const value head = browser.json("/api/archive");
  CHECK(head.at("matches") == 12);
  CHECK(head.at("agents").at(1).at("name") == "second");
  CHECK(head.at("agents").at(1).at("fallbacks") == 12);
  const std::string treatment(head.at("treatments").at(0).at("treatment").as_string());
  CHECK(browser.json("/api/matches", {{"treatment", treatment}}).at("total") == 12);
  CHECK(head.at("suites").at(0).at("name") == "a");

  for (const auto& [query, status] :
       std::vector<std::pair<std::map<std::string, std::string>, int>>{{{{"from", "-1"}}, 400},
                                                                       {{{"most", "1001"}}, 400},
                                                                       {{{"block", "x"}}, 400},
                                                                       {{{"colour", "red"}}, 400},
                                                                       {{{"faults", "many"}}, 400},
                                                                       {{{"rng_key", "99"}}, 404},
                                                                       {{{"suite", "7"}}, 404}}) {
    const Response response = browser.get("/api/matches", query);
    INFO(response.body);
    CHECK(response.status == status);
    CHECK(agon::json::parse(response.body, "").at("error").at("problem").as_string().size() > 5);
  }
  for (const char* id : {"99", "zz", "", "0", "99999999999999999999", "../1"})
    CHECK(browser.get(std::string("/api/match/") + id).status == 404);
}

TEST_CASE("viewer: names and texts of others come out as data") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  Numbers rows = add_rows(writer);
  const std::string script = "<script>alert(1)</script>\"'&";
  rows.first = writer.agent({agon::hash::sha256("x"), script, "{}"});
  rows.second = writer.agent({agon::hash::sha256("y"), "\u202egnirts", "{}"});
  MatchRow match = sample_match(rows, 1, 0);
  match.seats[0].name = script + "\u202e";
  writer.write_finished(match);
  writer.flush();
  Viewed viewed(folder / "run.agon");
  viewed.browser.listen()->until(has_read(1));
  const value list = viewed.browser.json("/api/matches");
  CHECK(list.at("matches").at(0).at("seats").at(0).at("agent").as_string() == script);
  const std::string escaped = "\\u202egnirts";
  CHECK(list.at("matches").at(0).at("seats").at(1).at("agent").as_string() == escaped);
  // By the name as it is, and as it is shown.
  for (const std::string& name : {std::string("\u202egnirts"), escaped, script})
    CHECK(viewed.browser.json("/api/matches", {{"agent", name}}).at("total") == 1);
  const Response told = viewed.browser.get("/api/match/1");
  REQUIRE(told.status == 200);
  CHECK(told.content_type == "application/json");
  CHECK(told.body.find("\u202e") == std::string::npos);
  CHECK(agon::json::parse(told.body, "").at("match").at("seats").at(0).at("agent").as_string() ==
        script);
  // The report waits for nobody; what it says of the names is text.
  Response report{.status = 202};
  for (int i = 0; i < 3600 && report.status != 200; ++i) {
    report = viewed.browser.get("/api/report");
    if (report.status == 202) {
      CHECK(report.body.find("http-equiv=\"refresh\"") != std::string::npos);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  REQUIRE(report.status == 200);
  INFO(report.body);
  // The only script is the server's own file.
  const std::string own = "<script type=\"module\" src=\"/assets/report/report.js\"></script>";
  const std::size_t tag = report.body.find("<script");
  CHECK(report.body.substr(tag, own.size()) == own);
  CHECK(report.body.find("<script", tag + 1) == std::string::npos);
  CHECK(report.body.find("style=") == std::string::npos);
  CHECK(report.body.find("&lt;script&gt;") != std::string::npos);
  CHECK(report.body.find("\u202e") == std::string::npos);
  CHECK(report.body.find("href=\"/archive#matches?agent=") != std::string::npos);
}

TEST_CASE("viewer: the report of a run that goes on holds at every look from the first one on") {
  const Folder folder;
  const auto path = folder / "run.agon";
  {
    Writer writer(path);
    const Numbers rows = add_rows(writer);
    begin_run(writer);
    for (int i = 1; i <= 40; ++i) writer.write_finished(sample_match(rows, i));
    writer.close();
  }
  std::promise<void> enough;
  std::shared_future<void> over = enough.get_future().share();
  OwnRun run;
  const bool begun = GENERATE(true, false);
  if (begun)
    run.begin([over](const agon::StopFlags&) {
      over.wait();
      return agon::RunSummary{};
    });
  {
    Viewed viewed(path, &run);
    int reports = 0;
    for (int i = 0; i < 3600 && reports < 3; ++i) {
      const Response page = viewed.browser.get("/api/report");
      CHECK(page.body.find("<h2>Leaderboard") == std::string::npos);
      if (page.status == 200) {
        ++reports;
        CHECK(page.body.find("only what holds however often one looks") != std::string::npos);
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
    }
    CHECK(reports == 3);
    enough.set_value();
    run.end();
  }
}

TEST_CASE("viewer: an archive that is not there, damaged, removed or replaced is told") {
  const Folder folder;
  const auto path = folder / "run.agon";
  Viewed viewed(path);
  Browser& browser = viewed.browser;
  const auto heard = browser.listen();
  const auto has_problem = [](const value& run) { return !run.at("problem").as_string().empty(); };
  heard->until(has_problem);
  CHECK(browser.get("/api/matches").status == 404);
  CHECK(browser.get("/api/match/1").status == 404);

  const auto write = [&](int matches) {
    Writer writer(folder / "new.agon");
    const Numbers rows = add_rows(writer);
    begin_run(writer);
    for (int i = 1; i <= matches; ++i) writer.write_finished(sample_match(rows, i));
    writer.close();
    std::filesystem::rename(folder / "new.agon", path);
  };
  write(3);
  value run = heard->until(has_read(3));
  CHECK(run.at("problem") == "");
  CHECK(run.at("state") == "stopped");  // it did not end, and nobody writes
  CHECK(browser.json("/api/matches").at("total") == 3);

  std::filesystem::remove(path);
  heard->until(has_problem);
  write(2);
  heard->until(has_read(2));
  CHECK(browser.json("/api/matches").at("total") == 2);

  std::filesystem::remove(path);
  std::ofstream(path) << "this is no archive, but a text that somebody put in its place";
  run = heard->until([](const value& now) {
    return std::string_view(now.at("problem").as_string()).find("not an Agon archive") !=
           std::string_view::npos;
  });
  CHECK(browser.get("/api/archive").status >= 400);
}

TEST_CASE("viewer: the last match is no longer found once it was dropped, also before a run") {
  const Folder folder;
  const auto path = folder / "run.agon";
  {
    Writer writer(path);
    const Numbers rows = add_rows(writer);
    begin_run(writer);
    for (int i = 1; i <= 4; ++i) {
      MatchRow match = sample_match(rows, i);
      if (i == 4) match.status = agon::archive::MatchStatus::quarantined;
      writer.write_finished(match);
    }
    writer.close();
  }
  Viewed viewed(path);
  const auto heard = viewed.browser.listen();
  heard->until(has_read(4));
  Writer writer(path);
  writer.forget_set_aside();
  heard->until(has_read(3));
  CHECK(numbers_in(viewed.browser.json("/api/matches")) == std::vector<std::int64_t>{1, 2, 3});
}

TEST_CASE("viewer: matches that were dropped to be played again are no longer found") {
  const Folder folder;
  const auto path = folder / "run.agon";
  Numbers rows;
  {
    Writer writer(path);
    rows = add_rows(writer);
    begin_run(writer);
    for (int i = 1; i <= 4; ++i) {
      MatchRow match = sample_match(rows, i);
      if (i == 2) match.status = agon::archive::MatchStatus::quarantined;
      writer.write_finished(match);
    }
    writer.close();
  }
  Viewed viewed(path);
  const auto heard = viewed.browser.listen();
  heard->until(has_read(4));
  CHECK(viewed.browser.json("/api/matches", {{"status", "quarantined"}}).at("total") == 1);
  Writer writer(path);
  writer.forget_set_aside();
  begin_run(writer);
  writer.write_finished(sample_match(rows, 2));
  writer.write_finished(sample_match(rows, 9));
  writer.flush();
  heard->until(has_read(5));
  // The count alone cannot tell five of which one is gone from four and a new one.
  value list;
  for (int i = 0; i < 3600; ++i) {
    list = viewed.browser.json("/api/matches");
    if (numbers_in(list) == std::vector<std::int64_t>{1, 3, 4, 5, 6}) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(numbers_in(list) == std::vector<std::int64_t>{1, 3, 4, 5, 6});
}

TEST_CASE("viewer: a run of its own is stopped and taken up from the page") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  add_rows(writer);
  begin_run(writer);
  OwnRun run;
  std::atomic<int> begun{0};
  Viewed viewed(folder / "run.agon", &run);
  Browser& browser = viewed.browser;
  CHECK(browser.post("/api/run", R"({"do":"stop"})").status == 400);  // there is none yet
  run.begin([&](const agon::StopFlags& stop) {
    ++begun;
    while (!stop.asked) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    agon::RunSummary summary;
    summary.interrupted = true;
    return summary;
  });
  const auto heard = browser.listen();
  const auto is = [](const char* state) {
    return [state](const value& now) { return now.at("state") == state; };
  };
  // That somebody plays is known from the archive, and may be told before that it is this run.
  value now = heard->until(
      [&](const value& said) { return is("playing")(said) && said.at("may_stop") == true; });
  CHECK(now.at("may_go_on") == false);
  for (const char* wrong : {"{}", "[]", R"({"do":"dance"})", R"({"do":1})"})
    CHECK(browser.post("/api/run", wrong).status == 400);
  for (int i = 0; i < 18'000 && begun < 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(begun == 1);
  CHECK(browser.post("/api/run", R"({"do":"stop"})").status == 200);
  now = heard->until(is("stopped"));
  CHECK(now.at("may_go_on") == true);
  CHECK(browser.post("/api/run", R"({"do":"go-on"})").status == 200);
  heard->until(is("playing"));
  for (int i = 0; i < 18'000 && begun < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(begun == 2);
  // Asked twice, it goes on once.
  CHECK(browser.post("/api/run", R"({"do":"go-on"})").status == 200);
  CHECK(begun == 2);
}

TEST_CASE("viewer: why a run of its own failed is on the page") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  add_rows(writer);
  begin_run(writer);
  OwnRun run;
  Viewed viewed(folder / "run.agon", &run);
  run.begin([](const agon::StopFlags&) -> agon::RunSummary {
    throw agon::Error(agon::ErrorKind::failure, "the disk is full");
  });
  const value now = viewed.browser.listen()->until(
      [](const value& state) { return state.at("state") == "stopped"; });
  CHECK(std::string_view(now.at("words").as_string()).find("the disk is full") !=
        std::string_view::npos);
}
