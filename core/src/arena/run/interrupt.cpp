#include "run/interrupt.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace agon {
namespace {

constexpr int kInterrupted = 130;
constexpr unsigned kPatienceS = 2;  // of who stops a command that plays nothing yet

// A signal handler reaches nothing but what has static storage.
StopFlags g_flags;
static_assert(std::atomic<bool>::is_always_lock_free);

// Not by _exit(), which would be taken for that of a game: any thread may get the signal.
[[noreturn]] void end_process() {
  for (;;) syscall(SYS_exit_group, kInterrupted);
}

void on_signal(int) {
  if (!g_flags.begun) alarm(kPatienceS);
  if (g_flags.asked.exchange(true) && g_flags.insisted.exchange(true)) end_process();
}

void on_alarm(int) {
  if (g_flags.begun) return;
  constexpr std::string_view kSaid = "stopped before anything was played\n";
  static_cast<void>(!write(STDERR_FILENO, kSaid.data(), kSaid.size()));
  end_process();
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
  g_flags.asked = g_flags.insisted = g_flags.begun = false;
  std::signal(SIGALRM, on_alarm);
  handle(on_signal);
}
Interrupt::~Interrupt() {
  handle(SIG_DFL);
  alarm(0);
  std::signal(SIGALRM, SIG_DFL);
}
void Interrupt::begin() const {
  g_flags.begun = true;
}
const StopFlags& Interrupt::flags() const {
  return g_flags;
}

}  // namespace agon
