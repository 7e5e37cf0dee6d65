#pragma once

#include <agon/analysis/kit.hpp>
#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// What the tables of papers are worked out with. Intervals treat what one draw of random numbers
/// brought as one observation: values of the same block are not independent.
namespace agon {

/// Values by block of chance, for a mean or a ratio of sums.
class AGON_API Sample {
 public:
  /// A value; with `weight` the ratio sum(value) / sum(weight) is estimated. What is not
  /// finite is left out.
  /// `block`: what the values share, such as scenario and block.
  void add(std::string_view block, double value, double weight = 1);
  /// True if it holds no value.
  [[nodiscard]] bool empty() const { return blocks_.empty(); }
  /// Sum of the weights.
  [[nodiscard]] double n() const;
  /// sum(value) / sum(weight) with an interval from the spread over blocks (Student's t, linearised
  /// ratio, n - 1 blocks); no interval under three blocks or where all blocks say the same.
  [[nodiscard]] Figure mean(double level) const;
  /// The mean as a share of ones, with Wilson's interval (Journal of the American Statistical
  /// Association 22, 1927) where every block holds one value, else as mean(), within 0 and 1.
  [[nodiscard]] Figure share(double level) const;
  /// What it is more than another on the same draws: the mean, over the blocks that both have, of
  /// the block's own ratio less the other's. `n`: these blocks. Nothing where there are none.
  [[nodiscard]] Figure minus(const Sample& other, double level) const;

 private:
  struct Block {
    double value = 0;
    double weight = 0;
    std::int64_t values = 0;
    bool one = false;  ///< it holds one value, 0 or 1, with weight 1
  };
  std::map<std::string, Block, std::less<>> blocks_;
};

/// A comparison of two means.
struct TTest {
  double t = kNothing;        ///< the statistic
  double degrees = kNothing;  ///< of freedom
  double p = kNothing;        ///< two-sided
};

/// Welch's t-test of two independent samples; NaN under two values on a side or without spread.
[[nodiscard]] AGON_API TTest welch(std::span<const double> a, std::span<const double> b);

/// Spearman's rank correlation with average ranks for ties, and its two-sided p-value; `n` pairs.
struct RankCorrelation {
  double rho = kNothing;  ///< from -1 to 1; NaN without spread
  double p = kNothing;    ///< two-sided; NaN likewise
  double n = 0;           ///< how many were counted
};
/// Of pairs x[i], y[i].
[[nodiscard]] AGON_API RankCorrelation rank_correlation(std::span<const double> x,
                                                        std::span<const double> y);

/// Mean, spread and the five numbers of a box plot; NaN where there are too few values. Quantiles
/// by linear interpolation (type 7).
struct Spread {
  double n = 0;                      ///< how many were counted
  double mean = kNothing;            ///< of the values
  double deviation = kNothing;       ///< of the sample, divisor n - 1
  double standard_error = kNothing;  ///< of the mean, values taken as independent
  double low = kNothing;             ///< the lowest value
  double lower_quartile = kNothing;  ///< a quarter of the values lie below
  double median = kNothing;          ///< half of them
  double upper_quartile = kNothing;  ///< three quarters
  double high = kNothing;            ///< the highest
};
/// Of these values, none of which is NaN.
[[nodiscard]] AGON_API Spread spread(std::span<const double> values);

/// How many values fall into each of `bins` equal parts of [low, high]; the last part is closed.
/// Values outside are not counted.
[[nodiscard]] AGON_API std::vector<double> histogram(std::span<const double> values, double low,
                                                     double high, int bins);

/// A Gaussian kernel density estimate at the points `at`, with Scott's bandwidth (Multivariate
/// Density Estimation, 1992); zeros where the values have no spread.
[[nodiscard]] AGON_API std::vector<double> density(std::span<const double> values,
                                                   std::span<const double> at);

/// A player's skill as TrueSkill sees it: a normal belief, at first that about a stranger.
struct Skill {
  double mu = 25;           ///< mean of the belief
  double sigma = 25.0 / 3;  ///< its standard deviation
};

/// What TrueSkill (Herbrich, Minka and Graepel, NIPS 19, 2007; published constants) makes of one
/// match in which everyone plays for themselves: `scores[i]` is what the player with `skills[i]`
/// got, higher is better, equal is a tie. Throws Error for fewer than two players and for lists of
/// different length.
[[nodiscard]] AGON_API std::vector<Skill> trueskill(std::span<const Skill> skills,
                                                    std::span<const double> scores);

}  // namespace agon
