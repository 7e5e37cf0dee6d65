#include "run/crash_note.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <memory>

namespace agon {
namespace {

// A signal handler reaches nothing but what has static storage.
thread_local const Playing* t_playing = nullptr;
std::atomic<bool> g_active{false};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

constexpr std::array kCrashes{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// Only what a signal handler may do.
void say(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void say(std::int64_t number) {
  std::array<char, 24> digits;  // NOLINT(cppcoreguidelines-pro-type-member-init): written below
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  say(std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data())));
}

void tell(std::string_view what) {
  const Playing& p = *t_playing;
  say("\nagon: ");
  say(what);
  say(" while a match was played: scenario ");
  say(p.scenario);
  say(", block ");
  say(p.block);
  if (!p.match.empty()) {
    say(", match ");
    say(p.match);
  }
  say("; game ");
  say(p.game);
  say(" of ");
  say(p.plugin);
  say(". A game or an agent of a plugin did that, or ran out of stack; matches that were finished "
      "are kept, and the same command takes the run up where it stopped\n");
}

std::string_view name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic error (a division by zero?)";
    case SIGILL:
      return "illegal instruction";
    default:
      return "abort";
  }
}

void on_crash(int signal) {
  // SA_RESETHAND: the same signal again, when this returns, ends the process as it would have.
  if (t_playing != nullptr) tell(name_of(signal));
  raise(signal);
}

void on_exit() {
  if (!g_active || t_playing == nullptr) return;
  tell("exit() was called");
  _exit(1);
}

/// The thread's own stack for the handler: the usual one may be what ran out.
class HandlerStack {
 public:
  HandlerStack() : bytes_(std::make_unique<char[]>(kSize)) {
    stack_t stack{};
    stack.ss_sp = bytes_.get();
    stack.ss_size = kSize;
    sigaltstack(&stack, nullptr);
  }
  ~HandlerStack() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  static constexpr std::size_t kSize = std::size_t{64} << 10;
  std::unique_ptr<char[]> bytes_;
};

}  // namespace

PlayingNote::PlayingNote(const Playing& playing) : playing_(playing) {
  if constexpr (!kSanitized) {
    thread_local const HandlerStack stack;
    t_playing = &playing_;
  }
}
PlayingNote::~PlayingNote() {
  t_playing = nullptr;
}

CrashNotes::CrashNotes() {
  if constexpr (kSanitized) return;
  static const int once = std::atexit(on_exit);
  static_cast<void>(once);
  g_active = true;
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}
CrashNotes::~CrashNotes() {
  if constexpr (kSanitized) return;
  g_active = false;
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}

}  // namespace agon
