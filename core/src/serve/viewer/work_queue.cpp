#include "viewer/work_queue.hpp"

#include <utility>

namespace agon::serve {
namespace {

constexpr std::size_t kMostWaiting = 200;

}  // namespace

WorkQueue::WorkQueue() : thread_([this] { work(); }) {}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    waiting_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

bool WorkQueue::add(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  if (ending_ || waiting_.size() >= kMostWaiting) return false;
  waiting_.push_back(std::move(work));
  changed_.notify_one();
  return true;
}

void WorkQueue::work() {
  for (;;) {
    std::function<void()> next;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
      if (ending_) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
    }
    next();
  }
}

}  // namespace agon::serve
