#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace agon::serve {

/// Does pieces of work one after the other on a thread of its own, so that the server's need not
/// wait for them.
class WorkQueue {
 public:
  WorkQueue();
  /// Finishes what it is at and drops the rest.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Puts a piece of work, which must not throw, behind the others; false if too many wait.
  [[nodiscard]] bool add(std::function<void()> work);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace agon::serve
