#include "process/children.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "plugin/search_path.hpp"

namespace agon {

struct StartingThread::Impl {
  std::mutex callers;  ///< one at a time
  std::mutex mutex;
  std::condition_variable_any changed;
  const std::function<void()>* task = nullptr;  ///< to be done
  std::exception_ptr problem;
  std::jthread thread{[this](const std::stop_token& stop) { work(stop); }};

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, stop, [this] { return task != nullptr; })) {
      try {
        (*task)();
      } catch (...) {
        problem = std::current_exception();
      }
      task = nullptr;
      changed.notify_all();
    }
  }
};

StartingThread::StartingThread() try : state_(std::make_unique<Impl>()) {
} catch (const std::system_error&) {
  throw no_thread("no thread to start programs from");
}

StartingThread::~StartingThread() = default;

void StartingThread::run(const std::function<void()>& start) {
  const std::scoped_lock alone(state_->callers);
  std::unique_lock lock(state_->mutex);
  state_->task = &start;
  state_->changed.notify_all();
  state_->changed.wait(lock, [this] { return state_->task == nullptr; });
  if (const std::exception_ptr problem = std::exchange(state_->problem, nullptr))
    std::rethrow_exception(problem);
}

// It outlives whatever still ends programs while this process ends.
GroupWatch& GroupWatch::get() {
  static GroupWatch& one = *new GroupWatch;
  return one;
}

void GroupWatch::start() {
  started_ = true;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  std::string program = (plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string();
  std::string mode = "watch";
  const std::array<char*, 3> words{program.data(), mode.data(), nullptr};
  char* const nothing = nullptr;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Ctrl-C at a terminal reaches the arena's group and not this one.
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, &attributes, words.data(), &nothing);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (error == 0)
    socket_ = ends[0];
  else
    close(ends[0]);
}

void GroupWatch::tell(const GroupMessage& message) {
  const std::lock_guard lock(mutex_);
  if (!started_) start();
  if (socket_ >= 0) static_cast<void>(!send(socket_, &message, sizeof message, MSG_NOSIGNAL));
}

namespace {

using std::chrono::microseconds;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
/// What one processor writes of fresh memory in a second, at most.
constexpr std::int64_t kWritten = std::int64_t{4} << 30;
constexpr microseconds kSoonest{2000}, kLatest{50000};
/// Memory of the system that a thread takes: its stack there, and what is known of it.
constexpr std::int64_t kOfThread = std::int64_t{32} << 10;

/// A line "VmPTE:\t      44 kB" of what the system says of a process; 0 if it has none.
std::int64_t number_of(std::string_view status, std::string_view name) {
  std::size_t at = status.find(name);
  if (at == std::string_view::npos) return 0;
  at = status.find_first_not_of(" \t", at + name.size());
  std::int64_t number = 0;
  if (at != std::string_view::npos)
    (void)std::from_chars(status.data() + at, status.data() + status.size(), number);
  return number;
}

}  // namespace

struct MemoryWatch::Watched {
  explicit Watched(pid_t child)
      : folder(open(("/proc/" + std::to_string(child)).c_str(), O_DIRECTORY | O_CLOEXEC)) {}
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  ~Watched() {
    if (folder >= 0) close(folder);
  }

  /// What it has that is nobody else's and cannot be read again from a file, in bytes.
  [[nodiscard]] std::int64_t taken() const {
    const int file = openat(folder, "status", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    std::array<char, 4096> bytes{};
    const ssize_t n = read(file, bytes.data(), bytes.size());
    close(file);
    const std::string_view status(bytes.data(), n < 0 ? 0 : static_cast<std::size_t>(n));
    std::int64_t kib = 0;
    for (const char* name : {"\nRssAnon:", "\nRssShmem:", "\nVmSwap:", "\nVmPTE:"})
      kib += number_of(status, name);
    return (kib << 10) + kOfThread * number_of(status, "\nThreads:");
  }

  const int folder;  ///< /proc/PID: of this process, even if another has its number later
  std::atomic<std::int64_t> ended_with{0};  ///< bytes that it had when it was ended; 0: it was not
};

struct MemoryWatch::Processes {
  explicit Processes(std::int64_t bound) : most(bound) {}

  const std::int64_t most;  ///< bytes
  std::mutex mutex;
  std::condition_variable_any changed;
  std::vector<std::weak_ptr<Watched>> all;
  std::jthread thread{[this](const std::stop_token& stop) { work(stop); }};

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, stop, [this] { return !all.empty(); })) {
      std::erase_if(all, [](const auto& one) { return one.expired(); });
      const std::vector<std::weak_ptr<Watched>> now = all;
      lock.unlock();
      const std::int64_t left = look(now);
      lock.lock();
      changed.wait_for(lock, stop, next_look(left), [] { return false; });
    }
  }

  /// Ends as many as are too many, the largest first. What is left of the bound, in bytes.
  [[nodiscard]] std::int64_t look(const std::vector<std::weak_ptr<Watched>>& now) const {
    struct Seen {
      std::shared_ptr<Watched> one;
      std::int64_t bytes;
    };
    std::vector<Seen> seen;
    std::int64_t together = 0;
    for (const auto& weak : now) {
      // One that is being ended takes nothing more.
      std::shared_ptr<Watched> one = weak.lock();
      if (one == nullptr || one->ended_with != 0) continue;
      const std::int64_t bytes = one->taken();
      together += bytes;
      seen.push_back({std::move(one), bytes});
    }
    if (together <= most) return most - together;
    std::sort(seen.begin(), seen.end(),
              [](const Seen& a, const Seen& b) { return a.bytes > b.bytes; });
    for (const auto& [one, bytes] : seen) {
      if (together <= most) break;
      one->ended_with = bytes;
      syscall(SYS_pidfd_send_signal, one->folder, SIGKILL, nullptr, 0);
      together -= bytes;
    }
    return most - together;
  }
};

MemoryWatch::MemoryWatch(std::int64_t most_mib) try
    : processes_(std::make_unique<Processes>(most_mib * kMiB)) {
} catch (const std::system_error&) {
  throw no_thread("no thread to look at the memory of games");
}

MemoryWatch::~MemoryWatch() = default;

std::shared_ptr<MemoryWatch::Watched> MemoryWatch::add(pid_t child) {
  auto one = std::make_shared<Watched>(child);
  if (one->folder < 0) return one;
  const std::lock_guard lock(processes_->mutex);
  processes_->all.push_back(one);
  processes_->changed.notify_all();
  return one;
}

std::string MemoryWatch::why_ended(const Watched& one) const {
  if (one.ended_with == 0) return {};
  return "all processes of games together took more than " +
         std::to_string(processes_->most / kMiB) +
         " MiB (sandbox.limits.total_memory), and it had the most, " +
         std::to_string(one.ended_with / kMiB) + " MiB";
}

microseconds MemoryWatch::next_look(std::int64_t bytes_left) {
  const std::int64_t per_second = kWritten * std::max(1U, std::thread::hardware_concurrency());
  const double seconds = static_cast<double>(bytes_left) / static_cast<double>(per_second);
  return std::clamp(microseconds(static_cast<std::int64_t>(seconds * 1e6)), kSoonest, kLatest);
}

}  // namespace agon
