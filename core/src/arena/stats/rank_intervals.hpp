#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "stats/score_table.hpp"

namespace agon::stats {

/// The ranks that an agent may have by its true score: 1 is best.
struct RankInterval {
  std::size_t low = 0;   ///< one more than agents that are better for sure
  std::size_t high = 0;  ///< as many as agents that are not worse for sure, itself among them
};

/// By ScoreTable::agents(), for those that played every game: the ranks that all pairwise
/// differences at once leave open. Differences are paired, means over games, each game weighing the
/// same; one agent is better than another for sure if the interval of their difference that holds
/// for all pairs at once leaves out 0. So with the chance `level` every agent's true rank is inside
/// (Mogstad, Romano, Shaikh and Wilhelm, "Inference for Ranks ...", Review of Economic Studies 91,
/// 2024). A pair without an interval leaves both open.
[[nodiscard]] AGON_API std::vector<std::optional<RankInterval>> rank_intervals(
    const ScoreTable& table, const IntervalOptions& options);

}  // namespace agon::stats
