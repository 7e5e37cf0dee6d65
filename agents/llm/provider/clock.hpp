#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "llm/provider/stop_flag.hpp"

namespace agon::llm {

/// Time as the retries and limits see it, so that tests need not wait.
class Clock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  [[nodiscard]] virtual Time now() const = 0;
  /// Milliseconds since 1970.
  [[nodiscard]] virtual std::int64_t milliseconds_since_1970() const = 0;
  /// Waits until then, or until woken through `wake`; may return early. `lock` is held before and
  /// after.
  virtual void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake,
                    Time until) = 0;
  /// Waits until then, or until somebody wants to stop.
  void sleep_until(Time until, const StopFlag& stop = {});
};

/// Time as it passes.
class RealClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override;
  [[nodiscard]] std::int64_t milliseconds_since_1970() const override;
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Time until) override;
};

/// Time that passes only by being waited for. One thread each.
class CountedClock final : public Clock {
 public:
  [[nodiscard]] Time now() const override { return now_; }
  [[nodiscard]] std::int64_t milliseconds_since_1970() const override;
  void wait(std::unique_lock<std::mutex>& lock, std::condition_variable& wake, Time until) override;

 private:
  Time begun_ = std::chrono::steady_clock::now();
  Time now_ = begun_;
};

}  // namespace agon::llm
