#include "stats/statistics.hpp"

#include <agon/analysis/statistics.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <numeric>

#include "stats/ratings/trueskill.hpp"
#include "stats/resampling.hpp"

namespace agon::stats {
namespace {

std::vector<std::size_t> sorted_order(std::span<const double> values, RankOrder order) {
  std::vector<std::size_t> index(values.size());
  std::iota(index.begin(), index.end(), std::size_t{0});
  std::ranges::stable_sort(index, [&](std::size_t a, std::size_t b) {
    return order == RankOrder::highest_first ? values[a] > values[b] : values[a] < values[b];
  });
  return index;
}

/// Calls visit(first, last) for every group of equal values in `index`.
template <typename Visit>
void for_ties(std::span<const double> values, std::span<const std::size_t> index, Visit visit) {
  for (std::size_t first = 0; first < index.size();) {
    std::size_t last = first + 1;
    while (last < index.size() && values[index[last]] == values[index[first]]) ++last;
    visit(first, last);
    first = last;
  }
}

/// Twice the average ranks: whole numbers, so that permutations compare exactly.
std::vector<std::int64_t> doubled_ranks(std::span<const double> values) {
  std::vector<std::int64_t> doubled(values.size());
  const auto ranks = average_ranks(values, RankOrder::lowest_first);
  for (std::size_t i = 0; i < ranks.size(); ++i) doubled[i] = std::llround(2 * ranks[i]);
  return doubled;
}

/// n sum(ab) - sum(a) sum(b): the covariance up to a factor that no permutation changes.
std::int64_t cross(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  std::int64_t products = 0;
  std::int64_t sum_a = 0;
  std::int64_t sum_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    products += a[i] * b[i];
    sum_a += a[i];
    sum_b += b[i];
  }
  return static_cast<std::int64_t>(a.size()) * products - sum_a * sum_b;
}

double permutation_p(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
  const std::int64_t seen = std::abs(cross(a, b));
  std::vector<std::size_t> order(b.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::int64_t> shuffled(b.size());
  std::int64_t all = 0;
  std::int64_t extreme = 0;
  do {
    for (std::size_t i = 0; i < b.size(); ++i) shuffled[i] = b[order[i]];
    ++all;
    if (std::abs(cross(a, shuffled)) >= seen) ++extreme;
  } while (std::next_permutation(order.begin(), order.end()));
  return static_cast<double>(extreme) / static_cast<double>(all);
}

}  // namespace

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<double> standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double centre = *mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> quantile_of_sorted(std::span<const double> sorted, double p) {
  if (sorted.empty()) return std::nullopt;
  const double place = std::clamp(p, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(below);
  if (part == 0 || sorted[below] == sorted[below + 1]) return sorted[below];
  return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

std::optional<double> quantile(std::span<const double> values, double p) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return quantile_of_sorted(sorted, p);
}

std::vector<std::size_t> competition_ranks(std::span<const double> values, RankOrder order) {
  const auto index = sorted_order(values, order);
  std::vector<std::size_t> ranks(values.size());
  for_ties(values, index, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ranks[index[i]] = first + 1;
  });
  return ranks;
}

std::vector<double> average_ranks(std::span<const double> values, RankOrder order) {
  const auto index = sorted_order(values, order);
  std::vector<double> ranks(values.size());
  for_ties(values, index, [&](std::size_t first, std::size_t last) {
    const double shared = (static_cast<double>(first) + static_cast<double>(last) + 1) / 2;
    for (std::size_t i = first; i < last; ++i) ranks[index[i]] = shared;
  });
  return ranks;
}

Spearman spearman(std::span<const double> x, std::span<const double> y) {
  if (x.size() != y.size()) {
    throw Error(ErrorKind::failure, "a rank correlation needs two lists of the same length");
  }
  Spearman result;
  const std::size_t n = x.size();
  if (n < 2) return result;
  const auto a = doubled_ranks(x);
  const auto b = doubled_ranks(y);
  const std::int64_t spread_a = cross(a, a);
  const std::int64_t spread_b = cross(b, b);
  if (spread_a == 0 || spread_b == 0) return result;
  const double scale = spread_a == spread_b ? static_cast<double>(spread_a)
                                            : std::sqrt(static_cast<double>(spread_a)) *
                                                  std::sqrt(static_cast<double>(spread_b));
  const double rho = std::clamp(static_cast<double>(cross(a, b)) / scale, -1.0, 1.0);
  result.rho = rho;
  if (n < 3) return result;
  result.exact = n <= 9;
  if (result.exact) {
    result.p_value = permutation_p(a, b);
  } else if (std::abs(rho) >= 1) {
    result.p_value = 0;
  } else {
    const auto freedom = static_cast<double>(n - 2);
    const double t = std::abs(rho) * std::sqrt(freedom / ((1 - rho) * (1 + rho)));
    const boost::math::students_t_distribution<double> law(freedom);
    result.p_value = 2 * boost::math::cdf(boost::math::complement(law, t));
  }
  return result;
}

double order_statistic(std::span<const double> sorted, double p) {
  const auto n = static_cast<double>(sorted.size());
  // The product of a decimal level and a whole number must not miss a rank by a rounding error.
  double rank = p * (n + 1);
  if (std::abs(rank - std::round(rank)) < 1e-9 * n) rank = std::round(rank);
  rank = std::clamp(rank, 1.0, n);
  const auto below = static_cast<std::size_t>(rank);
  const double part = rank - static_cast<double>(below);
  if (part == 0 || sorted[below - 1] == sorted[below]) return sorted[below - 1];
  return sorted[below - 1] + part * (sorted[below] - sorted[below - 1]);
}

namespace {

/// Things that were rated twice or more: how often each got each rating that was given.
struct RatedUnits {
  std::vector<double> levels;               // ascending
  std::vector<std::vector<double>> counts;  // by thing and level

  explicit RatedUnits(std::span<const std::vector<int>> units) {
    std::map<int, std::size_t> at;
    for (const auto& ratings : units)
      if (ratings.size() > 1)
        for (const int rating : ratings) at[rating] = 0;
    for (auto& [rating, place] : at) {
      place = levels.size();
      levels.push_back(rating);
    }
    for (const auto& ratings : units) {
      if (ratings.size() < 2) continue;
      counts.emplace_back(levels.size());
      for (const int rating : ratings) ++counts.back()[at[rating]];
    }
  }
};

/// The squared distance of two levels, the lower one first; `totals`: how often each was given.
double apart(std::size_t a, std::size_t b, const std::vector<double>& levels,
             const std::vector<double>& totals, RatingScale scale) {
  if (scale == RatingScale::nominal) return 1;
  if (scale == RatingScale::interval) return (levels[b] - levels[a]) * (levels[b] - levels[a]);
  double between = (totals[a] + totals[b]) / 2;
  for (std::size_t level = a + 1; level < b; ++level) between += totals[level];
  return between * between;
}

/// Alpha of these of the things, which may be named more than once.
std::optional<double> alpha_of(const RatedUnits& rated, std::span<const std::size_t> taken,
                               RatingScale scale) {
  const std::size_t levels = rated.levels.size();
  std::vector<double> totals(levels);
  double n = 0;
  for (const std::size_t unit : taken)
    for (std::size_t level = 0; level < levels; ++level) {
      totals[level] += rated.counts[unit][level];
      n += rated.counts[unit][level];
    }
  double observed = 0, expected = 0;
  for (std::size_t a = 0; a < levels; ++a)
    for (std::size_t b = a + 1; b < levels; ++b) {
      if (totals[a] == 0 || totals[b] == 0) continue;
      const double distance = apart(a, b, rated.levels, totals, scale);
      expected += 2 * totals[a] * totals[b] * distance;
      for (const std::size_t unit : taken) {
        const std::vector<double>& counts = rated.counts[unit];
        if (counts[a] == 0 || counts[b] == 0) continue;
        const double ratings = std::accumulate(counts.begin(), counts.end(), 0.0);
        observed += 2 * counts[a] * counts[b] * distance / (ratings - 1);
      }
    }
  if (expected == 0) return std::nullopt;
  return 1 - (n - 1) * observed / expected;
}

std::vector<std::size_t> each_once(std::size_t n) {
  std::vector<std::size_t> all(n);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

std::optional<double> krippendorff_alpha(std::span<const std::vector<int>> units,
                                         RatingScale scale) {
  const RatedUnits rated(units);
  return alpha_of(rated, each_once(rated.counts.size()), scale);
}

std::optional<Interval> krippendorff_interval(std::span<const std::vector<int>> units,
                                              RatingScale scale, double level) {
  const RatedUnits rated(units);
  const std::size_t n = rated.counts.size();
  if (n < kFewestUnits || !alpha_of(rated, each_once(n), scale)) return std::nullopt;
  constexpr std::size_t kResamples = 999;
  std::vector<double> alphas;
  std::vector<std::size_t> taken(n);
  for (std::size_t r = 0; r < kResamples; ++r) {
    ResamplingDice dice(IntervalOptions{}.seed, r);
    for (std::size_t& unit : taken) unit = dice.below(n);
    if (const auto alpha = alpha_of(rated, taken, scale)) alphas.push_back(*alpha);
  }
  // What is left must not be the resamples alone in which judges happen to differ.
  if (alphas.size() * 10 < kResamples * 9) return std::nullopt;
  std::ranges::sort(alphas);
  return Interval{order_statistic(alphas, (1 - level) / 2),
                  order_statistic(alphas, (1 + level) / 2)};
}

std::optional<Interval> crossed_interval(std::span<const CrossedValue> values, double level) {
  if (values.empty()) return std::nullopt;
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const CrossedValue& v : values) mean += v.value / n;
  std::map<std::size_t, double> rows;
  std::map<std::size_t, double> columns;
  double each = 0;
  for (const CrossedValue& v : values) {
    const double apart = v.value - mean;
    rows[v.row] += apart;
    columns[v.column] += apart;
    each += apart * apart;
  }
  const std::size_t fewest = std::min(rows.size(), columns.size());
  const bool same = std::ranges::all_of(
      values, [&](const CrossedValue& v) { return v.value == values.front().value; });
  if (fewest < kFewestCrossed || same) return std::nullopt;
  const auto corrected = [](double squares, std::size_t count) {
    return squares * static_cast<double>(count) / static_cast<double>(count - 1);
  };
  const auto spread = [&](const std::map<std::size_t, double>& sums) {
    double squares = 0;
    for (const auto& [at, sum] : sums) squares += sum * sum;
    return corrected(squares, sums.size());
  };
  const double by_row = spread(rows);
  const double by_column = spread(columns);
  const double square =
      std::max({by_row, by_column, by_row + by_column - corrected(each, values.size())});
  const boost::math::students_t_distribution<double> law(static_cast<double>(fewest - 1));
  const double half = boost::math::quantile(law, (1 + level) / 2) * std::sqrt(square) / n;
  return Interval{mean - half, mean + half};
}

double chi_squared_tail(double statistic, int degrees) {
  const boost::math::chi_squared_distribution<double> law(degrees);
  return boost::math::cdf(boost::math::complement(law, statistic));
}

}  // namespace agon::stats

namespace agon {
namespace {

/// Two-sided p-value of t.
double two_sided(double t, double degrees) {
  const boost::math::students_t_distribution<double> law(degrees);
  return std::min(1.0, 2 * boost::math::cdf(boost::math::complement(law, std::abs(t))));
}

/// Variance with the divisor n - 1 over n: the squared error of the mean.
double squared_error(std::span<const double> values) {
  const double deviation = stats::standard_deviation(values).value_or(0);
  return deviation * deviation / static_cast<double>(values.size());
}

}  // namespace

void Sample::add(std::string_view block, double value, double weight) {
  if (!std::isfinite(value) || !std::isfinite(weight)) return;
  auto at = blocks_.find(block);
  if (at == blocks_.end()) at = blocks_.emplace(std::string(block), Block{}).first;
  at->second.value += value;
  at->second.weight += weight;
  ++at->second.values;
  at->second.one = at->second.values == 1 && weight == 1 && (value == 0 || value == 1);
}

double Sample::n() const {
  double sum = 0;
  for (const auto& [name, block] : blocks_) sum += block.weight;
  return sum;
}

Figure Sample::mean(double level) const {
  Figure figure;
  double value = 0;
  double weight = 0;
  for (const auto& [name, block] : blocks_) {
    value += block.value;
    weight += block.weight;
  }
  figure.n = weight;
  if (!(weight > 0)) return figure;
  const double ratio = value / weight;
  figure.value = ratio;
  constexpr std::size_t kFewest = 3;
  if (blocks_.size() < kFewest) return figure;
  // Differences this small beside what they come from are rounding.
  constexpr double kRounding = 1e-12;
  double squares = 0;
  bool differ = false;
  for (const auto& [name, block] : blocks_) {
    const double expected = ratio * block.weight;
    const double rest = block.value - expected;
    squares += rest * rest;
    differ =
        differ || std::abs(rest) > kRounding * std::max(std::abs(block.value), std::abs(expected));
  }
  if (!differ) return figure;
  const auto blocks = static_cast<double>(blocks_.size());
  const double error = std::sqrt(blocks / (blocks - 1) * squares) / weight;
  const boost::math::students_t_distribution<double> law(blocks - 1);
  const double t = boost::math::quantile(law, (1 + level) / 2);
  figure.low = ratio - t * error;
  figure.high = ratio + t * error;
  return figure;
}

Figure Sample::minus(const Sample& other, double level) const {
  Sample differences;
  for (const auto& [name, mine] : blocks_) {
    const auto theirs = other.blocks_.find(name);
    if (theirs == other.blocks_.end() || !(mine.weight > 0) || !(theirs->second.weight > 0))
      continue;
    differences.add(name, mine.value / mine.weight - theirs->second.value / theirs->second.weight);
  }
  return differences.mean(level);
}

Figure Sample::share(double level) const {
  const bool single =
      !blocks_.empty() && std::ranges::all_of(blocks_, [](const auto& b) { return b.second.one; });
  Figure figure = mean(level);
  if (!single) {
    figure.low = std::isnan(figure.low) ? kNothing : std::max(0.0, figure.low);
    figure.high = std::isnan(figure.high) ? kNothing : std::min(1.0, figure.high);
    return figure;
  }
  const double n = figure.n;
  const double p = figure.value;
  const double z =
      boost::math::quantile(boost::math::normal_distribution<double>(), (1 + level) / 2);
  const double scale = 1 + z * z / n;
  const double centre = (p + z * z / (2 * n)) / scale;
  const double half = z / scale * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // At the ends the bound is the share itself, which rounding would miss.
  figure.low = p == 0 ? 0 : centre - half;
  figure.high = p == 1 ? 1 : centre + half;
  return figure;
}

TTest welch(std::span<const double> a, std::span<const double> b) {
  TTest test;
  if (a.size() < 2 || b.size() < 2) return test;
  const double of_a = squared_error(a);
  const double of_b = squared_error(b);
  const double both = of_a + of_b;
  if (!(both > 0)) return test;
  test.t = (*stats::mean(a) - *stats::mean(b)) / std::sqrt(both);
  test.degrees = both * both /
                 (of_a * of_a / static_cast<double>(a.size() - 1) +
                  of_b * of_b / static_cast<double>(b.size() - 1));
  test.p = two_sided(test.t, test.degrees);
  return test;
}

RankCorrelation rank_correlation(std::span<const double> x, std::span<const double> y) {
  const stats::Spearman found = stats::spearman(x, y);
  return {found.rho.value_or(kNothing), found.p_value.value_or(kNothing),
          static_cast<double>(x.size())};
}

Spread spread(std::span<const double> values) {
  Spread s;
  s.n = static_cast<double>(values.size());
  if (values.empty()) return s;
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  s.mean = *stats::mean(sorted);
  s.deviation = stats::standard_deviation(sorted).value_or(kNothing);
  s.standard_error = s.deviation / std::sqrt(s.n);
  s.low = sorted.front();
  s.lower_quartile = *stats::quantile_of_sorted(sorted, 0.25);
  s.median = *stats::quantile_of_sorted(sorted, 0.5);
  s.upper_quartile = *stats::quantile_of_sorted(sorted, 0.75);
  s.high = sorted.back();
  return s;
}

std::vector<double> histogram(std::span<const double> values, double low, double high, int bins) {
  std::vector<double> counts(static_cast<std::size_t>(std::max(bins, 0)));
  if (counts.empty() || !(low < high)) return counts;
  const auto edge = [&](std::size_t i) {
    return i == counts.size()
               ? high
               : low + (high - low) * static_cast<double>(i) / static_cast<double>(bins);
  };
  for (const double value : values) {
    if (!(value >= low && value <= high)) continue;
    auto i = static_cast<std::size_t>((value - low) / (high - low) * bins);
    i = std::min(i, counts.size() - 1);
    // The division may have rounded over an edge.
    if (value < edge(i)) --i;
    if (i + 1 < counts.size() && value >= edge(i + 1)) ++i;
    counts[i] += 1;
  }
  return counts;
}

std::vector<double> density(std::span<const double> values, std::span<const double> at) {
  std::vector<double> out(at.size(), 0.0);
  const double deviation = stats::standard_deviation(values).value_or(0);
  if (!(deviation > 0)) return out;
  const auto n = static_cast<double>(values.size());
  const double width = deviation * std::pow(n, -0.2);
  const double scale = 1 / (n * width * std::sqrt(2 * std::numbers::pi));
  for (std::size_t i = 0; i < at.size(); ++i) {
    double sum = 0;
    for (const double value : values) {
      const double z = (at[i] - value) / width;
      sum += std::exp(-z * z / 2);
    }
    out[i] = sum * scale;
  }
  return out;
}

std::vector<Skill> trueskill(std::span<const Skill> skills, std::span<const double> scores) {
  std::vector<stats::Rating> ratings;
  for (const Skill& skill : skills) ratings.push_back({skill.mu, skill.sigma});
  std::vector<Skill> after;
  for (const stats::Rating& rating : stats::trueskill_update(ratings, scores))
    after.push_back({rating.mu, rating.sigma});
  return after;
}

}  // namespace agon
