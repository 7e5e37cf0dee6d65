#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace agon::llm {

/// Whether somebody wants the process to end: then nothing is waited for any more.
class StopFlag {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// A signal sets a flag and wakes nobody: whoever waits looks so often.
  static constexpr std::chrono::milliseconds kLook{50};

  StopFlag() = default;
  explicit StopFlag(const std::atomic<bool>* flag) : flag_(flag) {}

  [[nodiscard]] bool asked() const {
    return flag_ != nullptr && flag_->load(std::memory_order_relaxed);
  }
  /// How long to wait before looking again, on the way to `until`.
  [[nodiscard]] Time next_look(Time now, Time until) const {
    return flag_ == nullptr ? until : std::min(until, now + kLook);
  }
  [[nodiscard]] const std::atomic<bool>* flag() const { return flag_; }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

/// What a call says that was not made, or not waited for, because of that.
inline constexpr const char* kStopped = "the run is being stopped";

}  // namespace agon::llm
