#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

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

/// How likely a chi-squared statistic is to be that large or larger.
[[nodiscard]] double chi_squared_tail(double statistic, int degrees);

/// The order statistic at rank p (n + 1) of `sorted`, interpolated and kept inside the data.
[[nodiscard]] AGON_API double order_statistic(std::span<const double> sorted, double p);

/// How far apart two ratings are.
enum class RatingScale : std::uint8_t {
  nominal,   ///< the same or not
  ordinal,   ///< by how many ratings of the data lie between them
  interval,  ///< by the square of their difference
};

/// Krippendorff's alpha: how far judges agree, 1 for always, 0 for what chance would give, below 0
/// for less than that. `units`: the ratings of each thing rated, in any order, none where a judge
/// said nothing; things with fewer than two ratings do not count. Nothing if no two ratings of one
/// thing are there, or if all ratings are the same. Source: Krippendorff (2011), Computing
/// Krippendorff's alpha-reliability, section on any number of observers and missing data.
[[nodiscard]] AGON_API std::optional<double> krippendorff_alpha(
    std::span<const std::vector<int>> units, RatingScale scale);

/// Its interval, from 999 seeded resamples of the things rated: the percentiles of their alphas
/// (Zapf, Castell, Morawietz and Karch, "Measuring inter-rater reliability for nominal data", BMC
/// Medical Research Methodology 16 (2016), section on the bootstrap). It takes the judges as they
/// are. Nothing under kFewestUnits things with two ratings, where there is no alpha, or if more
/// than a tenth of the resamples have none.
[[nodiscard]] AGON_API std::optional<Interval> krippendorff_interval(
    std::span<const std::vector<int>> units, RatingScale scale, double level);

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
/// columns, both of which are draws from many. With e the values minus their mean, and sums over
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
