#pragma once

#include <mutex>
#include <string>

#include "llm/provider/clock.hpp"

namespace agon::llm {

/// Stops asking an endpoint that gives the very same server error every time, over and over, and
/// nothing else: calls then fail at once instead of filling up their tries. Every half minute one
/// call goes through to see whether it is over.
class Breaker {
 public:
  static constexpr int kFailures = 10;
  static constexpr std::chrono::seconds kPatience{60};
  static constexpr std::chrono::seconds kPause{30};

  /// False: the call is not to be sent.
  bool admits(Clock::Time now);
  /// The endpoint did something else than fail this way.
  void recovered();
  /// A server error; `signature` tells whether it is the same as the last.
  void failed(const std::string& signature, Clock::Time now);
  /// What it fails with.
  [[nodiscard]] std::string signature() const;

 private:
  mutable std::mutex mutex_;
  std::string signature_;
  int failures_ = 0;
  Clock::Time first_{};
  Clock::Time closed_until_ = Clock::Time::min();
  bool is_open_ = false;
};

}  // namespace agon::llm
