#include "run/crash_note.hpp"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <agon/export.hpp>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <memory>

#include "isolation/sanitized.hpp"

namespace agon {
namespace {

// A signal handler reaches nothing but what has static storage.
thread_local const Playing* t_playing = nullptr;
std::atomic<pid_t> g_active{0};  // a child that a plugin makes is not ours to speak of
std::atomic<const archive::WriterProgress*> g_writing{nullptr};
std::atomic<bool> g_is_down{false};   // a thread broke
thread_local bool t_is_down = false;  // this one

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

/// Other threads go on meanwhile, the one that writes among them, unless they need what is broken.
void let_writing_finish() {
  const archive::WriterProgress* writing = g_writing;
  if (writing == nullptr) return;
  const std::uint64_t enough = writing->queued;
  constexpr timespec kTick{0, 5'000'000};
  for (int tick = 0; tick < 600 && writing->committed < enough; ++tick) nanosleep(&kTick, nullptr);
}

/// Of several threads that break the first ends the process; the others wait for that.
void note_and_tell(std::int32_t ended_by, std::string_view what) {
  while (g_is_down.exchange(true)) pause();
  if (t_playing->slot != nullptr) t_playing->slot->ended_by = ended_by;
  tell(what);
  let_writing_finish();
}

bool is_playing() {
  return t_playing != nullptr && g_active.load() == getpid();
}

/// A thread that a plugin or a library made: nobody knows which match it belongs to.
void tell_of_stranger(std::string_view what) {
  say("\nagon: ");
  say(what);
  say(" in a thread that plays no match, while matches were played. A plugin or a library did "
      "that; "
      "matches that were finished are kept, and the same command plays those that were in flight "
      "one "
      "by one\n");
  let_writing_finish();
}

void on_crash(int signal) {
  // What breaks from here on, this very function too, ends the process as it always would.
  const bool is_first = g_active.load() == getpid() && !t_is_down;
  t_is_down = true;
  if (is_first && t_playing != nullptr)
    note_and_tell(signal, name_of_signal(signal));
  else if (is_first)
    tell_of_stranger(name_of_signal(signal));
  std::signal(signal, SIG_DFL);
  raise(signal);
}

[[noreturn]] void leave(int status) {
  for (;;) syscall(SYS_exit_group, status);
}

/// A game that leaves the process in the middle of a match would end a run without a word, and with
/// whatever exit code it likes.
[[maybe_unused]] void refuse_to_leave() {
  if (!is_playing()) return;
  note_and_tell(PlayingFile::kLeft, "exit() was called");
  leave(1);
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

CrashNotes::CrashNotes(const archive::WriterProgress* writing) {
  if constexpr (kSanitized) return;
  g_writing = writing;
  g_active = getpid();
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}
CrashNotes::~CrashNotes() {
  if constexpr (kSanitized) return;
  g_active = 0;
  g_writing = nullptr;
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (const int signal : kCrashes) sigaction(signal, &action, nullptr);
}

}  // namespace agon

// Plugins find these before those of the C library.
#ifndef AGON_SANITIZED
namespace {
/// The C library's own function of that name.
[[noreturn]] void leave_by(const char* name, int status) {
  agon::refuse_to_leave();
  if (auto* own = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, name)); own != nullptr)
    own(status);
  agon::leave(status);
}
}  // namespace

extern "C" {
AGON_API void exit(int status) noexcept {
  leave_by("exit", status);
}
AGON_API void quick_exit(int status) noexcept {
  leave_by("quick_exit", status);
}
AGON_API void _exit(int status) {
  agon::refuse_to_leave();
  agon::leave(status);
}
AGON_API void _Exit(int status) noexcept {
  _exit(status);
}
}
#endif
