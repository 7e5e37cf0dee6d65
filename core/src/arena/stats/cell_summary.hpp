#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/contrast.hpp"
#include "stats/estimate.hpp"

namespace agon::stats {

/// Units that take two values only, so that their mean is a share.
struct TwoValues {
  double low = 0;
  double high = 0;
  std::size_t highs = 0;  ///< units with the higher one
  std::size_t units = 0;
};

/// What a cell says by itself.
struct CellSummary {
  std::optional<double> value;  ///< absent: no data, a pie that is not positive, or no finite value
  bool lone = false;            ///< one unit holds nearly all that a ratio is of
  bool varies = false;          ///< the units differ by more than rounding
  double error = 0;             ///< standard error of the value, by the jackknife
  double skewness = 0;          ///< of the value, as the units' third moment tells it
  double degrees = 1;           ///< of freedom
  double effective_n = 0;       ///< 1 / (sum of squared shares of the units); 0 without a value
  double largest_share = 0;     ///< of one unit in the value
  std::size_t largest_unit = 0;
  std::size_t fewest_units = 0;   ///< of a term
  std::size_t fewest_term = 0;    ///< which one that is
  std::vector<double> influence;  ///< by unit of the stratum, over the error; empty: nothing varies
  /// From the lowest to the highest value of a unit by itself; absent where a unit has none.
  std::optional<Interval> hull;
  std::optional<TwoValues> two;
  UnitsWon won;  ///< units whose own value is above, at and below 0
};

/// The influence of unit i is what leaving it out would change: with the ratio R = N/D of a term,
/// weight (n_i - R d_i) / (D - d_i), times (m - 1)/m for the term's m units, less their mean,
/// summed over terms. The variance is the sum of squares of these times sqrt(m / (m - 1)). For a
/// mean that is the textbook variance. Efron and Tibshirani, "An Introduction to the Bootstrap"
/// (1993), chapter 11.
///
/// Terms of the same units are a part. A part has 1 / (sum of squared shares) effective units, and
/// one degree of freedom less; the parts' degrees are put together as Satterthwaite's (Biometrics
/// Bulletin 2, 1946).
///
/// A difference that is the same c in all m units has the error that it would have if one more unit
/// said -c.
[[nodiscard]] CellSummary summarise(const Cell& cell);

}  // namespace agon::stats
