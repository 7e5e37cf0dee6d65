// Whole matches in a process: what it brings is looked at, and what is not as it should be is left
// to be played question by question.
#include <agon/error.hpp>
#include <fstream>

#include "catch.hpp"
#include "describe/value.hpp"
#include "record/record.hpp"
#include "remote/batch.hpp"
#include "remote/game.hpp"

namespace batch_player_test {

using namespace agon;
using namespace agon::remote;

/// Says of each batch the bytes in the file `results`, after what `TROUBLE` does.
constexpr std::string_view kWorker = R"py(
import json, os, sys, time
open("started", "a").write("x\n")
first = len(open("started").readlines()) == 1

NONE = {"kind": "structure", "name": "S", "members": [], "default": {}}

def say(**message):
    sys.stdout.buffer.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
    sys.stdout.buffer.flush()

while line := sys.stdin.buffer.readline():
    message = json.loads(line)
    if message["type"] == "hello":
        if TROUBLE == "fault" and not first:
            say(type="fault", problem="it has no room", hint="give it more", whole=True)
            continue
        title = "Raw" if first or TROUBLE != "changed" else "Rawer"
        say(type="hello", protocol=1, name="raw", version="1", language="c++", games=[{
            "id": "raw", "title": title, "seats": {"min": 1, "max": 1},
            "settings": NONE, "stages": [{"name": "bid",
            "answer": NONE}, {"name": "guess", "probe": True, "answer": NONE}],
            "events": [{"name": "said", "audience": "everybody", "type": NONE},
                       {"name": "hint", "audience": "one-seat", "type": NONE},
                       {"name": "truth", "audience": "record", "type": NONE}]}])
        continue
    open("heard", "a").write(line.decode())
    if message["type"] != "batch": continue
    sys.stdin.buffer.read(message["bytes"])
    if TROUBLE == "exit": sys.exit()
    if TROUBLE == "sleep": time.sleep(1000)
    while TROUBLE == "complains": sys.stderr.write("x" * 10000)
    computed = time.monotonic()
    while TROUBLE == "compute" and time.monotonic() < computed + 6.5: pass
    while TROUBLE == "compute for ever": pass
    results = open("results", "rb").read()
    say(type="played", bytes=len(results))
    sys.stdout.buffer.write(results)
    if TROUBLE == "exit afterwards": sys.exit()
    say(type="batch-over")
)py";

Outcome outcome_of(int seats) {
  Outcome outcome(seats);
  for (int i = 0; i < seats; ++i) outcome.seat(i, {.score = 3, .rank = 1});
  return outcome;
}

/// The record of a match of one seat in which that seat is asked, and sees that.
std::string record_with(int seat, const std::string& view) {
  record::Asked asked;
  asked.seat = seat;
  asked.view = view;
  record::Shapes shapes;
  record::Recorder recorder(0, shapes);
  asked.stage = "bid";
  asked.answer_type = &type_of<std::int64_t>();
  recorder.question(asked);
  recorder.outcome(outcome_of(1));
  return recorder.take();
}

/// The record of a match of one seat in which that is said to these seats.
std::string record_of_event(const std::string& name, std::uint32_t audience,
                            const Type& type = type_of<std::int64_t>()) {
  record::Shapes shapes;
  record::Recorder recorder(0, shapes);
  recorder.event(audience, name, type, Value(type).get());
  recorder.outcome(outcome_of(1));
  return recorder.take();
}

/// The record of a match of one seat that is asked at that stage.
std::string record_of_stage(const std::string& name, bool probe) {
  record::Shapes shapes;
  record::Recorder recorder(0, shapes);
  const std::int64_t answer = 1;
  recorder.plain(0, 0, name, type_of<std::int64_t>(), probe, &answer);
  recorder.outcome(outcome_of(1));
  return recorder.take();
}

/// The record of a match of so many seats in which so many numbers are drawn.
std::string record_of(int seats, std::size_t draws = 0) {
  record::Shapes shapes;
  record::Recorder recorder(0, shapes);
  for (const std::int64_t value : std::vector<std::int64_t>(draws))
    recorder.draw("x", {}, type_of<std::int64_t>(), &value);
  recorder.outcome(outcome_of(seats));
  return recorder.take();
}

/// A match of one seat, as a worker would say that it came out.
BatchResult finished() {
  BatchResult one;
  one.result.record = record_of(1);
  one.result.carried.resize(1);
  one.result.faults.resize(1);
  one.result.forced.resize(1);
  one.result.questions = 1;
  one.wall_ms = 1;
  return one;
}

using Places = std::vector<std::size_t>;

/// A plugin whose process does what `trouble` says.
class Played {
 public:
  explicit Played(const std::string& trouble = "", const ProcessLimits& limits = {})
      : plugin_([&] {
          Launch launch = place_.launch();
          launch.words.back() = "TROUBLE = '" + trouble + "'\n" + std::string(kWorker);
          launch.limits = limits;
          launch.is_worker = true;
          return launch;
        }()),
        scene_(plugin_.cards().games.front()),
        player_(plugin_, files_) {}

  /// Plays as many matches as there are results, or `n`; `reasks` is that of the first, and goes
  /// up. Returns the places of those that are to be played again; the others are in `came`.
  Places play(const std::vector<BatchResult>& results, int reasks = 3, std::size_t n = 0) {
    std::string bytes;
    for (const BatchResult& one : results) write_result(bytes, one);
    std::ofstream(plugin_.launch().folder + "/results", std::ios::binary) << bytes;
    const seam::Inline agent([](const seam::Ask&) { return Reply{}; });
    std::vector<MatchSetup> setups(n == 0 ? results.size() : n, scene_.setup({&agent}));
    const auto shapes = std::make_shared<record::Shapes>();
    (void)shapes->digest(type_of<std::int64_t>());
    std::vector<WholeMatch> matches;
    for (MatchSetup& setup : setups) {
      setup.reasks = reasks++;
      setup.shapes = shapes;
      matches.push_back({&setup, &kSettings, {&kSpec}});
    }
    came.clear();
    return player_.play(matches, [&](std::size_t i, const BatchResult&) { came.push_back(i); }, {});
  }
  Places play(const BatchResult& one) { return play(std::vector<BatchResult>{one}); }
  [[nodiscard]] const remote_game::Place& place() const { return place_; }

  Places came;

 private:
  static inline const std::string kSettings = "{}", kSpec = R"({"agent":"a"})";
  remote_game::Place place_;
  std::vector<std::string> files_;
  RemotePlugin plugin_;
  seam::Scene scene_;
  BatchPlayer player_;
};

TEST_CASE("what a batch brings is handed on, and games that broke are played again") {
  Played played;
  BatchResult broke = finished();
  broke.result.end = End::game_fault;
  broke.result.problem = "it says so itself";
  CHECK(played.play({finished(), broke, finished()}) == Places{1});
  CHECK(played.came == Places{0, 2});
  CHECK(played.place().started() == 2);
}

TEST_CASE("a result that no match comes to ends the process") {
  const auto check = [](const char* what, auto change) {
    INFO(what);
    BatchResult one = finished();
    change(one);
    Played played;
    CHECK(played.play({finished(), one, finished()}) == Places{1, 2});
    CHECK(played.came == Places{0});
    // The next batch has another one.
    CHECK(played.play(finished()).empty());
    CHECK(played.place().started() == 3);
  };
  check("no record", [](BatchResult& one) { one.result.record.clear(); });
  check("half a record", [](BatchResult& one) { one.result.record.pop_back(); });
  check("a record without an outcome",
        [](BatchResult& one) { one.result.record = std::string("AGR\x01\0", 5); });
  check("two seats", [](BatchResult& one) { one.result.record = record_of(2); });
  check("two outcomes", [](BatchResult& one) { one.result.record += record_of(1).substr(5); });
  check("a draw after the outcome",
        [](BatchResult& one) { one.result.record += record_of(1, 1).substr(5); });
  check("a question of another seat",
        [](BatchResult& one) { one.result.record = record_with(1, ""); });
  check("a view", [](BatchResult& one) { one.result.record = record_with(0, "{}"); });
  for (const auto& [name, audience] :
       {std::pair{"no such", 0U}, {"truth", ~0U}, {"truth", 1U}, {"said", 0U}, {"hint", 3U}})
    check("an event that the card does not have for whom it was said",
          [&](BatchResult& one) { one.result.record = record_of_event(name, audience); });
  for (const auto& [name, probe] : {std::pair{"no such", false}, {"bid", true}, {"guess", false}})
    check("a stage that the card does not have",
          [&](BatchResult& one) { one.result.record = record_of_stage(name, probe); });
  check("a shape that nobody knows", [](BatchResult& one) {
    one.result.record = record_of_event("said", ~0U, type_of<std::vector<double>>());
  });
  check("no JSON is carried", [](BatchResult& one) { one.result.carried[0] = "{"; });
  check("a book is carried", [](BatchResult& one) {
    one.result.carried[0] = '"' + std::string(std::size_t{1} << 20, 'x') + '"';
  });
  check("more attempts than there can be", [](BatchResult& one) { one.result.faults[0][1] = 6; });
  check("more answers than questions", [](BatchResult& one) { one.result.forced[0] = 2; });
  check("no faults", [](BatchResult& one) { one.result.faults.clear(); });
  check("no shape", [](BatchResult& one) { one.shapes = {"?"}; });
  check("no time", [](BatchResult& one) { one.wall_ms = -1; });
  check("shapes without end", [](BatchResult& one) { one.shapes.resize(1001, "i"); });
  check("much carried", [](BatchResult& one) { one.result.carried.resize(kMaxSeats + 1); });
}

TEST_CASE("what the card has is brought under its names") {
  std::vector<BatchResult> results;
  for (const std::string& record :
       {record_of_event("said", ~0U), record_of_event("hint", 1), record_of_event("truth", 0),
        record_of_stage("bid", false), record_of_stage("guess", true), record_of_event("said", ~0U),
        record_of_stage("take-along", true), record_of_event("taken-along", 1)}) {
    results.push_back(finished());
    results.back().result.record = record;
  }
  Played played;
  CHECK(played.play(results).empty());
}

TEST_CASE("a batch that brings other matches than were asked for ends the process") {
  Played few;
  CHECK(few.play({finished()}, 3, 2) == Places{1});
  CHECK(few.came == Places{0});
  CHECK(few.play(finished()).empty());
  CHECK(few.place().started() == 3);
  Played many;
  CHECK(many.play({finished(), finished()}, 3, 1).empty());
  CHECK(many.came == Places{0});
  CHECK(many.play(finished()).empty());
  CHECK(many.place().started() == 3);
}

TEST_CASE("shapes that are on no card are learned, and not without end") {
  BatchResult one = finished();
  one.shapes = {"[n]", "[n]"};
  Played played;
  CHECK(played.play(one).empty());
  one.shapes.clear();
  for (int i = 1; i < 1000; ++i) one.shapes.push_back("{a" + std::to_string(i) + ":i}");
  BatchResult known = finished(), another = finished();
  known.shapes = {"[n]"};
  another.shapes = {"[i]"};
  CHECK(played.play({one, known, another}) == Places{2});
}

TEST_CASE("a match of a batch that may have taken too much is played again, where it is counted") {
  ProcessLimits limits;
  limits.output = 1;
  limits.processor = 2;
  limits.questions = 500;
  const auto play = [&](auto change) {
    BatchResult one = finished();
    change(one);
    Played played("", limits);
    const bool again = !played.play(one).empty();
    CHECK(played.place().started() == 2);
    return again;
  };
  CHECK_FALSE(play([](BatchResult& one) { one.wall_ms = 1999; }));
  CHECK(play([](BatchResult& one) { one.wall_ms = 2001; }));
  CHECK_FALSE(play([](BatchResult& one) { one.result.questions = 500; }));
  CHECK(play([](BatchResult& one) { one.result.questions = 501; }));
  CHECK_FALSE(play([](BatchResult& one) { one.result.record = record_of(1, 1000); }));
  CHECK(play([](BatchResult& one) { one.result.record = record_of(1, 10000); }));
  limits.questions = 1000000;
  CHECK(play([](BatchResult& one) { one.result.questions = 1025; }));
}

TEST_CASE("a process that computes is not silent, one that sleeps is") {
  // Its start has the same limit, and takes its time on a busy machine.
  Played busy("compute", remote_game::limits(6));
  CHECK(busy.play(finished()).empty());
  Played asleep("sleep", remote_game::limits(6));
  CHECK(asleep.play(finished()) == Places{0});
  Played endless("compute for ever", remote_game::limits(1000, 1));
  CHECK(endless.play(finished()) == Places{0});
}

TEST_CASE("a plugin whose process brings nothing is given no more batches") {
  Played ends("exit");
  for (int i = 0; i < 3; ++i) CHECK(ends.play({finished(), finished()}) == Places{0, 1});
  CHECK(ends.place().started() == 2);
  Played brings("exit afterwards");
  for (int i = 0; i < 3; ++i) CHECK(brings.play(finished()).empty());
  CHECK(brings.place().started() == 4);
}

TEST_CASE("what only costs others is not done again") {
  // Another hello than the plugin's first, or none.
  for (const char* trouble : {"fault", "changed"}) {
    INFO(trouble);
    Played other(trouble);
    for (int i = 0; i < 2; ++i) CHECK(other.play(finished()) == Places{0});
    CHECK(other.place().started() == 2);
  }
  ProcessLimits few = remote_game::limits(60);
  few.output = 1;
  Played complains("complains", few);
  CHECK(complains.play({finished(), finished()}) == Places{0, 1});
  CHECK(complains.play(finished()) == Places{0});
  CHECK(complains.place().started() == 2);
}

TEST_CASE("where no process can be started its matches are left to be played one by one") {
  Played played;
  played.place().remove();
  CHECK(played.play({finished(), finished()}) == Places{0, 1});
}

TEST_CASE("a process is told of few tables at a time") {
  Played played;
  const std::vector<BatchResult> many(300, finished());
  CHECK(played.play(many).empty());
  CHECK(played.place().read("heard").find("forget") == std::string::npos);
  CHECK(played.play({finished()}, 7).empty());
  const std::string heard = played.place().read("heard");
  const std::size_t forget = heard.find("forget");
  REQUIRE(forget != std::string::npos);
  CHECK(heard.find(R"("type":"table","number":0)", forget) != std::string::npos);
  CHECK(heard.find(R"("type":"agent","number":0)", forget) != std::string::npos);
}

}  // namespace batch_player_test
