#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <map>

#include "catch.hpp"
#include "command/folder.hpp"
#include "process/sanitized.hpp"

namespace bj = boost::json;
using namespace command_test;

namespace {

/// What a game does in some of its matches, and what is said of those.
using Acts = std::map<std::string, std::string>;

// Filling the memory takes a second where page faults are slow.
constexpr const char* kLimits = R"("processor": 5)";

/// A shipped game, and a scenario of `game` for each of the acts.
std::string hostile_suite(const std::string& game, const Acts& acts,
                          const std::string& limits = kLimits) {
  std::string scenarios =
      R"({"name": "shipped", "game": "bargaining", "blocks": 20, "design": {"round_robin": true}})";
  for (const auto& [act, problem] : acts)
    scenarios += R"(, {"name": ")" + act + R"(", "game": ")" + game + R"(", "set": {"act": ")" +
                 act + R"(", "one_in": 3}, "blocks": 12, "design": {"fixed": [["floor"]]}})";
  return suite(scenarios, R"("sandbox": {"when": "auto", "limits":
    {"silence": 600, "memory": 256, "questions": 2000, "output": 1, )" +
                              limits + "}},");
}

std::vector<bj::object> rows(const Folder& folder, const std::string& archive) {
  std::vector<bj::object> rows;
  for (const std::string& line : content(folder, archive))
    rows.push_back(json_of(line).as_object());
  return rows;
}

/// True if the match drew that something bad is to happen.
bool is_bad(const bj::object& row) {
  for (const bj::value& entry : row.at("record").as_array())
    if (entry.at("entry") == "draw") return entry.at("value") == 0;
  return false;
}

/// Plays the suite with a plugin that attacks, and looks at what came of it.
void check_hostile(const Folder& folder, const std::string& plugin, const std::string& game,
                   const Acts& acts, const std::string& limits = kLimits) {
  folder.write("quiet.json", hostile_suite(game, {}));
  REQUIRE(folder.agon({"run", "quiet.json"}).code == 0);
  folder.write("hostile.json", hostile_suite(game, acts, limits));
  const Ended run = folder.agon({"run", "hostile.json", "--plugin", plugin, "--jobs", "4"});
  INFO(run.err);
  CHECK(run.code == 6);

  const std::vector<bj::object> quiet = rows(folder, "quiet.agon");
  std::vector<bj::object> shipped;
  std::map<std::string, int> broken;
  for (const bj::object& row : rows(folder, "hostile.agon")) {
    const std::string scenario(row.at("scenario").as_string());
    if (scenario == "shipped") {
      shipped.push_back(row);
      continue;
    }
    INFO(scenario << ": " << bj::serialize(row));
    if (!is_bad(row)) {
      CHECK(row.at("status") == "finished");
      continue;
    }
    ++broken[scenario];
    CHECK(row.at("status") == "game-error");
    REQUIRE(row.at("game_error").is_string());
    CHECK_THAT(std::string(row.at("game_error").as_string()), Catch::Contains(acts.at(scenario)));
  }
  CHECK(shipped == quiet);
  for (const auto& [act, problem] : acts) {
    INFO(act);
    CHECK(broken[act] > 0);
    CHECK(broken[act] < 12);
  }
}

std::string hostile_plugin(const std::string& name) {
  return std::string(AGON_TEST_PLUGINS) + "/hostile/" + name + ".so";
}

std::string refused(const std::string& call) {
  return "the call '" + call + "' is not allowed";
}

}  // namespace

TEST_CASE("a plugin that attacks hurts its own matches alone") {
  if (agon::kSanitized) SKIP("under a sanitizer memory has no bound");
  const Folder folder;
  check_hostile(
      folder, hostile_plugin("hostile"), "hostile",
      {{"segfault", "ended after a question of stage 'pick': Segmentation fault"},
       {"abort", "ended after a question of stage 'pick': Aborted"},
       {"exit", "ended after a question of stage 'pick': it exited with status 0"},
       {"loop", "5 s of the processor"},
       {"questions", "asked more than 2000 questions"},
       {"memory", "std::bad_alloc"},
       {"events", "said more than 1 MiB"},
       {"garbage", "said 'this is no message' after a question of stage 'pick'"},
       {"close", "ended after a question of stage 'pick'"},
       {"file", refused("openat")},
       {"write", refused("openat")},
       {"connect", refused("socket")},
       {"fork", refused("clone")},
       {"parent", refused("kill")},
       {"environment", "the game threw after a question of stage 'pick': there is no environment"},
       {"trace", refused("ptrace")},
       {"handler", "Bad system call"},
       {"random", refused("getrandom")},
       {"code", refused("mmap")}});
}

TEST_CASE("matches that take more than all may together are ended, and no others") {
  if (agon::kSanitized) SKIP("under a sanitizer memory has no bound");
  const Folder folder;
  // Each is within its own limit.
  check_hostile(folder, hostile_plugin("hostile"), "hostile",
                {{"hold",
                  "ended after a question of stage 'pick': all processes of games together "
                  "took more than 190 MiB (sandbox.limits.total_memory)"}},
                R"("processor": 60, "total_memory": 190)");
}

TEST_CASE("a match that a game made as long as it can is shown in little memory") {
  if (agon::kSanitized) SKIP("under a sanitizer memory has no bound");
  const Folder folder;
  folder.write("s.json", suite(R"({"name": "chatter", "game": "hostile", "blocks": 1,
    "set": {"act": "chatter"}, "design": {"fixed": [["floor"]]}})"));
  for (const char* isolate : {"auto", "never"}) {
    INFO(isolate);
    const Words plugin{"--plugin", hostile_plugin("hostile"), "--sandbox", isolate};
    CHECK(folder.agon(joined({"run", "s.json", "--out", std::string(isolate) + ".agon"}, plugin))
              .code == 6);
    const bj::object row = rows(folder, std::string(isolate) + ".agon").at(0);
    CHECK_THAT(std::string(row.at("game_error").as_string()),
               Catch::Contains("more than 200000 entries"));
    CHECK(row.at("record").as_array().size() > 199'000);
    // 500 MB of addresses: what is shown is never there as a whole.
    const auto shown = [&](const std::string& arguments) {
      const std::string line = "cd '" + folder.path().string() + "' && ulimit -v 500000 && '" +
                               command_path() + "' " + arguments + " >out.txt 2>&1";
      return std::system(line.c_str());
    };
    const std::string archive = std::string(isolate) + ".agon ";
    const std::string trusted =
        "--plugin '" + plugin[1] + "' --sandbox never";  // its words are made in this process
    CHECK(shown("show " + archive + "1 " + trusted) == 0);
    CHECK(shown("show " + archive + "1 --json") == 0);
    CHECK(shown("export " + archive + "--rows records --format jsonl") == 0);
    CHECK(shown("export " + archive + "--rows answers") == 0);
    CHECK(shown("replay " + archive + trusted) == 0);
    CHECK(shown("report " + archive + "--html page.html " + trusted) == 0);
    const std::string page = read_file(folder.at("page.html"));
    CHECK(page.size() < 5'000'000);
    CHECK(contains(page, "\"left_out\":19"));
  }
}

TEST_CASE("a game in Python that attacks hurts its own matches alone") {
  if (agon::kSanitized) SKIP("under a sanitizer memory has no bound");
  const Folder folder;
  const std::string game = folder.write("hostile.py", R"(from dataclasses import dataclass
import os, socket, subprocess, sys
import agon

@dataclass
class Settings:
    act: str = agon.field("", "what it does")
    one_in: int = agon.field(1, "in one of so many matches", min=1)

@dataclass
class Pick:
    number: int = agon.field(0, "any number", min=0, max=9)

PICK = agon.Stage("pick", Pick, "name a number")

def loop():
    while True:
        pass

def memory():
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))

ACTS = {
    "loop": loop,
    "memory": memory,
    "exit": lambda: os._exit(3),
    "file": lambda: open("/etc/passwd"),
    "write": lambda: open("written.txt", "w"),
    "connect": lambda: socket.create_connection(("127.0.0.1", 80)),
    "fork": os.fork,
    "start": lambda: subprocess.run(["/bin/true"]),
    "parent": lambda: os.kill(os.getppid(), 9),
    "close": lambda: os.closerange(0, 64),
}

def play(table: agon.Table[PICK], s: Settings):
    number = table.ask(0, PICK).number
    if table.chance("bad").below(s.one_in) == 0:
        ACTS[s.act]()
    return [agon.SeatScore(number)]

agon.game("hostile-py", play, title="Hostile", seats=(1, 1), rules="Name a number.")
)");
  check_hostile(
      folder, game, "hostile-py",
      {{"loop",
        "5 s of the processor for one match after a question of stage 'pick'; on standard "
        "error it said: it was at hostile.py:1"},
       {"memory", "the game threw after a question of stage 'pick': MemoryError"},
       {"exit", "ended after a question of stage 'pick': it exited with status 3"},
       {"file", "PermissionError: [Errno 13] Permission denied: '/etc/passwd'"},
       {"write", "PermissionError: [Errno 1] Operation not permitted: 'written.txt'"},
       {"connect", "PermissionError: [Errno 1] Operation not permitted"},
       {"fork", "PermissionError: [Errno 1] Operation not permitted"},
       {"start", "PermissionError: [Errno 1] Operation not permitted"},
       {"parent", "PermissionError: [Errno 1] Operation not permitted"},
       {"close", "ended after a question of stage 'pick'"}});
  CHECK_FALSE(folder.has("written.txt"));
}

TEST_CASE("a plugin that attacks while it is loaded is refused with the call or gets nothing") {
  const Ended connects =
      command_test::agon({"list", "plugins", "--plugin", hostile_plugin("load_connects")});
  CHECK(connects.code == 3);
  check_has(connects.err,
            {"load_connects.so: the game's process ended before its hello: ", refused("socket")});
  CHECK(command_test::agon({"list", "plugins", "--plugin", hostile_plugin("load_reads")}).code ==
        0);
}

TEST_CASE("the list of plugins tells who is trusted and who is kept apart") {
  const auto posture = [](const std::string& when, const std::string& file) {
    const Ended list =
        command_test::agon({"list", "plugins", "--json", "--sandbox", when, "--plugin",
                            std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so"});
    INFO(list.err);
    const bj::value all = json_of(list.out);
    for (const bj::value& plugin : all.at("plugins").as_array())
      if (plugin.at("path").as_string().ends_with("/" + file))
        return std::string(plugin.at("sandbox").as_string());
    return std::string("not there");
  };
  CHECK(posture("auto", "crashes.so") == "sandboxed");
  CHECK(posture("auto", "bargaining.so") == "in-process");
  CHECK(posture("always", "bargaining.so") == "sandboxed");
  CHECK(posture("never", "crashes.so") == "in-process");
  const std::string full = std::string(AGON_TEST_PLUGINS) + "/good/full.so";
  const Ended left_out = command_test::agon({"list", "plugins", "--plugin", full});
  CHECK(contains(left_out.out, full + ": also brings 1 command"));
  const Ended trusted =
      command_test::agon({"list", "plugins", "--plugin", full, "--sandbox", "never"});
  CHECK(trusted.code == 0);
  CHECK(!contains(trusted.out, "also brings"));
  const Ended wrong = command_test::agon({"list", "--sandbox", "allways"});
  CHECK(wrong.code == 2);
  CHECK(
      contains(wrong.err, "invalid value 'allways' for --sandbox; expected auto, always or never"));
}

TEST_CASE("a suite keeps plugins apart but does not let them in") {
  const Folder folder;
  const auto write = [&](const std::string& isolate) {
    folder.write("s.json",
                 suite(R"({"game": "bargaining", "blocks": 1})", R"("sandbox": )" + isolate + ","));
  };
  const auto trouble = [&](Words words) {
    const Ended ended = folder.agon(words);
    CHECK(ended.code != 0);
    return ended.err;
  };
  write(R"("never")");
  for (const std::string command : {"plan", "run", "doctor", "bench"}) {
    const Ended refused = folder.agon({command, "s.json"});
    INFO(command);
    CHECK(refused.code == 4);
    check_has(refused.err,
              {"($.sandbox): the suite sets \"sandbox\": \"never\", which turns the sandbox off",
               "add --sandbox never"});
  }
  CHECK(folder.agon({"plan", "s.json", "--sandbox", "never"}).code == 0);
  CHECK(folder.agon({"plan", "s.json", "--sandbox", "auto"}).code == 0);
  CHECK(folder.agon({"plan", "s.json", "--trust"}).code == 0);
  for (const std::string when : {"auto", "always"}) {
    write('"' + when + '"');
    CHECK(folder.agon({"plan", "s.json"}).code == 0);
  }
  write(R"({"limits": {"memory": 1}})");
  CHECK(contains(trouble({"plan", "s.json"}), "($.sandbox.limits.memory): 1 is less than 64"));
  write(R"({"limits": {"total_memory": 63}})");
  CHECK(
      contains(trouble({"plan", "s.json"}), "($.sandbox.limits.total_memory): 63 is less than 64"));
  write(R"({"when": "alway"})");
  CHECK(contains(trouble({"plan", "s.json"}), "did you mean 'always'?"));
}
