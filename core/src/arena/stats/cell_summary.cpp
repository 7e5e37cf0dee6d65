#include "stats/cell_summary.hpp"

#include <algorithm>
#include <cmath>

namespace agon::stats {
namespace {

/// Differences below this share of the size of what is compared are rounding.
constexpr double rounding = 1e-12;

/// The power of two that brings the largest value near 1, so that sums of squares stay finite.
int exponent_of(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most > 0 && std::isfinite(most) ? std::ilogb(most) : 0;
}

/// One ratio, its units scaled: value = ratio * 2^exponent.
struct Ratio {
  double value = 0;
  double size = 0;               ///< of what was summed up, for telling rounding from variation
  std::vector<double> left_out;  ///< by unit: what leaving it out changes
  std::vector<double> share;     ///< by unit: of the sum of denominators
  bool defined = false;
  bool lone = false;
};

Ratio ratio_of(const RatioTerm& term) {
  Ratio out;
  const int up = exponent_of(term.numerator);
  const int down = exponent_of(term.denominator);
  double sum_n = 0;
  double sum_d = 0;
  double sum_abs = 0;
  std::vector<double> n(term.numerator.size());
  std::vector<double> d(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) {
    n[i] = std::ldexp(term.numerator[i], -up);
    d[i] = std::ldexp(term.denominator[i], -down);
    sum_n += n[i];
    sum_d += d[i];
    sum_abs += std::abs(n[i]);
  }
  if (!(sum_d > 0)) return out;
  const auto scaled = [&](double x) { return term.weight * std::ldexp(x, up - down); };
  const double ratio = sum_n / sum_d;
  out.value = scaled(ratio);
  out.size = std::abs(scaled(sum_abs / sum_d));
  out.defined = std::isfinite(out.value);
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double rest = sum_d - d[i];
    const double apart = n[i] - ratio * d[i];
    out.share.push_back(d[i] / sum_d);
    if (n[i] == 0 && d[i] == 0) {
      out.left_out.push_back(0);
    } else if (rest > rounding * sum_d) {
      out.left_out.push_back(scaled(apart / rest));
    } else {
      out.left_out.push_back(0);
      out.lone = true;
    }
  }
  return out;
}

bool says_something(const Cell& cell, std::size_t unit) {
  return std::any_of(cell.terms.begin(), cell.terms.end(), [&](const RatioTerm& term) {
    return term.numerator[unit] != 0 || term.denominator[unit] != 0;
  });
}

}  // namespace

CellSummary summarise(const Cell& cell, SortedUniforms* uniforms) {
  CellSummary out;
  if (cell.terms.empty()) return out;
  const std::size_t units = cell.terms.front().numerator.size();
  std::vector<double> influence(units, 0.0);
  std::vector<double> share(units, 0.0);
  double value = 0;
  double size = 0;
  double weights = 0;
  for (const RatioTerm& term : cell.terms) {
    const Ratio ratio = ratio_of(term);
    if (!ratio.defined) return out;
    value += ratio.value;
    size += ratio.size;
    weights += std::abs(term.weight);
    out.lone = out.lone || ratio.lone;
    for (std::size_t i = 0; i < units; ++i) {
      influence[i] += ratio.left_out[i];
      share[i] += std::abs(term.weight) * ratio.share[i];
    }
  }
  if (!std::isfinite(value)) return out;
  out.value = value;

  std::vector<std::size_t> speaking;
  for (std::size_t i = 0; i < units; ++i)
    if (says_something(cell, i)) speaking.push_back(i);
  const auto m = static_cast<double>(speaking.size());
  if (speaking.size() < 2) return out;
  double mean = 0;
  double most = 0;
  for (const std::size_t i : speaking) {
    influence[i] *= (m - 1) / m;
    mean += influence[i] / m;
  }
  for (const std::size_t i : speaking) {
    influence[i] -= mean;
    most = std::max(most, std::abs(influence[i]));
  }
  out.degrees = m - 1;
  out.varies = std::isfinite(most) && most * m > rounding * size;
  if (out.varies) {
    double squares = 0;
    double cubes = 0;
    for (const std::size_t i : speaking) {
      const double u = influence[i] / most;
      squares += u * u;
      cubes += u * u * u;
    }
    const double error = std::sqrt(m / (m - 1) * squares);
    out.error = most * error;
    out.skewness = cubes / (error * error * error);
  }
  if (cell.range.open_to_all && uniforms != nullptr) {
    // A unit that weighs more than others moves the value as far as several of them.
    double heaviest = 1;
    for (const std::size_t i : speaking) heaviest = std::max(heaviest, m * share[i] / weights);
    const double low = value + heaviest * (std::min(cell.range.low, value) - value);
    const double high = value + heaviest * (std::max(cell.range.high, value) - value);
    std::vector<double> values;
    for (const std::size_t i : speaking)
      values.push_back(std::clamp(value + (out.varies ? m * influence[i] : 0.0), low, high));
    out.bounded.emplace(values, low, high, *uniforms);
  }
  if (out.varies) {
    out.influence = std::move(influence);
    for (double& u : out.influence) u /= out.error;
  }
  return out;
}

}  // namespace agon::stats
