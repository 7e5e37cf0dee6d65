#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "llm/provider/clock.hpp"

namespace agon::llm {

/// How many calls may be in flight at one endpoint. It begins with a few and grows with each
/// success, doubling a round trip until the endpoint first says that it is too much, by one a round
/// trip from then on. Too much takes a fifth away, at most once in 15 seconds: the replies that
/// come in meanwhile speak of what has been sent before.
class Limiter {
 public:
  static constexpr int kFirst = 64;
  static constexpr double kShrink = 0.8;
  static constexpr std::chrono::seconds kDebounce{15};

  explicit Limiter(int most);
  Limiter(const Limiter&) = delete;
  Limiter& operator=(const Limiter&) = delete;

  /// From now on `most` calls at most, unless fewer were allowed already. Those in flight stay.
  void bound(int most);

  /// Waits for leave to send; false when `deadline` or a wish to stop comes first, and at once
  /// where nothing may be sent before the deadline. Each leave is followed by one release().
  bool acquire(Clock& clock, Clock::Time deadline, const StopFlag& stop = {});
  void release();
  void succeeded();
  /// The endpoint said that it is too much.
  void rate_limited(Clock::Time now);
  /// Nothing is sent before then.
  void pause_until(Clock::Time time);

  /// For how long nothing may be sent, in seconds; 0 if something may.
  [[nodiscard]] double pause_left_s(const Clock& clock) const;
  [[nodiscard]] int limit() const;
  [[nodiscard]] int in_flight() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  double most_;
  double limit_;
  bool has_shrunk_ = false;
  int in_flight_ = 0;
  Clock::Time paused_until_ = Clock::Time::min();
  Clock::Time last_shrink_ = Clock::Time::min();
};

}  // namespace agon::llm
