#include "run/interrupt.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

namespace agon {
namespace {

// A signal handler reaches nothing but what has static storage.
StopFlags g_flags;
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  constexpr int interrupted = 130;
  // Not by _exit(), which would be taken for that of a game: any thread may get the signal.
  if (g_flags.asked.exchange(true) && g_flags.insisted.exchange(true))
    syscall(SYS_exit_group, interrupted);
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Without SA_RESTART: a read from the terminal returns and sees the flag.
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that goes away ends a run as Ctrl-C does, but not one that was told not to mind.
  struct sigaction present {};
  if (sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  g_flags.asked = g_flags.insisted = false;
  handle(on_signal);
}
Interrupt::~Interrupt() {
  handle(SIG_DFL);
}
const StopFlags& Interrupt::flags() const {
  return g_flags;
}

}  // namespace agon
