// Games of plugins in processes of their own: the same records, and what breaks there stays there.
#include <agon/process.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/endpoint.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kCrashes = std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so";
const std::string kFull = std::string(AGON_TEST_PLUGINS) + "/good/full.so";

/// A suite in which some matches take the process with them, always the same ones.
std::string deadly(const std::string& how) {
  return R"({"seed": 5, "agents": {"floor": "random"}, "scenarios": [{"game": "crashes", "set":
    {"how": ")" +
         how + R"(", "one_in": 100}, "blocks": 300, "design": {"fixed": [["floor"]]}}]})";
}

}  // namespace

TEST_CASE("shipped games in processes of their own have the records that they have in this one") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "english-auction"}, {"game": "water-allocation"},
    {"game": "bargaining"}, {"game": "deal-or-no-deal"})"));
  folder.succeeds({"run", "s.json", "--out", "h.agon", "--sandbox", "never"});
  folder.succeeds({"run", "s.json", "--out", "t.agon", "--sandbox", "always", "--jobs", "3"});
  CHECK(content(folder, "h.agon") == content(folder, "t.agon"));
  // Question by question, as a replay asks.
  folder.succeeds({"replay", "h.agon", "--sandbox", "always"});
}

TEST_CASE("more treatments than a process keeps have the records that they have in this one") {
  const Folder folder;
  std::string scenarios;
  for (int i = 1; i <= 300; ++i)
    scenarios += (i == 1 ? "" : ", ") + (R"({"name": "s)" + std::to_string(i)) +
                 R"(", "game": "echo", "blocks": 2, "set": {"number": )" + std::to_string(i) + "}}";
  folder.write("s.json", R"({"agents": {"floor": "random"}, "design": {"fixed": [["floor"]]},
    "scenarios": [)" + scenarios +
                             "]}");
  for (const char* isolate : {"never", "auto"}) {
    folder.succeeds({"run", "s.json", "--plugin", kFull, "--sandbox", isolate, "--jobs", "1",
                     "--out", std::string(isolate) + ".agon"});
  }
  CHECK(content(folder, "never.agon") == content(folder, "auto.agon"));
}

TEST_CASE("seats that learn carry the same from match to match") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "english-auction", "sequence": 3, "blocks": 4})"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "h.agon", "--sandbox", "never"}).code == 0);
  REQUIRE(folder.agon({"run", "s.json", "--out", "t.agon", "--sandbox", "always"}).code == 0);
  CHECK(content(folder, "h.agon") == content(folder, "t.agon"));
  folder.succeeds({"replay", "h.agon", "--sandbox", "always"});
}

TEST_CASE("what is dealt in turn is dealt so from another process") {
  const Folder folder;
  folder.write("s.json",
               suite(R"({"game": "bargaining", "set": {"order": "in_turn"}, "blocks": 4})"));
  folder.succeeds({"run", "s.json", "--out", "h.agon", "--sandbox", "never"});
  REQUIRE(folder.agon({"run", "s.json", "--out", "t.agon", "--sandbox", "always"}).code == 0);
  CHECK(content(folder, "h.agon") == content(folder, "t.agon"));
  folder.succeeds({"replay", "h.agon", "--sandbox", "always"});
}

TEST_CASE("a game that ends its process costs the matches in which it does so") {
  struct Row {
    const char* how;
    const char* reason;
  };
  const auto row =
      GENERATE(Row{"segfault", "Segmentation fault, signal 11"}, Row{"abort", "Aborted, signal 6"},
               Row{"exit", "it exited with status 0"}, Row{"leave", "it exited with status 0"},
               Row{"kill", "Killed, signal 9"}, Row{"deep", "Segmentation fault, signal 11"});
  const Folder folder;
  folder.write("s.json", deadly(row.how));
  const Ended run = folder.agon({"run", "s.json", "--plugin", kCrashes, "--jobs", "3"});
  INFO(row.how << ": " << run.err);
  CHECK(run.code == 6);
  CHECK(finished(folder.at("s.agon")) == 300);
  const std::string listed = folder.agon({"export", "s.agon", "--rows", "matches"}).out;
  const std::size_t faults = count(listed, "game-error");
  CHECK(faults > 0);
  CHECK(faults < 10);
  CHECK(count(listed, row.reason) == faults);
  CHECK(count(listed, "after a question of stage 'pick'") == faults);

  // Which matches these are does not depend on who plays beside them.
  const Ended one =
      folder.agon({"run", "s.json", "--plugin", kCrashes, "--jobs", "1", "--out", "one.agon"});
  CHECK(one.code == 6);
  CHECK(content(folder, "one.agon") == content(folder, "s.agon"));
}

TEST_CASE("how a game's process ended is known where children are ignored") {
  const Folder folder;
  folder.write("s.json", deadly("segfault"));
  const Ended run = folder.agon({"run", "s.json", "--plugin", kCrashes, "--jobs", "1"},
                                {.ignores_children = true});
  INFO(run.err);
  CHECK(run.code == 6);
  CHECK(contains(folder.agon({"export", "s.agon", "--rows", "matches"}).out,
                 "Segmentation fault, signal 11"));
}

TEST_CASE("a thread of a plugin that is kept apart is refused by name") {
  const Folder folder;
  folder.write("s.json", deadly("thread"));
  const Ended run = folder.agon({"run", "s.json", "--plugin", kCrashes});
  INFO(run.err);
  CHECK(run.code == 6);
  CHECK(finished(folder.at("s.agon")) == 300);
  const std::string listed = folder.agon({"export", "s.agon", "--rows", "matches"}).out;
  const std::size_t faults = count(listed, "game-error");
  CHECK(faults > 0);
  CHECK(faults < 10);
}

TEST_CASE("a plugin that is kept apart may print, and has nothing to read") {
  const Folder folder;
  const std::string prints = std::string(AGON_TEST_PLUGINS) + "/good/prints.so";
  folder.write("s.json", R"({"agents": {"floor": "random"}, "scenarios": [{"game": "prints",
    "blocks": 20, "design": {"fixed": [["floor"]]}}]})");
  for (const char* isolate : {"never", "auto"}) {
    const Ended run = folder.agon({"run", "s.json", "--plugin", prints, "--sandbox", isolate,
                                   "--out", std::string(isolate) + ".agon"});
    INFO(isolate << ": " << run.err);
    CHECK(run.code == 0);
  }
  CHECK(content(folder, "never.agon") == content(folder, "auto.agon"));
  const Ended played = folder.succeeds({"play", "prints", "--agent", "random", "--plugin", prints});
  CHECK(count(played.out, "a match begins") == 0);
  CHECK(count(played.err, "the game printed: it is loaded\n") > 0);
  CHECK(count(played.err, "the game printed: a match begins\n  {\"type\":\"note\"}\n") == 1);
  // Question by question.
  const Ended asked =
      folder.agon({"play", "prints", "--agent", "human", "--plugin", prints}, {.in = "2\n\n"});
  CHECK(count(asked.err, "the game printed: a match begins\n  {\"type\":\"note\"}\n") == 1);
}

TEST_CASE("agents of a plugin that is kept apart play in its games") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {"seven": "always:number=3", "floor": "random"},
    "scenarios": [{"game": "echo", "blocks": 20, "design": {"fixed": [["seven"], ["floor"]]}}]})");
  const Words call{"run", "s.json", "--plugin", kFull};
  const auto with = [&](const char* isolate, const char* out) {
    Words words = call;
    words.insert(words.end(), {"--sandbox", isolate, "--out", out});
    return folder.agon(words);
  };
  const Ended apart = with("auto", "t.agon");
  INFO(apart.err);
  REQUIRE(apart.code == 0);
  REQUIRE(with("never", "h.agon").code == 0);
  CHECK(content(folder, "h.agon") == content(folder, "t.agon"));
  CHECK(folder.agon({"replay", "t.agon", "--plugin", kFull}).code == 0);
  // One match, question by question.
  folder.succeeds({"play", "echo", "--agent", "always:number=2", "--plugin", kFull});
}

TEST_CASE(
    "an agent of a plugin that is kept apart plays games that are elsewhere as it does here") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {"a": "stranger",
    "b": {"rule": "stranger", "params": {"by_json": true}},
    "c": {"rule": "stranger", "params": {"throws": true}}},
    "design": {"fixed": [["a", "b"], ["c", "a"]]},
    "scenarios": [{"game": "bargaining", "blocks": 6}, {"game": "deal-or-no-deal", "blocks": 6}]})");
  const auto with = [&](const char* isolate, const char* out) {
    return folder.agon({"run", "s.json", "--plugin",
                        std::string(AGON_TEST_PLUGINS) + "/good/stranger.so", "--sandbox", isolate,
                        "--out", out});
  };
  const Ended here = with("never", "h.agon");
  INFO(here.err);
  REQUIRE(here.code == 0);
  // The agent alone is elsewhere; then the games too, each in a process of its own.
  for (const char* isolate : {"auto", "always"}) {
    const Ended there = with(isolate, (std::string(isolate) + ".agon").c_str());
    INFO(isolate << ": " << there.err);
    REQUIRE(there.code == 0);
    CHECK(content(folder, "h.agon") == content(folder, std::string(isolate) + ".agon"));
    const std::string listed =
        folder.agon({"export", std::string(isolate) + ".agon", "--rows", "seats"}).out;
    CHECK(listed == folder.agon({"export", "h.agon", "--rows", "seats"}).out);
  }
}

TEST_CASE("answers that are turned down are asked again as often in another process") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {"nine": "always:number=9"}, "faults": {"reasks": 1},
    "scenarios": [{"game": "echo", "blocks": 3, "design": {"fixed": [["nine"]]}}]})");
  for (const char* isolate : {"never", "auto"}) {
    folder.succeeds({"run", "s.json", "--plugin", kFull, "--sandbox", isolate, "--out",
                     std::string(isolate) + ".agon"});
  }
  CHECK(content(folder, "never.agon") == content(folder, "auto.agon"));
}

namespace {

/// A program at a seat that kills the processes of games that its parent started, as its question
/// number `at` (from 1) comes; it says `answer` to all.
std::string killer(int at, const std::string& answer) {
  return "AT, ANSWER = " + std::to_string(at) + ", '" + answer + "'" + R"(
import json, os, signal, sys
def game():
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                parts = open('/proc/' + name + '/stat').read()
                parent = parts[parts.rindex(')') + 2:].split()[1]
                if int(parent) == os.getppid() and 'agon-worker' in parts: yield int(name)
            except OSError: pass
asked = 0
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'kills'}))
    if m['type'] == 'question':
        asked += 1
        if asked == AT and not os.path.exists('done'):
            found = list(game())
            open('done', 'w').write(str(len(found)))
            for pid in found: os.kill(pid, signal.SIGKILL)
        print(json.dumps({'type': 'answer', 'id': m['id'], 'answer': json.loads(ANSWER)}))
    sys.stdout.flush()
)";
}

}  // namespace

TEST_CASE("somebody who kills a game's process takes nothing with it") {
  const Folder folder;
  // A program at a seat, which does so while it is asked.
  folder.write("kills.py", killer(1, R"({"number": 1})"));
  folder.write("s.json", R"({"agents": {"me": {"external": {"command": ["python3", "kills.py"]}}},
    "scenarios": [{"game": "echo", "blocks": 2, "design": {"fixed": [["me"]]}}]})");
  folder.succeeds({"run", "s.json", "--plugin", kFull, "--trust", "--jobs", "1"});
  // The game's, and the one that ends what outlives Agon.
  CHECK(folder.read("done") == "2");
  CHECK(finished(folder.at("s.agon")) == 2);
  const std::string listed = folder.agon({"export", "s.agon", "--rows", "matches"}).out;
  CHECK(count(listed, "game-error") == 0);
}

TEST_CASE("a stranger's agent is in no process of another stranger's game") {
  const Folder folder;
  // A program that plays last says which plugins the processes beside it were started with.
  folder.write("looks.py", R"(import json, os, sys
def workers():
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                parts = open('/proc/' + name + '/stat').read()
                parent = parts[parts.rindex(')') + 2:].split()[1]
                if int(parent) == os.getppid() and 'agon-worker' in parts:
                    words = open('/proc/' + name + '/cmdline').read().split('\0')
                    yield ' '.join(os.path.basename(w) for w in words if w.endswith('.so'))
            except OSError: pass
for line in sys.stdin:
    m = json.loads(line)
    if m['type'] == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1, 'name': 'looks'}))
    if m['type'] == 'question':
        open('seen', 'w').write(''.join('[' + each + ']' for each in workers()))
        print(json.dumps({'type': 'answer', 'id': m['id'], 'answer': {'number': 1}}))
    sys.stdout.flush()
)");
  folder.write("s.json", R"({"agents": {"a": "stranger",
    "me": {"external": {"command": ["python3", "looks.py"]}}},
    "scenarios": [
      {"game": "echo", "name": "first", "blocks": 3, "design": {"fixed": [["a"]]}},
      {"game": "echo", "name": "last", "blocks": 1, "design": {"fixed": [["me"]]}}]})");
  folder.succeeds({"run", "s.json", "--plugin", kFull, "--plugin",
                   std::string(AGON_TEST_PLUGINS) + "/good/stranger.so", "--trust", "--jobs", "1"});
  const std::string seen = folder.read("seen");
  INFO(seen);
  check_has(seen, {"[full.so]", "[stranger.so]"});
  CHECK_FALSE(contains(seen, "full.so stranger.so"));
}

TEST_CASE("where a game's process is killed what a model has answered is not asked again") {
  const std::string rejects = R"({"talk": "", "action": {"kind": "reject"}})";
  const Endpoint endpoint(
      [&](const Endpoint::Request&) -> Served { return {Endpoint::answer(rejects)}; });
  const Folder folder;
  folder.write("kills.py", killer(3, rejects));
  folder.write("s.json", R"({"models": {"m": {"provider": "openai", "model": "m"}},
    "agents": {"a": {"llm": "m"}, "me": {"external": {"command": ["python3", "kills.py"]}}},
    "scenarios": [{"game": "bargaining", "blocks": 1, "design": {"fixed": [["a", "me"]]}}]})");
  folder.succeeds(
      {"run", "s.json", "--sandbox", "always", "--trust", "--jobs", "1", "--no-preflight"},
      {.environment = {{"OPENAI_API_KEY", "sk-isolated-0123456789"},
                       {"OPENAI_BASE_URL", endpoint.url()}}});
  CHECK(folder.has("done"));
  CHECK(finished(folder.at("s.agon")) == 2);
  // Two matches of six turns, each asked once.
  CHECK(endpoint.calls() == 12);
}

TEST_CASE("models play shipped games in processes of their own as they do in this one") {
  const Folder folder;
  // Views and events of these games have lists and texts that are elsewhere while the game plays.
  folder.write("s.json", R"({"seed": 3, "models": {"m": {"provider": "mock"}},
    "agents": {"a": {"llm": "m"}, "floor": "random"},
    "design": {"focal": "a", "background": "floor"}, "scenarios": [{"game": "bargaining", "blocks": 2},
      {"game": "deal-or-no-deal", "blocks": 2}, {"game": "english-auction", "blocks": 1},
      {"game": "clock-auction", "blocks": 1}, {"game": "classic", "blocks": 1}]})");
  folder.succeeds({"run", "s.json", "--out", "h.agon", "--sandbox", "never"});
  folder.succeeds({"run", "s.json", "--out", "t.agon", "--sandbox", "always"});
  CHECK(content(folder, "h.agon") == content(folder, "t.agon"));
}

TEST_CASE("parts of a plugin that is kept apart are missed with what to do about it") {
  const Folder folder;
  folder.write("s.json", R"({"models": {"m": {"provider": "mock"}}, "agents": {"floor": "random",
    "a": {"llm": "m", "persona": "adversary:style=stubborn"}},
    "scenarios": [{"game": "bargaining", "blocks": 1}]})");
  const Ended run = folder.agon({"run", "s.json", "--sandbox", "always"});
  CHECK(run.code != 0);
  INFO(run.err);
  check_has(run.err, {"unknown persona part 'adversary'", "bargaining.so also brings 2 components",
                      "it comes with Agon: --sandbox auto"});
  CHECK_FALSE(contains(run.err, "ebay.so"));
}

namespace {

/// A process that plays the plugin, spoken to line by line.
class Worker {
 public:
  explicit Worker(const std::string& memory = "1024") : process_(words(memory), "", {}) {}

  std::string ask(const std::string& said) {
    process_.send(said + "\n");
    return hear();
  }
  std::string hear() {
    std::string line;
    (void)process_.read(line, agon::Process::Clock::now() + std::chrono::hours(1),
                        std::chrono::seconds(1));
    return line;
  }
  /// How it ended, and what it said on standard error.
  std::string end() {
    (void)process_.wait(agon::Process::Clock::now() + std::chrono::hours(1));
    return process_.fate() + ": " + process_.complaints();
  }

 private:
  static std::vector<std::string> words(const std::string& memory) {
    const std::filesystem::path bin = std::filesystem::path(AGON_TEST_COMMAND).parent_path();
    return {(bin / ".." / "lib" / "agon" / "agon-worker").string(), "plugin", "--memory", memory,
            kFull};
  }
  agon::Process process_;
};

}  // namespace

TEST_CASE("a process of a plugin heeds a stop at any time and plays on") {
  Worker worker;
  CHECK(contains(worker.ask(R"({"type":"hello","protocol":1})"), R"("name":"full")"));
  const std::string stop = R"({"type":"stop"})", stopped = R"({"type":"stopped"})";
  CHECK(worker.ask(stop) == stopped);
  const std::string play =
      R"({"type":"play","game":"echo","settings":{},"names":["Ann"],"luck":"1"})";
  for (int i = 0; i < 2; ++i) {
    CHECK(contains(worker.ask(play), R"("type":"ask")"));
    CHECK(worker.ask(stop) == stopped);
  }
  CHECK(contains(worker.ask(play), R"("type":"ask")"));
  CHECK(contains(worker.ask(R"({"type":"answers","answers":[{"answer":{"number":2}}]})"),
                 R"("score":2)"));
}

TEST_CASE("a process of a plugin says what it does not understand of the arena") {
  const std::string play =
      R"({"type":"play","game":"echo","settings":{},"names":["Ann"],"luck":"1"})";
  Worker worker;
  (void)worker.ask(R"({"type":"hello","protocol":1})");
  const auto answered = [&](const std::string& said) {
    CHECK(contains(worker.ask(play), R"("type":"ask")"));
    return worker.ask(said);
  };
  CHECK(contains(answered(R"({"type":"drawn","value":1})"),
                 "the arena said 'drawn' where 'answers' was expected"));
  CHECK(contains(answered(R"({"type":"answers","answers":[]})"), "as many as were asked for"));
  CHECK(contains(answered(R"({"type":"answers","answers":[{"answer":{"number":"x"}}]})"),
                 "the arena's value does not fit"));
  CHECK(contains(answered(R"({"type":"check","question":1,"answer":{"number":1}})"),
                 "one that was asked"));
  CHECK(contains(answered(R"({"type":"check","question":"x"})"),
                 "'question' of the arena's message is no whole number"));
  CHECK(contains(
      worker.ask(R"({"type":"request","what":"x","game":"echo","settings":{},"stage":"none"})"),
      "the game has no stage 'none'"));
  CHECK(contains(
      worker.ask(R"({"type":"request","what":"x","game":"echo","settings":{},"stage":"pick"})"),
      "the arena asks for 'x'"));
  CHECK(worker.ask(R"({"type":"nonsense"})").empty());
  CHECK(contains(worker.end(), "it exited with status 1: agon-worker: the arena said 'nonsense'"));
}

TEST_CASE("the memory of a process of a plugin is a number of MiB") {
  for (const char* memory : {"0", "-1", "12x", "", "99999999999"}) {
    INFO(memory);
    Worker worker(memory);
    CHECK(contains(worker.end(), "--memory needs a number of MiB, not '" + std::string(memory)));
  }
  CHECK(contains(Worker("64").ask(R"({"type":"hello","protocol":1})"), R"("name":"full")"));
}
