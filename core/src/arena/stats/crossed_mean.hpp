#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <span>

#include "stats/estimate.hpp"

namespace agon::stats {

/// A value that shares something with the others of its row and of its column, such as a judge's
/// rating of a record.
struct CrossedValue {
  std::size_t row = 0;
  std::size_t column = 0;
  double value = 0;
};

/// Under this many rows or columns crossed_interval() gives none.
inline constexpr std::size_t kFewestCrossed = 3;

/// Confidence interval of the mean of values that depend on each other within rows and within
/// columns, both of which are draws from many. With e the values less their mean, and sums over
/// rows, columns and values, each times count / (count - 1),
///
///   n^2 se^2 = sum_r (sum of e in r)^2 + sum_c (sum of e in c)^2 - sum e^2,
///
/// or the larger of the first two sums if that is more; Student's t with one degree of freedom less
/// than rows or columns, whichever are fewer. Cameron, Gelbach and Miller, "Robust inference with
/// multiway clustering", Journal of Business and Economic Statistics 29 (2011), section 2. Nothing
/// under three rows or columns, or if all values are the same.
[[nodiscard]] AGON_API std::optional<Interval> crossed_interval(
    std::span<const CrossedValue> values, double level);

}  // namespace agon::stats
