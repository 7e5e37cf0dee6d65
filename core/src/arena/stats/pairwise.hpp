#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/match_result.hpp"

namespace agon::stats {

/// How one agent fared against another at the tables where both sat.
struct PairwiseRow {
  std::string agent;
  std::string opponent;
  std::size_t meetings = 0;  ///< pairs of seats: two copies of the opponent are two meetings
  std::size_t wins = 0;      ///< meetings in which the agent scored more
  std::size_t ties = 0;      ///< meetings with equal scores
  std::size_t losses = 0;    ///< meetings in which the agent scored less
  /// Mean score difference: over a block's meetings, then over a game's blocks, then over games.
  /// Studentised interval over blocks, stratified by game.
  Estimate difference;
};

/// Every ordered pair of different agents that met, in alphabetical order. Scores of several games
/// are only to be mixed if they are on one scale. Throws agon::Error for a score that is not
/// finite.
[[nodiscard]] AGON_API std::vector<PairwiseRow> pairwise_table(std::span<const MatchResult> matches,
                                                               const BootstrapOptions& options);

}  // namespace agon::stats
