#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "task/coroutine_pool.hpp"
#include "text/say.hpp"

namespace agon {

/// The exit code of what somebody interrupted.
inline constexpr int kInterrupted = 130;

/// Jobs that share one piece of work. What they take from it, and when they stop, is the work's
/// own business; one that throws does not stop the others. Who listens to the thread that makes
/// them hears what they tell.
class Jobs {
 public:
  /// What each of them runs on.
  enum class On : std::uint8_t {
    thread,
    coroutine,  ///< of the shared CoroutinePool: where they wait, by a Condition, most of the time
  };
  /// Each job calls `work` once, with its number from 0. There are fewer than `wanted` (at least 1)
  /// where the system gives no more threads or memory. Throws Error if it gives none.
  AGON_API Jobs(int wanted, std::function<void(int number)> work, On on = On::thread);
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;
  /// Waits for all of them.
  AGON_API ~Jobs();

  [[nodiscard]] int size() const { return size_; }
  /// Waits at most so long. True if all are done.
  [[nodiscard]] AGON_API bool is_done_within(std::chrono::milliseconds time);
  /// Waits for all of them, and throws what the first that threw did.
  AGON_API void finish();

 private:
  void start(int number);
  void serve(int number);

  const std::function<void(int)> work_;
  const std::shared_ptr<CoroutinePool> coroutines_;  ///< null: threads
  text::Listener* const listener_ = text::Listening::current();
  int size_ = 0;
  std::mutex mutex_;
  std::condition_variable done_;
  int working_ = 0;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  ///< last: they use all of the above
};

/// How a run is asked to stop.
struct StopFlags {
  std::atomic<bool> asked{false};     ///< no new matches
  std::atomic<bool> insisted{false};  ///< not even the present ones to the end
  std::atomic<bool> begun{false};     ///< matches are played: who plays them heeds the others
};

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP ask the run to stop instead of ending the
/// process: once, to finish what is in flight; twice, to leave it. A third one ends the process
/// there and then, whatever hangs. Before begin(), one is enough: what has not ended two seconds
/// after it, such as the reading of a suite, is ended with exit code 130. One at a time. The flags
/// outlive it.
class AGON_API Interrupt {
 public:
  /// `given`: flags that another program sets; signals are its own business then. Null: signals
  /// set them.
  explicit Interrupt(StopFlags* given = nullptr);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  /// From now on matches are played, and a signal is left to who plays them.
  void begin() const;

  [[nodiscard]] const StopFlags& flags() const;
  /// One of the flags.
  [[nodiscard]] const std::atomic<bool>& asked() const { return flags().asked; }

 private:
  StopFlags* given_;
};

/// How far a run has come, on standard error: on a terminal one line that is rewritten, elsewhere a
/// line every ten seconds; nothing in the first half second. Who listens is shown the figures.
class AGON_API Progress {
 public:
  Progress(std::uint64_t total, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` of the total, of which `before` were finished before this run began.
  void show(std::uint64_t done, std::uint64_t before, std::uint64_t troubled);
  /// Takes the line away, for other output.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  std::uint64_t total_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace agon
