#include <csignal>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define AGON_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define AGON_TEST_SANITIZED 1
#endif
#endif
#ifdef AGON_TEST_SANITIZED
constexpr bool kOwnReports = true;  // a sanitizer tells of crashes itself
#else
constexpr bool kOwnReports = false;
#endif

TEST_CASE("a plugin that takes the process with it is named, with the match") {
  if (kOwnReports) return;
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
  const Ended run = folder.agon({"run", "s.json", "--plugin", plugin, "--jobs", "1"});
  INFO(run.err);
  CHECK(run.code == row.code);
  CHECK(contains(run.err, std::string("agon: ") + row.what +
                              " while a match was played: scenario ends, block "));
  CHECK(contains(run.err, "; game crashes of " + plugin + ". "));
  // The archive is whole, and not locked.
  CHECK(folder.agon({"doctor", "s.agon"}).code == 0);
  CHECK(folder.agon({"show", "s.agon"}).code == 0);
}
