#pragma once

#include <agon/agent.hpp>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <vector>

namespace agon {

/// Where replies of waiting agents arrive. It outlives the match as long as somebody may still
/// answer, so that a late answer touches nothing that is gone.
class Mailbox {
 public:
  struct Letter {
    std::uint32_t number = 0;
    int attempt = 0;
    Reply reply;
  };

  /// From now on replies to this question and attempt are wanted.
  void expect(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    expected_.push_back({number, attempt});
  }
  /// Replies to it are no longer wanted.
  void give_up(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    forget(number, attempt);
  }
  void deliver(std::uint32_t number, int attempt, Reply reply) {
    {
      const std::lock_guard lock(mutex_);
      if (!forget(number, attempt)) return;
      letters_.push_back({number, attempt, std::move(reply)});
    }
    arrived_.notify_one();
  }
  [[nodiscard]] bool wanted(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    for (const auto& e : expected_)
      if (e.number == number && e.attempt == attempt) return true;
    return false;
  }
  /// All letters there are. Sleeps until there is one, until `until`, or until it is to stop.
  std::vector<Letter> collect(std::chrono::steady_clock::time_point until,
                              const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto arrived = [this] { return !letters_.empty(); };
    if (until == std::chrono::steady_clock::time_point::max())
      arrived_.wait(lock, stop, arrived);
    else
      arrived_.wait_until(lock, stop, until, arrived);
    return std::exchange(letters_, {});
  }
  /// Nobody waits for anything any more.
  void close() {
    const std::lock_guard lock(mutex_);
    expected_.clear();
    letters_.clear();
  }

 private:
  struct Expected {
    std::uint32_t number;
    int attempt;
  };
  bool forget(std::uint32_t number, int attempt) {
    for (auto e = expected_.begin(); e != expected_.end(); ++e) {
      if (e->number == number && e->attempt == attempt) {
        expected_.erase(e);
        return true;
      }
    }
    return false;
  }

  std::mutex mutex_;
  std::condition_variable_any arrived_;
  std::vector<Expected> expected_;
  std::vector<Letter> letters_;
};

}  // namespace agon
