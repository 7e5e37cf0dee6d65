#include <csignal>

#include "catch.hpp"
#include "command/folder.hpp"
#include "process/sanitized.hpp"

using namespace command_test;

TEST_CASE("a plugin that takes the process with it is named, with the match") {
  if (agon::kSanitized) SKIP("a sanitizer tells of crashes itself");
  struct Row {
    const char* how;
    int code;
    const char* what;
  };
  const auto row = GENERATE(
      Row{"segfault", 128 + SIGSEGV, "segmentation fault"}, Row{"abort", 128 + SIGABRT, "abort"},
      Row{"exit", 1, "exit() was called"}, Row{"deep", 128 + SIGSEGV, "segmentation fault"});
  const Folder folder;
  folder.write("s.json", R"({"seed": 2, "agents": {"floor": "random"}, "scenarios": [
    {"name": "ends", "game": "crashes", "set": {"how": ")" +
                             std::string(row.how) +
                             R"("}, "blocks": 3, "design": {"fixed": [["floor"]]}}]})");
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so";
  const Ended run =
      folder.agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--jobs", "1"});
  INFO(run.err);
  CHECK(run.code == row.code);
  check_has(run.err,
            {std::string("agon: ") + row.what + " while a match was played: scenario ends, block ",
             "; game crashes of " + plugin + ". "});
  // The archive is whole, and not locked.
  CHECK(folder.agon({"doctor", "s.agon"}).code == 0);
  CHECK(folder.agon({"show", "s.agon"}).code == 0);
}

namespace {

constexpr int kBlocks = 300;

/// A suite in which some matches take the process with them, always the same ones.
std::string deadly(const std::string& how, int one_in) {
  return R"({"seed": 5, "agents": {"floor": "random"}, "scenarios": [{"game": "crashes", "set":
    {"how": ")" +
         how + R"(", "one_in": )" + std::to_string(one_in) + R"(}, "blocks": )" +
         std::to_string(kBlocks) + R"(, "design": {"fixed": [["floor"]]}}]})";
}

/// Starts the same command until it ends by itself; how often it was started.
int start_until_done(const Folder& folder, const Words& call, Ended& last) {
  for (int starts = 1; starts <= 30; ++starts) {
    last = folder.agon(call);
    if (last.code == 6 || last.code == 0) return starts;
    CHECK(last.code != 0);
    // Whenever it went down, the archive is whole.
    if (folder.has("s.agon")) CHECK(folder.agon({"doctor", "s.agon"}).code == 0);
  }
  return 0;
}

}  // namespace

TEST_CASE("a match that takes the process down twice is set aside, and the run goes on") {
  struct Row {
    const char* how;
    const char* reason;
  };
  const auto row =
      GENERATE(Row{"segfault", "segmentation fault"}, Row{"abort", "abort"},
               Row{"exit", "exit() was called"}, Row{"quick_exit", "exit() was called"},
               Row{"leave", "exit() was called"}, Row{"kill", "the process ended without a word"},
               Row{"thread", "the process ended without a word"});
  // A sanitizer has its own ways with signals and exits; a kill is a kill.
  if (agon::kSanitized && std::string(row.how) != "kill") return;
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so";
  const Folder folder;
  folder.write("s.json", deadly(row.how, 100));
  const Words call{"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--jobs", "3"};
  Ended last;
  const int starts = start_until_done(folder, call, last);
  INFO(row.how << ": " << starts << " starts\n" << last.err);
  const std::string listed = folder.agon({"export", "s.agon", "--rows", "matches"}).out;
  CHECK(finished(folder.at("s.agon")) == kBlocks);
  const std::size_t aside = count(listed, "quarantined");
  REQUIRE(aside > 0);
  // Two times for each: nothing that was finished in between is lost, and no other match is blamed.
  CHECK(starts <= 2 * static_cast<int>(aside) + 1);
  CHECK(last.code == 6);
  CHECK(contains(last.err, "--retry-quarantined"));
  check_has(listed, {row.reason, "pick"});
  CHECK_FALSE(folder.has("s.agon.playing"));
  // What is left is a sound archive: they are faults of the game, and nobody replays them.
  CHECK(folder.agon({"report", "s.agon"}).code == 0);
  const Ended replay = folder.agon({"replay", "s.agon", "--plugin", plugin, "--sandbox", "never"});
  CHECK(contains(replay.out, std::to_string(kBlocks - static_cast<int>(aside)) + " of "));
  CHECK(replay.code == 0);
  CHECK(folder.agon(call).code == 6);

  // With a game that was mended they are played again, and only they.
  CHECK(
      folder
          .agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--retry-quarantined"})
          .code != 0);
  CHECK(finished(folder.at("s.agon")) == kBlocks - static_cast<int>(aside));
}

TEST_CASE("of a sequence that is set aside, what came before counts") {
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so";
  const Folder folder;
  folder.write("s.json", R"({"seed": 5, "agents": {"a": "random", "b": "random"},
    "design": {"fixed": [["a"], ["b"]]}, "stop": {"best": 0.95}, "scenarios": [{"game": "crashes",
    "set": {"how": "kill", "one_in": 20}, "blocks": 25, "sequence": 3}]})");
  const Words call{"run",   "s.json", "--plugin", plugin,  "--sandbox",
                   "never", "--jobs", "1",        "--json"};
  Ended last;
  REQUIRE(start_until_done(folder, call, last) > 1);
  const auto told = json_of(last.out).as_object();
  CHECK(told.at("set_aside").to_number<int>() > 0);
  // Taken up again, there is nothing to do, and it comes to the same.
  const auto again = json_of(folder.agon(call).out).as_object();
  CHECK(again.at("played") == 0);
  CHECK(again.at("before").to_number<int>() ==
        told.at("before").to_number<int>() + told.at("played").to_number<int>());
  CHECK(again.at("game_faults") == told.at("game_faults"));
  CHECK(again.at("stop") == told.at("stop"));
}

TEST_CASE("a crash in a thread of a plugin's own is told, and blames those in flight") {
  if (agon::kSanitized) SKIP("a sanitizer tells of crashes itself");
  const Folder folder;
  folder.write("s.json", deadly("thread", 1));
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so";
  const Ended run =
      folder.agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--jobs", "1"});
  CHECK(run.code == 128 + SIGABRT);
  CHECK(contains(run.err, "agon: abort in a thread that plays no match"));
  CHECK(folder.has("s.agon.playing"));
}

TEST_CASE("what was finished before a crash is kept, also within the first group of commits") {
  if (agon::kSanitized) SKIP("a sanitizer tells of crashes itself");
  const Folder folder;
  folder.write("s.json", deadly("segfault", 100));
  const std::string plugin = std::string(AGON_TEST_PLUGINS) + "/hangs/crashes.so";
  const Ended run =
      folder.agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--jobs", "1"});
  CHECK(run.code == 128 + SIGSEGV);
  // One thread: all that came before the match that broke, and nothing else.
  const int kept = finished(folder.at("s.agon"));
  CHECK(kept > 0);
  CHECK(folder.agon({"run", "s.json", "--plugin", plugin, "--sandbox", "never", "--jobs", "1"})
            .code == 128 + SIGSEGV);
  CHECK(finished(folder.at("s.agon")) == kept);
}

TEST_CASE("kill -9 blames no match that waited for an answer") {
  const Folder folder;
  folder.write("s.json", R"({"seed": 1, "models": {"m": {"provider": "mock", "mock":
    {"latency_ms": 200, "in_real_time": true}}}, "agents": {"a": {"llm": "m"}}, "scenarios":
    [{"game": "water-allocation", "blocks": 4, "set": {"days": 3},
      "design": {"fixed": [["a", "a", "a", "a", "a"]]}}]})");
  for (int kill = 0; kill < 3; ++kill) {
    Child run({"run", "s.json", "--jobs", "4"}, folder.start());
    REQUIRE(run.until([&] { return folder.has("s.agon.playing"); }));
    for (int step = 0; step < 60; ++step) run.step();
    run.send(SIGKILL);
    CHECK(run.end().code == 128 + SIGKILL);
  }
  folder.succeeds({"run", "s.json", "--jobs", "4"});
  CHECK(finished(folder.at("s.agon")) == 4);
}
