#pragma once

#include <agon/agent.hpp>
#include <agon/waiting.hpp>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace agon {

/// Where replies of waiting agents arrive. It outlives the match as long as somebody may still
/// answer, so that a late answer touches nothing that is gone.
class Mailbox {
 public:
  using Clock = std::chrono::steady_clock;
  struct Letter {
    std::uint32_t number = 0;
    int attempt = 0;
    Reply reply;
  };

  /// From now on replies to this question and attempt are wanted.
  void expect(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    expected_.push_back({number, attempt, Clock::now()});
  }
  /// It waits for its turn until begin(), if it is wanted.
  void hold(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    for (AwaitedReply& e : expected_)
      if (e.number == number && e.attempt == attempt) e.begun = Clock::time_point::max();
  }
  void begin(std::uint32_t number, int attempt) {
    {
      const std::lock_guard lock(mutex_);
      for (AwaitedReply& e : expected_)
        if (e.number == number && e.attempt == attempt) e.begun = Clock::now();
      began_ = true;
    }
    arrived_.notify_one();
  }
  /// When it was put; as far off as can be while it waits for its turn.
  [[nodiscard]] Clock::time_point begun(std::uint32_t number, int attempt) {
    const std::lock_guard lock(mutex_);
    for (const AwaitedReply& e : expected_)
      if (e.number == number && e.attempt == attempt) return e.begun;
    return Clock::now();
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
  /// All letters there are. Sleeps until there is one or a question is put, until `until`, or until
  /// it is to stop.
  std::vector<Letter> collect(Clock::time_point until, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    arrived_.wait_until(lock, stop, until, [this] { return !letters_.empty() || began_; });
    began_ = false;
    return std::exchange(letters_, {});
  }
  /// Nobody waits for anything any more.
  void close() {
    const std::lock_guard lock(mutex_);
    expected_.clear();
    letters_.clear();
  }

 private:
  struct AwaitedReply {
    std::uint32_t number;
    int attempt;
    Clock::time_point begun;
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
  Condition arrived_;
  std::vector<AwaitedReply> expected_;
  std::vector<Letter> letters_;
  bool began_ = false;  ///< a question was put since somebody looked
};

}  // namespace agon
