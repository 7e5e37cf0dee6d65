#include "stats/estimate.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace agon::stats {

std::string describe(Note note) {
  switch (note) {
    case Note::none:
      return "";
    case Note::undefined:
      return "undefined";
    case Note::too_few:
      return "too few";
    case Note::no_variation:
      return "no variation";
    case Note::one_unit:
      return "all in one unit";
    case Note::degenerate:
      return "too many degenerate resamples";
    case Note::not_connected:
      return "not connected to the reference";
  }
  return "";
}

void require_valid(const IntervalOptions& options) {
  if (!(options.level > 0 && options.level < 1)) {
    throw Error(ErrorKind::invalid, "the level of an interval lies between 0 and 1", "level",
                "write 0.95 for 95 per cent");
  }
  if (options.resamples == 0) {
    throw Error(ErrorKind::invalid, "a bootstrap needs at least one resample", "resamples",
                "9999 is the default");
  }
}

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

/// The units that say something about a term.
std::vector<bool> units_of(const RatioTerm& term) {
  std::vector<bool> units(term.numerator.size());
  for (std::size_t i = 0; i < units.size(); ++i)
    units[i] = term.numerator[i] != 0 || term.denominator[i] != 0;
  return units;
}

double effective_units(const std::vector<double>& shares, double sum) {
  double squares = 0;
  for (const double share : shares) squares += share / sum * (share / sum);
  return 1 / squares;
}

/// Terms of the same units.
struct TermInfluence {
  std::vector<double> influence;
  std::vector<double> share;
  std::vector<double> value;  ///< a unit's own; without a pie not a number
  double weight = 0;          ///< of the terms, without their signs
  double units = 0;
};

/// Under so many effective units of a part its error is not known.
constexpr double kFewestEffective = 2 * (1 - 1e-9);

using Parts = std::map<std::vector<bool>, TermInfluence>;

/// Minus their mean over the part's units, which makes them the jackknife's.
void centre(TermInfluence& part, const std::vector<bool>& units) {
  double mean = 0;
  for (double& u : part.influence) {
    u *= (part.units - 1) / part.units;
    mean += u / part.units;
  }
  for (std::size_t i = 0; i < units.size(); ++i)
    if (units[i]) part.influence[i] -= mean;
}

/// Values of units by themselves, over all parts.
void add_values(CellSummary& out, const StratumCell& cell, const Parts& parts) {
  const std::size_t units = cell.terms.front().numerator.size();
  Interval hull{0, 0};
  std::vector<double> own(units, 0);
  std::vector<bool> speaks(units, false);
  double size = 0;
  for (const auto& [used, part] : parts) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::size_t i = 0; i < units; ++i) {
      if (!used[i]) continue;
      if (!std::isfinite(part.value[i])) return;
      speaks[i] = true;
      own[i] += part.value[i];
      size = std::max(size, std::abs(part.value[i]));
      low = std::min(low, part.value[i]);
      high = std::max(high, part.value[i]);
    }
    hull.low += low;
    hull.high += high;
  }
  for (const RatioTerm& term : cell.terms)
    for (std::size_t i = 0; i < units; ++i)
      if (term.denominator[i] > 0)
        size = std::max(size, std::abs(term.weight * term.numerator[i] / term.denominator[i]));
  // With pies that differ by agent the value may lie outside.
  out.hull = {std::min(hull.low, *out.value), std::max(hull.high, *out.value)};
  const double zero = rounding * size;
  TwoValues two{0, 1, 0, 0};
  if (cell.difference) {
    two.high = std::max(std::abs(hull.low), std::abs(hull.high));
    two.low = -two.high;
  }
  bool only_two = parts.size() == 1 && two.high > zero && (cell.difference || cell.yes_or_no);
  for (std::size_t i = 0; i < units; ++i) {
    if (!speaks[i]) continue;
    ++(own[i] > zero ? out.won.won : own[i] < -zero ? out.won.lost : out.won.tied);
    ++two.units;
    const bool high = std::abs(own[i] - two.high) <= zero;
    two.highs += high ? 1 : 0;
    only_two = only_two && (high || std::abs(own[i] - two.low) <= zero);
  }
  // A share of units is a mean of units that weigh the same.
  const bool alike = out.effective_n > static_cast<double>(two.units) * (1 - 1e-9);
  if (only_two && (alike || !out.varies)) out.two = two;
}

/// The error that one more unit with the contrary value would bring.
void imagine_contrary(CellSummary& out, double m) {
  out.error = 2 * std::abs(*out.value) / (m + 1);
  out.skewness = std::copysign(m * (m - 1) / ((m + 1) * (m + 1)), -*out.value);
  out.degrees = m;
  out.hull.reset();
}

/// The terms of a cell, added up.
struct TermSums {
  Parts parts;
  std::vector<double> share;  ///< by unit
  double value = 0;
  double size = 0;
  double weights = 0;

  /// False where a term is undefined.
  bool add(const StratumCell& cell, CellSummary& out);
};

bool TermSums::add(const StratumCell& cell, CellSummary& out) {
  const std::size_t units = cell.terms.front().numerator.size();
  share.assign(units, 0.0);
  out.fewest_units = units + 1;
  for (std::size_t t = 0; t < cell.terms.size(); ++t) {
    const RatioTerm& term = cell.terms[t];
    const Ratio ratio = ratio_of(term);
    if (!ratio.defined) return false;
    value += ratio.value;
    size += ratio.size;
    weights += std::abs(term.weight);
    out.lone = out.lone || ratio.lone;
    std::vector<bool> used = units_of(term);
    const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    if (count < out.fewest_units) {
      out.fewest_units = count;
      out.fewest_term = t;
    }
    TermInfluence& part = parts[std::move(used)];
    part.influence.resize(units);
    part.share.resize(units);
    part.value.resize(units);
    part.weight += std::abs(term.weight);
    part.units = static_cast<double>(count);
    for (std::size_t i = 0; i < units; ++i) {
      part.influence[i] += ratio.left_out[i];
      part.share[i] += std::abs(term.weight) * ratio.share[i];
      part.value[i] += term.denominator[i] > 0
                           ? term.weight * (term.numerator[i] / term.denominator[i])
                           : std::numeric_limits<double>::quiet_NaN();
      share[i] += std::abs(term.weight) * ratio.share[i];
    }
  }
  return true;
}

/// What leaving out a unit changes, over all parts.
struct UnitInfluence {
  std::vector<double> influence;
  std::vector<double> spread;  ///< with the divisor m - 1 in place of m
  double most = 0;
  double units = 0;     ///< that say something
  double in_parts = 0;  ///< the same, counted in each part
};

/// Centres the parts, and adds them up.
UnitInfluence add_parts(Parts& parts, std::size_t units, CellSummary& out) {
  UnitInfluence sum;
  sum.influence.assign(units, 0.0);
  sum.spread.assign(units, 0.0);
  std::vector<bool> speaks(units, false);
  for (auto& [used, part] : parts) {
    out.lone = out.lone || effective_units(part.share, part.weight) < kFewestEffective;
    sum.in_parts += part.units;
    if (part.units > 1) centre(part, used);
    const double wider = part.units > 1 ? std::sqrt(part.units / (part.units - 1)) : 1;
    for (std::size_t i = 0; i < units; ++i) {
      speaks[i] = speaks[i] || used[i];
      sum.influence[i] += part.influence[i];
      sum.spread[i] += wider * part.influence[i];
      sum.most = std::max(sum.most, std::abs(sum.influence[i]));
    }
  }
  sum.units = static_cast<double>(std::count(speaks.begin(), speaks.end(), true));
  return sum;
}

/// Error, skewness and degrees of freedom of a cell whose units differ.
void add_error(CellSummary& out, const Parts& parts, UnitInfluence sum) {
  const double most = sum.most;
  double squares = 0;
  double cubes = 0;
  for (std::size_t i = 0; i < sum.influence.size(); ++i) {
    const double u = sum.influence[i] / most;
    squares += sum.spread[i] / most * (sum.spread[i] / most);
    cubes += u * u * u;
  }
  double variances = 0;
  double over_degrees = 0;
  for (const auto& [used, part] : parts) {
    if (part.units < 2) continue;
    double variance = 0;
    for (const double u : part.influence) variance += u / most * (u / most);
    variance *= part.units / (part.units - 1);
    variances += variance;
    over_degrees +=
        variance * variance / std::max(1.0, effective_units(part.share, part.weight) - 1);
  }
  // Parts that share units are not independent.
  const double limit =
      sum.in_parts > sum.units ? std::max(1.0, out.effective_n - 1) : sum.units - 1;
  out.degrees = over_degrees > 0 ? std::min(variances * variances / over_degrees, limit) : limit;
  const double error = std::sqrt(squares);
  out.error = most * error;
  out.skewness = cubes / (error * error * error);
  out.influence = std::move(sum.influence);
  for (double& u : out.influence) u /= out.error;
}

}  // namespace

CellSummary summarise(const StratumCell& cell) {
  CellSummary out;
  if (cell.terms.empty()) return out;
  TermSums terms;
  if (!terms.add(cell, out) || !std::isfinite(terms.value)) return out;
  out.value = terms.value;
  out.effective_n = effective_units(terms.share, terms.weights);
  const auto largest = std::max_element(terms.share.begin(), terms.share.end());
  out.largest_share = *largest / terms.weights;
  out.largest_unit = static_cast<std::size_t>(largest - terms.share.begin());

  UnitInfluence sum = add_parts(terms.parts, terms.share.size(), out);
  if (sum.units < 2) return out;
  out.degrees = sum.units - 1;
  const double zero = rounding * terms.size;
  out.varies = std::isfinite(sum.most) && sum.most * sum.units > zero;
  add_values(out, cell, terms.parts);
  if (out.varies)
    add_error(out, terms.parts, std::move(sum));
  else if (cell.difference && std::abs(terms.value) > zero)
    imagine_contrary(out, sum.units);
  return out;
}

}  // namespace agon::stats
