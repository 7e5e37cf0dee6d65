#pragma once

#include <algorithm>
#include <optional>

#include "archive/rows.hpp"
#include "stats/contrast.hpp"
#include "stats/estimate.hpp"

namespace agon::report {

/// What a metric's mean can be.
[[nodiscard]] inline stats::Range range_of(const archive::Metric& metric) {
  stats::Range range;
  if (metric.min) range.low = *metric.min;
  if (metric.max) range.high = *metric.max;
  return range;
}

/// Whether a metric may be a yes or no: where all its values are 0 or 1 it is taken for one.
[[nodiscard]] inline bool yes_or_no(const archive::Metric& metric) {
  return metric.decimals == 0 && metric.min == 0.0 && metric.max == 1.0;
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
