#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace agon::stats {

/// The arithmetic mean; nothing for no values.
[[nodiscard]] AGON_API std::optional<double> mean(std::span<const double> values);

/// The sample standard deviation (divisor n - 1); nothing for fewer than two values.
[[nodiscard]] AGON_API std::optional<double> standard_deviation(std::span<const double> values);

/// The quantile at `p` in [0, 1] by linear interpolation between order statistics: type 7 of
/// Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50
/// (1996). Nothing for no values. `sorted` must be in ascending order.
[[nodiscard]] std::optional<double> quantile_of_sorted(std::span<const double> sorted, double p);

/// The same for values in any order.
[[nodiscard]] AGON_API std::optional<double> quantile(std::span<const double> values, double p);

/// Which end of the scale gets rank 1.
enum class RankOrder { highest_first, lowest_first };

/// Competition ranks: ties share the best rank of the group, the next ranks are skipped (1 2 2 4).
[[nodiscard]] AGON_API std::vector<std::size_t> competition_ranks(std::span<const double> values,
                                                                  RankOrder order);

/// Average ranks: ties share the mean of the ranks they fill (1 2.5 2.5 4).
[[nodiscard]] AGON_API std::vector<double> average_ranks(std::span<const double> values,
                                                         RankOrder order);

/// Spearman's rank correlation.
struct Spearman {
  std::optional<double> rho;      ///< nothing under two pairs, or if one side is constant
  std::optional<double> p_value;  ///< two-sided, of no association; nothing under three pairs
  bool exact = false;             ///< p from every permutation (up to nine pairs), else from t
};

/// Spearman's rho: the correlation of average ranks. Up to nine pairs the p-value counts every
/// permutation of one side (ties as they are); above that rho sqrt((n-2)/(1-rho^2)) is compared
/// with Student's t on n-2 degrees of freedom. `x` and `y` must be equally long.
[[nodiscard]] AGON_API Spearman spearman(std::span<const double> x, std::span<const double> y);

/// The order statistic at rank p (n + 1) of `sorted`, interpolated and kept inside the data.
[[nodiscard]] AGON_API double order_statistic(std::span<const double> sorted, double p);

}  // namespace agon::stats
