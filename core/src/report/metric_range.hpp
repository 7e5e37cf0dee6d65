#pragma once

#include "archive/rows.hpp"
#include "stats/contrast.hpp"

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

}  // namespace agon::report
