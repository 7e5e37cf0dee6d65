#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>

namespace agon {

/// A condition variable for threads and for coroutines. A coroutine that waits (a match of a run
/// whose agents are waited for, work of a BackgroundWork) leaves its thread to others meanwhile, so
/// that ten thousand of them need no more threads than there are processors. No other lock may be
/// held while waiting: the next one who wants it may be on the same thread.
class AGON_API Condition {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kNoEnd = Clock::time_point::max();
  /// A signal can set a flag and no more: so often flags are looked at.
  static constexpr std::chrono::milliseconds kLook{50};

  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;
  /// Nobody may wait any more.
  ~Condition() = default;

  void notify_one() noexcept;
  void notify_all() noexcept;

  /// Waits until notified, until then, or until `*stop` is true (null: no such flag); may return
  /// early. `lock` is held before and after.
  void wait_until(std::unique_lock<std::mutex>& lock, Clock::time_point until,
                  const std::atomic<bool>* stop = nullptr) {
    sleep(lock, until, stop, {});
  }
  /// Waits until `is_so()`, which is called with the lock held.
  template <typename Predicate>
  void wait(std::unique_lock<std::mutex>& lock, Predicate is_so) {
    while (!is_so()) sleep(lock, kNoEnd, nullptr, {});
  }
  /// The same, at most until then, or until stop is requested. What `is_so()` says at the end.
  template <typename Predicate>
  bool wait_until(std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                  Clock::time_point until, Predicate is_so) {
    while (!is_so()) {
      if (stop.stop_requested() || Clock::now() >= until) return is_so();
      sleep(lock, until, nullptr, stop);
    }
    return true;
  }

 private:
  struct Waiter;
  void sleep(std::unique_lock<std::mutex>& lock, Clock::time_point until,
             const std::atomic<bool>* flag, const std::stop_token& stop);
  void append(Waiter& waiter);
  void remove(Waiter& waiter);
  void wake(Waiter& waiter);
  bool take_off(Waiter& waiter);

  std::mutex mutex_;
  Waiter* first_ = nullptr;
  Waiter* last_ = nullptr;
};

/// Work that an agent does while its questions wait, such as calls of models. Each piece is a
/// coroutine on threads that are shared by the process, one for each processor: what it waits for
/// by a Condition costs no thread. It has a stack of a megabyte.
class AGON_API BackgroundWork {
 public:
  BackgroundWork();
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;
  /// Waits until all of it is done. Not from within it.
  ~BackgroundWork();

  /// Runs `work`, which must not throw. Throws Error (failure) where the system gives no memory.
  void run(std::function<void()> work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace agon
