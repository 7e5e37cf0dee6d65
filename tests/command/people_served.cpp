// A session as browsers meet it, and what is left of it when its process is killed.
#include <signal.h>
#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>

#include "catch.hpp"
#include "command/folder.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "support/web_client.hpp"

using namespace command_test;
using boost::json::object;
using boost::json::value;

namespace {

std::string text_of(const value& v) {
  return v.is_string() ? std::string(v.as_string()) : std::string();
}

/// Something that fits a form; `n` tells apart what is said.
value filled(const value& node, unsigned n) {
  const std::string kind = text_of(node.at("kind"));
  if (kind == "struct") {
    object all;
    for (const value& f : node.at("fields").as_array())
      all[f.at("name").as_string()] = filled(f.at("node"), n);
    return all;
  }
  if (kind == "variant") {
    const auto& choices = node.at("choices").as_array();
    const value& choice = choices[n % choices.size()];
    value made = filled(choice.at("node"), n);
    object all = made.is_object() ? made.as_object() : object();
    all["kind"] = choice.at("name");
    return all;
  }
  if (kind == "text") return value("word " + std::to_string(n));
  if (kind == "optional")
    return node.at("may_be_present").as_bool() ? filled(node.at("node"), n) : value();
  const value& least = node.at("min");
  std::string number = std::to_string(least.is_null() ? 1.0 : least.to_number<double>());
  number.resize(kind == "integer" ? number.find('.') : number.find('.') + 3);
  return value(number);
}

/// The data of the next event of a stream; nothing once it ends.
std::optional<std::string> next_event(WebClient& client) {
  for (;;) {
    const auto event = client.read_until("\n\n");
    if (!event) return {};
    const std::size_t at = event->find("data: ");
    if (at != std::string::npos) return event->substr(at + 6, event->find('\n', at) - at - 6);
  }
}

/// A participant's browser, on a thread of its own: it goes on whatever becomes of the server.
class Somebody {
 public:
  Somebody(std::uint16_t port, std::string link, unsigned number)
      : port_(port), link_(std::move(link)), n_(number), thread_([this] { take_part(); }) {}
  ~Somebody() {
    stop = true;
    thread_.join();
  }

  std::atomic<bool> ended{false};
  std::atomic<bool> stop{false};
  std::atomic<unsigned> accepted{0};
  /// What was accepted, by match, question and attempt.
  std::map<std::string, std::string> sent;

 private:
  WebClient::Answer post(const std::string& path, const object& body) const {
    WebClient client(port_);
    return client.ask(client.post(path, agon::json::write(value(body)),
                                  "Cookie: " + cookie_ + "\r\nSec-Fetch-Site: same-origin\r\n"));
  }
  void act(const std::string& what) const {
    (void)post(base_ + "do", {{"do", what}, {"tab", "t"}});
  }

  void take_part() {
    while (!stop && !ended) {
      try {
        if (base_.empty()) come_in();
        listen();
      } catch (const std::runtime_error&) {  // the server is gone for a while
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  void come_in() {
    WebClient client(port_);
    const auto joined = client.ask(client.get(link_));
    if (joined.status != 303) throw std::runtime_error("not let in");
    cookie_ = joined.header("set-cookie").substr(0, joined.header("set-cookie").find(';'));
    base_ = joined.header("location");
  }
  void listen() {
    WebClient client(port_);
    if (!client.send(client.get(base_ + "events?tab=t", "Cookie: " + cookie_ + "\r\n"))) return;
    if (client.read_head().status != 200) return;
    while (!stop && !ended) {
      const auto data = next_event(client);
      if (!data) return;
      if (data->starts_with(R"({"page")")) show(agon::json::parse(*data, "state"));
    }
  }
  void show(const value& state) {
    const std::string page = text_of(state.at("page"));
    if (page == "welcome") act("begin");
    if (page == "instructions" || page == "rules") act("understood");
    if (page == "result") act("next");
    if (page == "end") ended = true;
    if (page != "question") return;
    const value& match = state.at("match");
    const value& question = match.at("question");
    const std::string key = text_of(match.at("key")) + " " +
                            agon::json::write(question.at("number")) + " " +
                            agon::json::write(question.at("attempt"));
    if (sent.contains(key)) return;  // the same state once more
    ++n_;
    const bool probe = question.at("probe").as_bool();
    const object body{{"match", match.at("key")},
                      {"question", question.at("number")},
                      {"attempt", question.at("attempt")},
                      {"typed", probe ? value() : filled(question.at("form"), n_)},
                      {"skip", probe},
                      {"confirmed", true},
                      {"tab", "t"}};
    const auto said = post(base_ + "answer", body);
    if (said.status != 200) return;
    sent[key] = agon::json::write(body.at("typed"));
    ++accepted;
  }

  std::uint16_t port_;
  std::string link_, cookie_, base_;
  unsigned n_;
  std::thread thread_;
};

/// What a query finds in the file of the people, cells of a row with | between; nothing while it
/// cannot be read.
std::vector<std::string> rows_of(const std::string& file, const char* query) {
  std::vector<std::string> rows;
  sqlite3* db = nullptr;
  if (sqlite3_open_v2(file.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK) {
    sqlite3_busy_timeout(db, 60'000);
    const auto add = [](void* to, int cells, char** texts, char**) {
      std::string row;
      for (int i = 0; i < cells; ++i) row += (i == 0 ? "" : "|") + std::string(texts[i]);
      static_cast<std::vector<std::string>*>(to)->push_back(std::move(row));
      return 0;
    };
    (void)sqlite3_exec(db, query, add, &rows, nullptr);
  }
  sqlite3_close(db);
  return rows;
}

/// Who sat together, by match.
constexpr const char* kPairs =
    "select group_concat(place) from (select s.match, p.place from seated s join participant p "
    "on p.id = s.participant order by s.match, p.place) group by match";

/// The command that serves the suite, and whoever leads its session.
struct Served {
  Served(const Folder& folder, std::uint16_t at)
      : child({"serve", "lab.json", "--people", "--json", "--trust", "--port", std::to_string(at)},
              folder.start()) {
    REQUIRE(child.until([this] { return child.out().find("\n}") != std::string::npos; }));
    const value said = json_of(child.out());
    const std::string url = text_of(said.at("url"));
    port = static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    WebClient client(port);
    const auto in = client.ask(client.get(text_of(said.at("login")).substr(url.size())));
    cookie = in.header("set-cookie").substr(0, in.header("set-cookie").find(';'));
    REQUIRE(!cookie.empty());
  }
  value state() const {
    WebClient client(port);
    REQUIRE(client.send(client.get("/session/events", "Cookie: " + cookie + "\r\n")));
    REQUIRE(client.read_head().status == 200);
    const auto data = next_event(client);
    REQUIRE(data.has_value());
    return json_of(*data);
  }
  std::string answers() const {
    WebClient client(port);
    return client.ask(client.get("/session/answers.csv", "Cookie: " + cookie + "\r\n")).body;
  }

  Child child;
  std::uint16_t port = 0;
  std::string cookie;
};

}  // namespace

TEST_CASE("a session whose process is killed loses no answer and takes none twice") {
  const Folder folder;
  folder.write("lab.json", R"({
    "suite": "lab", "seed": 3,
    "agents": {"me": "human", "rule": "time-dependent"},
    "design": {"fixed": [["me", "me"], ["me", "rule"]], "seat_rotation": "as-listed", "blocks": 7},
    "scenarios": [{"game": "bargaining"}],
    "people": {"participants": 21}})");
  std::vector<std::unique_ptr<Somebody>> people;
  std::uint16_t port = 0;
  unsigned before = 0;
  const auto accepted = [&] {
    unsigned n = 0;
    for (const auto& p : people) n += p->accepted;
    return n;
  };
  for (int kill = 0; kill < 3; ++kill) {
    Served served(folder, port);
    port = served.port;
    const value state = served.state();
    if (people.empty())
      for (const value& p : state.at("participants").as_array())
        people.push_back(std::make_unique<Somebody>(port, text_of(p.at("link")),
                                                    static_cast<unsigned>(people.size())));
    // In the middle of it, wherever it is.
    REQUIRE(served.child.until([&] { return accepted() >= before + 3; }));
    served.child.send(SIGKILL);
    (void)served.child.end();
    before = accepted();
  }
  Served served(folder, port);
  REQUIRE(served.child.until([&] {
    for (const auto& p : people)
      if (!p->ended) return false;
    return true;
  }));
  const std::string kept = served.answers();
  // What was acknowledged is kept once, as it was sent.
  const std::vector<std::string> rows = lines(kept);
  for (const auto& p : people)
    for (const auto& [key, typed] : p->sent) {
      std::string at = key;  // match, question, attempt
      const std::string match = at.substr(0, at.find(' '));
      at = at.substr(at.find(' ') + 1);
      at[at.find(' ')] = ',';
      const std::string word = "\"" + typed.substr(typed.find("word"), 7);
      std::size_t found = 0;
      for (const std::string& row : rows)
        found += contains(row, "," + match + ",") && contains(row, "," + at + ",answer,") &&
                 contains(row, word.substr(1, word.find('"', 1) - 1));
      INFO(key << " " << typed);
      CHECK(found == 1);
    }
  served.child.send(SIGTERM);
  (void)served.child.end();
  CHECK(finished(folder.at("lab.agon")) == 14);
  CHECK(partial(folder.at("lab.agon")) == 0);
  const Ended replay = folder.succeeds({"replay", "lab.agon"});
  CHECK(contains(replay.out, "14 of 14"));

  // One row per person, without the server, which joins with the seats by the pseudonym.
  const std::vector<std::string> rows_of_people =
      lines(folder.succeeds({"export", "lab.agon", "--rows", "people"}).out);
  REQUIRE(rows_of_people.size() == 22);
  CHECK(rows_of_people[0].starts_with("session,pseudonym,outcome,end,began,"));
  const std::string seats = folder.succeeds({"export", "lab.agon"}).out;
  CHECK(contains(seats, ",agent_hash,pseudonym,payoff,"));
  const std::string answers = folder.succeeds({"export", "lab.agon", "--rows", "answers"}).out;
  int joined = 0;
  for (std::size_t i = 1; i < rows_of_people.size(); ++i) {
    INFO(rows_of_people[i]);
    const std::size_t at = rows_of_people[i].find(",p-");
    REQUIRE(at != std::string::npos);
    // A seat that answered nothing has nobody: the row has its match and seat.
    const std::string pseudonym = rows_of_people[i].substr(at + 1, 10);
    CHECK(contains(seats, "," + pseudonym + ",") == contains(answers, "," + pseudonym + ","));
    joined += contains(seats, "," + pseudonym + ",") ? 1 : 0;
    CHECK(contains(rows_of_people[i], ",complete,done,"));
  }
  // How many are asked anything before their match ends depends on when the server was killed.
  const auto answered =
      std::count_if(people.begin(), people.end(), [](const auto& p) { return !p->sent.empty(); });
  CHECK(answered > 0);
  CHECK(joined >= answered);
  CHECK(folder.succeeds({"export", "lab.people", "--rows", "people"}).out ==
        folder.succeeds({"export", "lab.agon", "--rows", "people"}).out);
  CHECK(lines(folder.succeeds({"export", "lab.agon", "--rows", "people", "--json"}).out).size() ==
        21);
  check_has(folder.succeeds({"export", "lab.agon", "--rows", "codebook"}).out,
            {"column,meaning,unit,values\r\n", "\r\npay_total,", "milliseconds since 1970"});
  check_has(folder.agon({"export", "lab.agon", "--rows", "people", "--suite", "lab"}).err,
            {"--suite conflicts with --rows people"});
  check_has(folder.agon({"export", "lab.agon", "--rows", "people", "--format", "otlp"}).err,
            {"--format otlp"});
  std::filesystem::remove(folder.at("lab.people"));
  const Ended gone = folder.agon({"export", "lab.agon", "--rows", "people"});
  CHECK(gone.code != 0);
  check_has(gone.err, {"lab.people", "hint:"});
}

TEST_CASE("a designed session whose process is killed keeps to its design") {
  const Folder folder;
  folder.write("lab.json", R"({
    "suite": "lab", "seed": 3, "agents": {"me": "human"},
    "design": {"fixed": [["me", "me"]], "seat_rotation": "as-listed", "blocks": 24},
    "scenarios": [{"game": "bargaining", "treatments": {"max_turns": [1, 2]}}],
    "people": {"participants": 12, "instructions": false, "waiting": {"seconds": 20},
               "stages": [{"play": {"treatments": "group", "matching": "perfect-strangers",
                                    "matches": 3}}]}})");
  std::vector<std::unique_ptr<Somebody>> people;
  std::uint16_t port = 0;
  const auto ended = [&] {
    std::size_t n = 0;
    for (const auto& p : people) n += p->ended ? 1 : 0;
    return n;
  };
  for (int kill = 0; kill < 3; ++kill) {
    Served served(folder, port);
    port = served.port;
    const value state = served.state();
    if (people.empty())
      for (const value& p : state.at("participants").as_array())
        people.push_back(std::make_unique<Somebody>(port, text_of(p.at("link")),
                                                    static_cast<unsigned>(people.size())));
    if (kill == 2) {
      REQUIRE(served.child.until([&] { return ended() == people.size(); }));
      served.child.send(SIGTERM);
    } else {
      const std::string file = folder.at("lab.people").string();
      const auto matches = static_cast<std::size_t>(3 + 4 * kill);
      REQUIRE(served.child.until([&] { return rows_of(file, kPairs).size() >= matches; }));
      served.child.send(SIGKILL);
    }
    (void)served.child.end();
  }
  const std::string file = folder.at("lab.people").string();
  const std::vector<std::string> pairs = rows_of(file, kPairs);
  CHECK(pairs.size() >= 15);  // the last may have met everybody who is left
  CHECK(std::set<std::string>(pairs.begin(), pairs.end()).size() == pairs.size());
  const std::vector<std::string> drawn = rows_of(
      file, "select count(distinct match) from assigned where kind = 'treatment' group by number");
  REQUIRE(drawn.size() == 2);
  CHECK(std::abs(std::stoi(drawn[0]) - std::stoi(drawn[1])) <= 1);
  // Each draw was made once, and each has its reason.
  CHECK(rows_of(file,
                "select count(distinct draw) - count(distinct match), min(draw), "
                "max(draw) - count(distinct match), min(length(why)) > 10 "
                "from assigned where kind = 'treatment'") == std::vector<std::string>{"0|0|-1|1"});
}

TEST_CASE("people in browsers play a game that is a program") {
  const Folder folder;
  folder.write("talk.py", R"py(
from dataclasses import dataclass
import agon
@dataclass
class Settings:
    rounds: int = agon.field(2, "rounds", min=1)
@dataclass
class Word:
    word: str = agon.field("", "a word")
SAY = agon.Stage("say", Word, "a word for the other")
SAID = agon.Event("said", Word, "what was said")
def play(table: agon.Table[SAY, SAID], s: Settings):
    n = 0
    for _ in range(s.rounds):
        for answer in table.ask_all(range(2), SAY):
            n += len(answer.word) > 0
            table.announce(SAID, answer)
    return [agon.SeatScore(n), agon.SeatScore(n)]
agon.game("talk", play, title="Talk", seats=(2, 2), rules="Say a word.", score="words")
)py");
  folder.write("lab.json", R"({
    "suite": "lab", "seed": 3, "agents": {"me": "human"},
    "design": {"fixed": [["me", "me"]], "seat_rotation": "as-listed", "blocks": 2},
    "scenarios": [{"game": "./talk.py"}],
    "people": {"participants": 4}})");
  {
    Served served(folder, 0);
    std::vector<std::unique_ptr<Somebody>> people;
    const value state = served.state();
    for (const value& p : state.at("participants").as_array())
      people.push_back(std::make_unique<Somebody>(served.port, text_of(p.at("link")),
                                                  static_cast<unsigned>(people.size())));
    REQUIRE(served.child.until([&] {
      for (const auto& p : people)
        if (!p->ended) return false;
      return true;
    }));
    served.child.send(SIGTERM);
    (void)served.child.end();
  }
  CHECK(finished(folder.at("lab.agon")) == 2);
  const Ended replay = folder.succeeds({"replay", "lab.agon", "--plugin", "talk.py"});
  CHECK(contains(replay.out, "2 of 2"));
}
