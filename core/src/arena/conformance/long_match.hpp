#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <stop_token>

#include "table/match.hpp"

namespace agon::conformance {

/// Stops a match that asks more than any needs to show whether a game is sound. Such a match is
/// passed over: it may be long, or never end.
class LongMatch {
 public:
  static constexpr std::uint64_t kMostQuestions = 5000;

  /// Counts a question.
  void asks() {
    if (++questions_ > kMostQuestions) stop();
  }
  /// Stops it for another reason.
  void stop() { stop_.request_stop(); }
  /// What stops the match.
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::uint64_t questions_ = 0;
  std::stop_source stop_;
};

/// Plays a match of agents that answer at once, up to that many questions.
[[nodiscard]] MatchResult play_some(MatchSetup match);

}  // namespace agon::conformance
