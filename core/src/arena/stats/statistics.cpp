#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "stats/descriptive.hpp"
#include "stats/trueskill.hpp"

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

Figure Sample::share(double level) const {
  const bool single = !blocks_.empty() && std::all_of(blocks_.begin(), blocks_.end(),
                                                      [](const auto& b) { return b.second.one; });
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
  std::sort(sorted.begin(), sorted.end());
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
