#include "stats/descriptive.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace agon::stats {
namespace {

std::vector<std::size_t> sorted_order(std::span<const double> values, RankOrder order) {
  std::vector<std::size_t> index(values.size());
  std::iota(index.begin(), index.end(), std::size_t{0});
  std::stable_sort(index.begin(), index.end(), [&](std::size_t a, std::size_t b) {
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
  std::sort(sorted.begin(), sorted.end());
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

}  // namespace agon::stats
