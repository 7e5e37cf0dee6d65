#pragma once

#include <algorithm>
#include <optional>

#include "archive/rows.hpp"
#include "stats/contrast.hpp"
#include "stats/estimate.hpp"

namespace agon::report {

/// What a metric's mean can be. A range of at most 1 is a share, a chance or a yes-or-no, and open
/// to all; wider ones are limits of what a game allows (up to 1000 rounds) and say nothing of how
/// far values go, so that they only cut intervals.
[[nodiscard]] inline stats::Range range_of(const archive::Metric& metric) {
  stats::Range range;
  if (metric.min) range.low = *metric.min;
  if (metric.max) range.high = *metric.max;
  range.open_to_all = metric.decimals == 0 && range.high - range.low <= 1;
  return range;
}

/// What normalised scores can be as they are counted, if both ends are declared: a forfeit, and
/// what is missing in the bounds, counts as 0. Nothing where the range tells nothing.
[[nodiscard]] inline std::optional<stats::Interval> score_range(std::optional<double> min,
                                                                std::optional<double> max) {
  if (!min || !max || *min < -stats::kFarthestRange || *max > stats::kFarthestRange)
    return std::nullopt;
  return stats::Interval{std::min(0.0, *min), std::max(0.0, *max)};
}

}  // namespace agon::report
