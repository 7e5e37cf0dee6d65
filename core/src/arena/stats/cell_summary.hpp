#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/bounded_mean.hpp"
#include "stats/contrast.hpp"

namespace agon::stats {

/// What a cell says by itself.
struct CellSummary {
  std::optional<double> value;  ///< absent: no data, a pie that is not positive, or no finite value
  bool lone = false;            ///< one unit holds all that a ratio is of: its error is unknown
  bool varies = false;          ///< the units differ by more than rounding
  double error = 0;             ///< standard error of the value, by the jackknife
  double skewness = 0;          ///< of the value, as the units' third moment tells it
  double degrees = 1;           ///< of freedom
  std::vector<double>
      influence;  ///< by unit of the stratum, over the error; empty if nothing varies
  std::optional<BoundedMean> bounded;  ///< where the range is open to all, if it was asked for
};

/// The influence of unit i is what leaving it out would change: with the ratio R = N/D of a term,
/// weight (n_i - R d_i) / (D - d_i), times (m - 1)/m for m units, summed over terms. The variance
/// is m/(m-1) times their sum of squares. For a mean that is the textbook variance.
/// Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapter 11.
/// `uniforms`: what bounded means are drawn with; null: none are made.
[[nodiscard]] CellSummary summarise(const Cell& cell, SortedUniforms* uniforms = nullptr);

}  // namespace agon::stats
