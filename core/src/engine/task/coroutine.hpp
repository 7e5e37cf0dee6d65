#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace agon {

/// Stacks of coroutines, kept for the next ones. Each has a page below it that nobody may touch, so
/// that a stack that is too small ends the process instead of spoiling another. From any thread.
class AGON_API StackPool {
 public:
  /// Bytes of address space of a stack: the deepest shipped game needs a quarter of it. Memory is
  /// taken for what is touched.
  static constexpr std::size_t kStack = std::size_t{1} << 20U;

  StackPool() = default;
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  /// The lowest byte of a stack. Throws Error (failure) where the system gives no more.
  char* take();
  void give_back(char* stack) noexcept;

 private:
  static constexpr std::size_t kMostAtOnce = 32;

  std::mutex mutex_;
  std::size_t at_once_ = 1;  ///< stacks of the next mapping
  std::vector<char*> free_;
  std::vector<std::pair<void*, std::size_t>> mapped_;
};

/// A function on a stack of its own, which can be left in the middle and gone on with. It must have
/// ended before it is destroyed: who gives it up makes it end.
class AGON_API Coroutine {
 public:
  Coroutine(StackPool& pool, std::function<void()> body);
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;
  ~Coroutine();

  [[nodiscard]] bool has_ended() const;
  /// Goes on with it, until it suspends itself or ends. Not from within.
  void resume();
  /// From within: goes back to where it was resumed.
  void suspend();
  /// While it is suspended: gives what of its stack is not in use back to the system.
  void trim() noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> state_;
};

}  // namespace agon
