#pragma once

#include <poll.h>

#include <agon/export.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace agon {

namespace text {
class Listener;
}
struct Playing;

/// What code finds without being given it: of the coroutine of a pool that it runs on, else of its
/// thread.
struct Surroundings {
  text::Listener* listener = nullptr;  ///< see text::Listening
  const Playing* playing = nullptr;    ///< the match that is played: see PlayingNote
};
[[nodiscard]] AGON_API Surroundings& surroundings();

/// Threads that run coroutines, any number on each. One that waits by a Condition leaves its thread
/// to the others; it never changes the thread.
class AGON_API CoroutinePool {
 public:
  /// Throws Error (failure) where the system gives no thread; fewer threads where it gives fewer.
  explicit CoroutinePool(std::size_t threads);
  CoroutinePool(const CoroutinePool&) = delete;
  CoroutinePool& operator=(const CoroutinePool&) = delete;
  /// Waits for all coroutines. Not from one of them.
  ~CoroutinePool();

  /// Runs `work`, which must not throw, on a coroutine: on the thread of the one that calls, else
  /// on the next in turn. Who listens to the caller hears what it tells. Throws Error (failure)
  /// where the system gives no memory.
  void start(std::function<void()> work);

  /// Coroutines that run, or will without waiting any more.
  [[nodiscard]] std::size_t busy() const;

  /// The one of this process, with a thread for each processor; it goes when nobody holds it.
  static std::shared_ptr<CoroutinePool> shared();

 private:
  friend class Condition;
  friend void run_on_thread_stack(const std::function<void()>& work);
  friend bool is_on_coroutine();
  friend bool poll_descriptors(std::span<pollfd> all, std::chrono::milliseconds time);
  class Thread;
  struct CoroutineTask;
  static CoroutineTask*& current();

  struct Stacks;
  std::unique_ptr<Stacks> stacks_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

/// Calls `work` on the stack of the thread itself, if this is a coroutine of a pool: for code that
/// needs a deep stack, or looks at where it is, as Python does. What it throws is thrown here.
/// `work` must not wait by a Condition.
AGON_API void run_on_thread_stack(const std::function<void()>& work);

/// Whether this is a coroutine of a pool.
[[nodiscard]] bool is_on_coroutine();

/// Waits by poll(2), at most so long, for something to happen; a coroutine of a pool leaves its
/// thread to the others meanwhile. True if something did. Nobody else may wait for the same
/// descriptors.
[[nodiscard]] bool poll_descriptors(std::span<pollfd> all, std::chrono::milliseconds time);

}  // namespace agon
