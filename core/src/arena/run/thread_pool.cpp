#include "run/thread_pool.hpp"

#include <system_error>
#include <utility>

#include "process/no_thread.hpp"

namespace agon {

ThreadPool::ThreadPool(int wanted, std::function<void(int number)> work) : work_(std::move(work)) {
  threads_.reserve(static_cast<std::size_t>(wanted));
  const std::lock_guard lock(mutex_);  // nobody is counted out before all are counted in
  for (int number = 0; number < wanted; ++number) {
    try {
      threads_.emplace_back([this, number] { serve(number); });
    } catch (const std::system_error&) {
      if (number > 0) break;
      throw no_thread("no thread to work in");
    }
    ++working_;
  }
}

void ThreadPool::serve(int number) {
  std::exception_ptr failure;
  try {
    work_(number);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  if (failure && !failure_) failure_ = std::move(failure);
  --working_;
  done_.notify_all();
}

bool ThreadPool::is_done_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return done_.wait_for(lock, time, [this] { return working_ == 0; });
}

void ThreadPool::finish() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace agon
