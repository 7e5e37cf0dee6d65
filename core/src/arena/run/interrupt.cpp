#include "run/interrupt.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

namespace agon {
namespace {

// A signal handler reaches nothing but what has static storage.
std::atomic<bool> g_asked{false};
std::atomic<bool> g_insisted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int) {
  constexpr int interrupted = 130;
  // Not by _exit(), which would be taken for that of a game: any thread may get the signal.
  if (g_asked.exchange(true) && g_insisted.exchange(true)) syscall(SYS_exit_group, interrupted);
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
  g_asked = g_insisted = false;
  handle(on_signal);
}
Interrupt::~Interrupt() {
  handle(SIG_DFL);
}
const std::atomic<bool>& Interrupt::asked() const {
  return g_asked;
}
const std::atomic<bool>& Interrupt::insisted() const {
  return g_insisted;
}

}  // namespace agon
