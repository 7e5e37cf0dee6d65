#include "catch.hpp"
#include "lock/run.hpp"

namespace {

using namespace lock_test;

/// `agon` on a machine where this call is refused.
Ended agon_without(const std::string& call, std::vector<std::string> words) {
  words.insert(words.begin(), {AGON_TEST_WITHOUT, call, "--", AGON_TEST_COMMAND});
  return run(words);
}

TEST_CASE("lock: doctor says what the machine can lock and what it cannot") {
  require_support();
  const Ended all = run({AGON_TEST_COMMAND, "doctor"});
  CHECK_THAT(all.out, Catch::Contains("ok       seccomp locks games of others in"));
  CHECK_THAT(all.out, Catch::Contains("ok       Landlock (ABI "));
  CHECK_THAT(all.out,
             Catch::Contains("ok       a locked process was tried: its filters are in force"));
  CHECK_THAT(all.out, !Catch::Contains("refused here"));

  const Ended calls = agon_without("seccomp", {"doctor"});
  CHECK_THAT(calls.out, Catch::Contains("warning  no system call is refused here"));
  CHECK_THAT(calls.out, !Catch::Contains("seccomp locks"));
  CHECK_THAT(calls.out, Catch::Contains("Landlock (ABI "));

  const Ended files = agon_without("landlock_create_ruleset", {"doctor"});
  CHECK_THAT(files.out, Catch::Contains("warning  no file is hidden here"));
  CHECK_THAT(files.out, !Catch::Contains("Landlock (ABI"));
  CHECK_THAT(files.out, Catch::Contains("seccomp locks games"));
}

TEST_CASE("lock: a machine that cannot lock plays nothing that must be kept apart") {
  require_support();
  for (const std::string call : {"seccomp", "landlock_create_ruleset"}) {
    const Ended refused = agon_without(call, {"list", "--sandbox", "always"});
    CHECK(refused.fate == "it exited with status 4");
    CHECK_THAT(refused.err,
               Catch::StartsWith("agon: error: this machine cannot sandbox games: no "));
    CHECK_THAT(refused.err, Catch::Contains("or use --sandbox auto"));
    for (const std::string when : {"auto", "never"}) {
      const Ended played = agon_without(call, {"list", "games", "--sandbox", when});
      CHECK(played.fate == "it exited with status 0");
      CHECK_THAT(played.err, !Catch::Contains("warning"));  // nothing is kept apart
    }
  }
}

TEST_CASE("lock: that a machine cannot lock is no fault of a game that is checked") {
  require_lock();
  const Ended checked = agon_without(
      "landlock_create_ruleset", {"check", "sealed-bid", "--only", "process", "--matches", "2"});
  INFO(checked.out);
  CHECK(checked.fate == "it exited with status 0");
  CHECK_THAT(checked.out, Catch::Contains("none in a worker: this machine cannot lock it in"));
}

TEST_CASE("lock: what a machine leaves open to games is said once") {
  require_support();
  const Folder folder;
  std::vector<std::string> words{"list", "games"};
  for (const std::string name : {"one", "two"})
    words.insert(words.end(),
                 {"--plugin", folder.write(name + ".py", R"(from dataclasses import dataclass
import agon

@dataclass
class Pick:
    number: int = agon.field(0, "any number", min=0, max=9)

PICK = agon.Stage("pick", Pick, "name a number")

def play(table: agon.Table[PICK]):
    return [agon.SeatScore(table.ask(0, PICK).number)]

agon.game(")" + name + R"(", play, title="Pick", seats=(1, 1), rules="Name a number.")
)")});
  for (const auto& [call, gap] :
       {std::pair{"seccomp", "warning: no system call is refused here"},
        std::pair{"landlock_create_ruleset", "warning: no file is hidden here"}}) {
    const Ended list = agon_without(call, words);
    INFO(list.err);
    CHECK(list.fate == "it exited with status 0");
    CHECK_THAT(list.err, Catch::StartsWith(gap));
    CHECK(list.err.find("warning", 1) == std::string::npos);
  }
}

TEST_CASE("lock: a worker locks what the machine can lock and plays all the same") {
  require_lock();
  const auto act = [](const std::string& without, const std::string& what,
                      const std::string& argument) {
    return run({AGON_TEST_WITHOUT, without, "--", AGON_TEST_ACT, "loading", what, argument}).out;
  };
  CHECK(act("seccomp", "compute", "") == "done");
  CHECK(act("seccomp", "open", secret_file()) == "Permission denied");
  CHECK(act("seccomp", "memory", "200") == "bad_alloc");
  CHECK(act("landlock_create_ruleset", "open", secret_file()) == "done");
  CHECK(act("landlock_create_ruleset", "socket", "").empty());
}

}  // namespace
