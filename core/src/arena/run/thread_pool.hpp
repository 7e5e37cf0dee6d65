#pragma once

#include <agon/export.hpp>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace agon {

/// Threads that share one piece of work. What they take from it, and when they stop, is the work's
/// own business; one that throws does not stop the others.
class AGON_API ThreadPool {
 public:
  /// Each thread calls `work` once, with its number from 0. The pool is smaller than `wanted` (at
  /// least 1) where the system gives no more threads. Throws Error if it gives none.
  ThreadPool(int wanted, std::function<void(int number)> work);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// Waits for all of them.
  ~ThreadPool() = default;

  [[nodiscard]] int size() const { return static_cast<int>(threads_.size()); }
  /// Waits at most so long. True if all are done.
  [[nodiscard]] bool is_done_within(std::chrono::milliseconds time);
  /// Waits for all of them, and throws what the first that threw did.
  void finish();

 private:
  void serve(int number);

  const std::function<void(int)> work_;
  std::mutex mutex_;
  std::condition_variable done_;
  int working_ = 0;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  ///< last: they use all of the above
};

}  // namespace agon
