#include "run/play/crash.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <agon/export.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>

#include "process/sanitized.hpp"
#include "task/coroutine_pool.hpp"

namespace agon {
namespace {

namespace fs = std::filesystem;

/// The file begins with this; then come the slots. A file of another build has another size of them
/// and is nobody's loss.
struct Head {
  char magic[16];
  std::uint64_t slot_bytes;
};
constexpr char kMagic[16] = "agon playing 1";

std::vector<PlayingSlot*> slots_in(std::string& bytes) {
  std::vector<PlayingSlot*> slots;
  Head head{};
  if (bytes.size() < sizeof head) return slots;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (std::memcmp(head.magic, kMagic, sizeof kMagic) != 0 || head.slot_bytes != sizeof(PlayingSlot))
    return slots;
  for (std::size_t at = sizeof head; at + sizeof(PlayingSlot) <= bytes.size();
       at += sizeof(PlayingSlot))
    slots.push_back(reinterpret_cast<PlayingSlot*>(bytes.data() + at));
  return slots;
}

bool was_running(const PlayingSlot& slot) {
  if (slot.trace.doing() != MatchTrace::Doing::playing) return false;
  return slot.ended_by != 0 || (!slot.left && (!slot.waits || slot.looks >= 2));
}

/// Who is to blame, out of what was being played when a run went down.
std::vector<Suspect> suspects_among(const std::vector<PlayingSlot*>& slots) {
  std::vector<Suspect> suspects;
  const auto find = [&](const archive::MatchId& match) {
    return std::find_if(suspects.begin(), suspects.end(),
                        [&](const Suspect& s) { return s.match == match; });
  };
  for (const PlayingSlot* slot : slots)
    if (slot->times > 0)
      suspects.push_back({slot->match, slot->scenario, slot->planned, slot->times, slot->ended_by,
                          std::string(slot->trace.stage())});
  std::vector<const PlayingSlot*> here;
  for (const PlayingSlot* slot : slots)
    if (slot->times == 0 && was_running(*slot)) here.push_back(slot);
  const bool is_known = std::any_of(here.begin(), here.end(),
                                    [](const PlayingSlot* slot) { return slot->ended_by != 0; });
  if (is_known) std::erase_if(here, [](const PlayingSlot* slot) { return slot->ended_by == 0; });
  for (const PlayingSlot* slot : here) {
    auto at = find(slot->match);
    if (at == suspects.end())
      at = suspects.insert(suspects.end(), {slot->match, slot->scenario, slot->planned, 0, 0, {}});
    // One among several that may have done it is not counted twice for being there.
    at->times =
        here.size() == 1 || is_known ? at->times + 1 : std::max<std::uint64_t>(1, at->times);
    at->ended_by = slot->ended_by;
    at->stage = slot->trace.stage();
  }
  return suspects;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

PlayingFile::PlayingFile(const fs::path& archive, int threads)
    : path_(archive.string() + ".playing") {
  std::string left = read(path_);
  suspects_ = suspects_among(slots_in(left));
  map(static_cast<std::size_t>(std::max(1, threads)) + suspects_.size());
  for (std::size_t i = 0; mapped_ != nullptr && i < suspects_.size(); ++i) {
    const Suspect& suspect = suspects_[i];
    PlayingSlot* slot = take();
    slot->match = suspect.match;
    slot->scenario = suspect.scenario;
    slot->planned = suspect.planned;
    slot->times = suspect.times;
    slot->ended_by = suspect.ended_by;
    slot->trace.asks(suspect.stage);
    of_suspects_.push_back(slot);
  }
}

void PlayingFile::map(std::size_t slots) {
  // Beside it first: a process that goes down here leaves the suspects of before.
  const std::string part = path_.string() + ".new";
  const int file = open(part.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  bytes_ = sizeof(Head) + slots * sizeof(PlayingSlot);
  // A hole in a mapped file on a full disk would be a signal, and not an error.
  if (posix_fallocate(file, 0, static_cast<off_t>(bytes_)) == 0) {
    void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) mapped_ = mapped;
  }
  close(file);
  if (mapped_ == nullptr) {
    unlink(part.c_str());
    return;
  }
  auto* head = static_cast<Head*>(mapped_);
  std::memcpy(head->magic, kMagic, sizeof kMagic);
  head->slot_bytes = sizeof(PlayingSlot);
  for (std::size_t i = slots; i-- > 0;) free_.push_back(new (this->slots() + i) PlayingSlot());
  std::error_code none;
  fs::rename(part, path_, none);
}

PlayingSlot* PlayingFile::slots() const {
  return reinterpret_cast<PlayingSlot*>(static_cast<char*>(mapped_) + sizeof(Head));
}

PlayingFile::~PlayingFile() {
  if (mapped_ == nullptr) return;
  munmap(mapped_, bytes_);
  if (of_suspects_.empty()) unlink(path_.c_str());
}

void PlayingFile::clear(const archive::MatchId& match) {
  const std::lock_guard lock(mutex_);
  std::erase_if(of_suspects_, [&](PlayingSlot* slot) {
    if (slot->match != match) return false;
    slot->times = 0;
    return true;
  });
}

void PlayingFile::look() {
  if (mapped_ == nullptr) return;
  for (std::size_t i = 0; i < (bytes_ - sizeof(Head)) / sizeof(PlayingSlot); ++i) {
    PlayingSlot& slot = slots()[i];
    const std::uint32_t turn = slot.trace.turns();
    const bool is_same = slot.turn == turn && slot.trace.doing() == MatchTrace::Doing::playing;
    slot.looks = is_same ? slot.looks + 1 : 0;
    slot.turn = turn;
  }
}

void PlayingFile::leave() {
  if (mapped_ == nullptr) return;
  for (std::size_t i = 0; i < (bytes_ - sizeof(Head)) / sizeof(PlayingSlot); ++i)
    slots()[i].left = true;
}

PlayingSlot* PlayingFile::take() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  PlayingSlot* slot = free_.back();
  free_.pop_back();
  return slot;
}

void PlayingFile::give_back(PlayingSlot* slot) {
  const std::lock_guard lock(mutex_);
  free_.push_back(slot);
}

std::string describe(const Suspect& suspect) {
  std::string text = suspect.ended_by == PlayingFile::kLeft ? "exit() was called"
                     : suspect.ended_by > 0 ? std::string(name_of_signal(suspect.ended_by))
                                            : "the process ended without a word, as by kill -9, "
                                              "for want of memory, or by _exit()";
  return text + (suspect.stage.empty() ? ", before its first question"
                                       : ", after a question of stage " + suspect.stage);
}

std::string_view name_of_signal(int signal) {
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

namespace {

// A signal handler reaches nothing but what has static storage.
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
  const Playing& p = *surroundings().playing;
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
  if (PlayingSlot* const slot = surroundings().playing->slot) slot->ended_by = ended_by;
  tell(what);
  let_writing_finish();
}

bool is_playing() {
  return surroundings().playing != nullptr && g_active.load() == getpid();
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
  if (is_first && surroundings().playing != nullptr)
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
    surroundings().playing = &playing_;
  }
}
PlayingNote::~PlayingNote() {
  surroundings().playing = nullptr;
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
