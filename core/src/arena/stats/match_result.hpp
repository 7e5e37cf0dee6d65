#pragma once

#include <string>
#include <vector>

namespace agon::stats {

/// One seat's end of a match. Higher scores are better; equal scores are ties.
struct SeatResult {
  std::string agent;
  double score = 0;
};

/// One finished match, for the estimators that work on who beat whom.
struct MatchResult {
  std::string game;
  std::string block;
  std::string cluster;  ///< what blocks may share, such as an item; empty: the block is by itself
  std::vector<SeatResult> seats;
};

}  // namespace agon::stats
