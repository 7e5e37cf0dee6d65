#pragma once

#include <sys/types.h>

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <agon/process.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace agon {

/// The system gives no thread; `which` it does not give: "no thread to work in".
[[nodiscard]] inline Error no_thread(const std::string& which) {
  return {ErrorKind::failure, "the system gives " + which, "",
          "close other programs, or raise the limits (`ulimit -u`, `ulimit -v`)"};
}

/// A thread that starts programs, and lives as long as they may: the system ends a program that is
/// locked in when the thread that started it ends, so that none is left when the arena is killed.
class AGON_API StartingThread {
 public:
  StartingThread();
  ~StartingThread();
  StartingThread(const StartingThread&) = delete;
  StartingThread& operator=(const StartingThread&) = delete;

  /// Runs `start` there and waits for it. What it throws is thrown here. From any thread.
  void run(const std::function<void()>& start);

 private:
  struct Impl;
  std::unique_ptr<Impl> state_;
};

/// Ends the process groups of programs that play when the arena is gone without having ended them,
/// as after kill -9: a program need not read its input, and may have children. A process of its own
/// (`agon-worker watch`) knows the groups, and hears of the arena's end by the end of a socket.
class GroupWatch {
 public:
  /// What that process reads.
  struct GroupMessage {
    pid_t group;
    bool begins;
  };

  static GroupWatch& get();
  GroupWatch(const GroupWatch&) = delete;
  GroupWatch& operator=(const GroupWatch&) = delete;

  /// From any thread. Where the process cannot be started, nothing is watched.
  void add(pid_t group) { tell({group, true}); }
  /// It has ended, and its number may be given to others.
  void remove(pid_t group) { tell({group, false}); }

 private:
  GroupWatch() = default;
  ~GroupWatch() = default;
  void start();
  void tell(const GroupMessage& message);

  std::mutex mutex_;
  bool started_ = false;
  int socket_ = -1;
};

/// A bound on the memory of processes together. A thread looks at what each has, and ends the one
/// that has the most when all have more than the bound. The less is left, the sooner it looks
/// again. Where the system does not show the memory of processes, nothing is bounded.
class AGON_API MemoryWatch {
 public:
  /// One process that is looked at.
  struct Watched;

  /// Throws Error where there is no thread for it.
  explicit MemoryWatch(std::int64_t most_mib);
  ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  /// Looks at a child of this process from here on, for as long as what is returned lives. The
  /// child must not have been waited for.
  [[nodiscard]] std::shared_ptr<Watched> add(pid_t child);
  /// Why the process was ended, as the end of a sentence; empty: it was not ended by this.
  [[nodiscard]] std::string why_ended(const Watched& one) const;

  /// When to look again: before as much could be written as is left, but neither all the time nor
  /// seldom.
  [[nodiscard]] static std::chrono::microseconds next_look(std::int64_t bytes_left);

 private:
  struct Processes;
  std::unique_ptr<Processes> processes_;
};

/// A process that is looked at.
class WatchedProcess : public Process {
 public:
  /// `watch` may be null: then it is not.
  WatchedProcess(const std::vector<std::string>& words, const std::string& folder,
                 std::vector<std::string> environment, std::shared_ptr<MemoryWatch> watch)
      : Process(words, folder, std::move(environment)),
        watch_(std::move(watch)),
        watched_(watch_ == nullptr ? nullptr : watch_->add(id())) {}

  /// See MemoryWatch.
  [[nodiscard]] std::string why_ended() const {
    return watched_ == nullptr ? std::string() : watch_->why_ended(*watched_);
  }

 private:
  std::shared_ptr<MemoryWatch> watch_;
  std::shared_ptr<MemoryWatch::Watched> watched_;
};

}  // namespace agon
