#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "catch.hpp"
#include "run/play/jobs.hpp"

using agon::Interrupt;

namespace {

/// How a process ends that gets these signals and never looks at the flags.
int ended_by(const std::vector<int>& signals, bool begun) {
  const pid_t child = fork();
  if (child == 0) {
    const Interrupt interrupt;
    if (begun) interrupt.begin();
    for (const int signal : signals) raise(signal);
    // What heeds nobody still ends, if later than any test waits for.
    for (int s = 0; s < (begun ? 4 : 100); ++s) sleep(1);
    _exit(interrupt.asked() ? 7 : 8);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("one signal ends what plays nothing yet, whatever it is at") {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) CHECK(ended_by({signal}, false) == 130);
}

TEST_CASE("once matches are played, a signal is left to who plays them") {
  CHECK(ended_by({SIGTERM}, true) == 7);
  CHECK(ended_by({SIGTERM, SIGINT}, true) == 7);
  CHECK(ended_by({SIGTERM, SIGINT, SIGINT}, true) == 130);
}
