// What a program in another process is given, and what of its words is kept.

#include <fcntl.h>
#include <unistd.h>

#include <agon/process.hpp>
#include <chrono>
#include <filesystem>

#include "catch.hpp"

namespace remote_processes_test {
namespace {

using agon::Process;
using namespace std::chrono_literals;

/// A process that was started and its first line.
std::string first_line(Process& process) {
  std::string line;
  const Process::Got got = process.read(line, Process::Clock::now() + 60s, 10s);
  INFO(process.complaints());
  CHECK(got == Process::Got::line);
  return line;
}

}  // namespace

TEST_CASE("what is open here is not open in a program") {
  // As a shell leaves descriptors open: without FD_CLOEXEC.
  const int left_open = fcntl(STDERR_FILENO, F_DUPFD, 77);
  REQUIRE(left_open >= 77);
  const std::string path = "/proc/self/fd/" + std::to_string(left_open);
  CHECK(std::filesystem::exists(path));
  Process process({"sh", "-c", "test -e /proc/self/fd/2 && ! test -e " + path + " && echo closed"},
                  "", {"PATH=/usr/bin:/bin"});
  std::string line;
  process.read(line, Process::Clock::now() + 60s, 10s);
  close(left_open);
  CHECK(line == "closed");
}

TEST_CASE("of what a program says on standard error the end is kept") {
  Process process(
      {"sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo end >&2; echo said"}, "",
      {"PATH=/usr/bin:/bin"});
  CHECK(first_line(process) == "said");
  REQUIRE(process.wait(Process::Clock::now() + 60s));
  process.kill();
  CHECK(process.complained() == 1'000'004);
  CHECK(process.complaints().size() == 4096);
  CHECK(process.complaints().ends_with("xend\n"));
}

}  // namespace remote_processes_test
