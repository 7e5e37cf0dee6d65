#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace agon::stats {

/// weight * (sum of numerators / sum of denominators) over the units of a stratum. A plain mean has
/// denominators of 1. A unit that says nothing about this ratio has 0 in both.
struct RatioTerm {
  double weight = 1;
  std::vector<double> numerator;    ///< one value a unit
  std::vector<double> denominator;  ///< one value a unit
};

/// A sum of ratios over the units of one stratum, such as an agent's mean over roles less the
/// reference's. The terms see the same units, so that what they share cancels.
struct Cell {
  std::size_t stratum = 0;
  std::vector<RatioTerm> terms;
  std::size_t blocks = 0;  ///< blocks behind the cell, for the result
  std::size_t units = 0;   ///< units that say something, for the result and the rule of ten
};

/// One cell's part in a contrast.
struct CellWeight {
  std::size_t cell = 0;
  double weight = 1;
};

/// A weighted sum of cells of different strata, which are resampled independently.
using Contrast = std::vector<CellWeight>;

/// What is estimated, from what. The strata are games.
struct BootstrapProblem {
  std::vector<std::size_t> units;   ///< number of units of each stratum
  std::vector<Cell> cells;          ///< every cell belongs to one stratum
  std::vector<Contrast> contrasts;  ///< a contrast has at most one cell of a stratum
};

/// The studentised bootstrap distributions of several contrasts, drawn jointly: resample b takes
/// the same units for all of them.
///
/// Per stratum, units are drawn with replacement, as many as there are. With the ratio R = N/D of a
/// term, unit i has the influence weight (n_i - R d_i) / D; a cell's variance is m/(m-1) times the
/// sum over units of the squared sum of influences (m: the cell's units), and a contrast's is the
/// weighted sum over its strata. The studentised value of a resample is t* = (R* - R) / se*.
/// Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), section 12.5; Davison and
/// Hinkley, "Bootstrap Methods and their Application" (1997), sections 2.7.2 and 5.2.
class StudentisedBootstrap {
 public:
  /// Runs every resample. Throws agon::Error for options out of range.
  StudentisedBootstrap(const BootstrapProblem& problem, const BootstrapOptions& options);

  /// Every contrast by itself: value, error, and the equal-tailed interval
  /// [R - t*_high se, R - t*_low se]. The p-value is (1 + #{|t*| >= |R/se|}) / (1 + resamples).
  [[nodiscard]] const std::vector<Estimate>& estimates() const { return estimates_; }

  /// Intervals that hold at the asked level for all of `family` (contrast indices) at once:
  /// R +- c se, where c is the quantile of the largest |t*| of the family in a resample. Romano and
  /// Wolf, Econometrica 73 (2005). Absent for members with a note.
  [[nodiscard]] std::vector<std::optional<Interval>> simultaneous(
      std::span<const std::size_t> family) const;

 private:
  BootstrapOptions options_;
  std::vector<Estimate> estimates_;
  std::vector<std::vector<double>> t_;  ///< [contrast][resample]; NaN: could not be evaluated
};

/// The order statistic at rank p (n + 1) of `sorted`, interpolated and kept inside the data.
[[nodiscard]] double order_statistic(std::span<const double> sorted, double p);

/// Throws agon::Error unless the level is inside (0, 1) and there is at least one resample.
void require_valid(const BootstrapOptions& options);

}  // namespace agon::stats
