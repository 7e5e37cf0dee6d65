#include "stats/contrast_estimates.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "stats/resampling_dice.hpp"

namespace agon::stats {
namespace {

/// How much a skewed estimate's reach is longer on the side of its longer tail. The exponent was
/// chosen by simulation (docs/statistics.md): few units show less of a tail than there is. One unit
/// apart from all others has the largest skewness that there can be; more than five times the reach
/// holds the truth no more often.
double stretch(double skewness, double degrees) {
  return std::min(5.0, std::exp((3 + 10 / (degrees + 1)) * std::abs(skewness)));
}

/// The smallest significance that a p-value is worked out for.
constexpr double kLeastAlpha = 1e-12;

double student(double degrees, double alpha) {
  const boost::math::students_t_distribution<double> law(degrees);
  return boost::math::quantile(boost::math::complement(law, alpha / 2));
}

/// The end of a bracket [holds, fails] up to which `test` holds, to the last digits.
template <class Test>
double last_that_holds(double holds, double fails, Test test) {
  for (int step = 0; step < 200; ++step) {
    // By ratio while the ends are of different size, then by difference.
    double middle = holds > 0 && fails > 0 && std::max(holds, fails) > 2 * std::min(holds, fails)
                        ? std::sqrt(holds) * std::sqrt(fails)
                        : holds + (fails - holds) / 2;
    if (middle == holds || middle == fails) break;
    (test(middle) ? holds : fails) = middle;
  }
  return holds;
}

bool leaves_out_zero(const Interval& interval) {
  return interval.low > 0 || interval.high < 0;
}

}  // namespace

ContrastEstimates::ContrastEstimates(const ContrastProblem& problem, const IntervalOptions& options)
    : units_(problem.units), options_(options) {
  require_valid(options);
  SortedUniforms uniforms(options.seed);
  for (const Cell& cell : problem.cells) {
    strata_.push_back(cell.stratum);
    cells_.push_back(summarise(cell, &uniforms));
  }
  for (const Contrast& contrast : problem.contrasts) add(problem, contrast);
}

void ContrastEstimates::add(const ContrastProblem& problem, const Contrast& contrast) {
  Estimate estimate;
  Spread spread;
  spread.parts = contrast;
  spread.range = {0, 0};
  bool few = false;
  bool lone = false;
  bool all_bounded = !contrast.empty();
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  double value = 0;
  double error = 0;  // the largest of the parts': the scale of the sums
  bool defined = !contrast.empty();
  for (const CellWeight& part : contrast) {
    const Cell& cell = problem.cells[part.cell];
    const CellSummary& summary = cells_[part.cell];
    estimate.blocks += cell.blocks;
    estimate.units += cell.units;
    fewest = std::min(fewest, cell.units);
    few = few || cell.units < kFewestUnits;
    lone = lone || summary.lone;
    all_bounded = all_bounded && summary.bounded;
    defined = defined && summary.value;
    value += part.weight * summary.value.value_or(0);
    error = std::max(error, std::abs(part.weight) * summary.error);
    spread.range.low += part.weight * (part.weight > 0 ? cell.range.low : cell.range.high);
    spread.range.high += part.weight * (part.weight > 0 ? cell.range.high : cell.range.low);
    spread.bounded = spread.bounded || summary.bounded;
  }
  if (defined && std::isfinite(value)) {
    estimate.value = value;
    estimate.note = few ? Note::too_few : lone ? Note::one_unit : Note::none;
  }
  if (error > 0) {
    double variance = 0;
    double cubes = 0;
    double over_degrees = 0;
    for (const CellWeight& part : spread.parts) {
      const CellSummary& cell = cells_[part.cell];
      const double size = part.weight * cell.error / error;
      variance += size * size;
      // Bounded means see to the tails of what they are of.
      if (!cell.bounded) cubes += size * size * size * cell.skewness;
      over_degrees += size * size * size * size / cell.degrees;
    }
    spread.error = error * std::sqrt(variance);
    spread.degrees = variance * variance / over_degrees;
    const double skewness = cubes / (variance * std::sqrt(variance));
    (skewness < 0 ? spread.stretch_low : spread.stretch_high) = stretch(skewness, spread.degrees);
  }
  if (estimate.note == Note::none) {
    estimate.standard_error = spread.error;
    if (!all_bounded)
      estimate.unseen = 1 - std::pow(1 - options_.level, 1.0 / static_cast<double>(fewest));
    if (error == 0 && !spread.bounded) estimate.note = Note::no_variation;
  }
  spreads_.push_back(std::move(spread));
  estimates_.push_back(estimate);
  if (estimate.note != Note::none) return;
  estimates_.back().interval = interval(estimates_.size() - 1, 1 - options_.level);
  estimates_.back().p_value = p_value(estimates_.size() - 1);
}

double ContrastEstimates::reach(const Spread& spread, Side side, double alpha) const {
  const double longer = side == Side::low ? spread.stretch_low : spread.stretch_high;
  const double by_spread =
      spread.error > 0 ? longer * student(spread.degrees, alpha) * spread.error : 0;
  if (!spread.bounded) return by_spread;
  double squares = 0;
  for (const CellWeight& part : spread.parts) {
    const CellSummary& cell = cells_[part.cell];
    const bool below = (side == Side::low) == (part.weight > 0);
    double own = 0;
    if (cell.bounded) {
      own = below ? *cell.value - cell.bounded->lower(alpha)
                  : cell.bounded->upper(alpha) - *cell.value;
    } else if (cell.error > 0) {
      const bool is_longer = cell.skewness != 0 && (cell.skewness < 0) == below;
      own = cell.error * student(cell.degrees, alpha) *
            (is_longer ? stretch(cell.skewness, cell.degrees) : 1);
    }
    own = std::abs(part.weight) * std::max(0.0, own);
    squares += own * own;
  }
  return std::max(by_spread, std::sqrt(squares));
}

Interval ContrastEstimates::interval(std::size_t contrast, double alpha) const {
  const Spread& spread = spreads_[contrast];
  const double value = *estimates_[contrast].value;
  return {std::max(value - reach(spread, Side::low, alpha), std::min(spread.range.low, value)),
          std::min(value + reach(spread, Side::high, alpha), std::max(spread.range.high, value))};
}

double ContrastEstimates::p_value(std::size_t contrast) const {
  const double alpha = 1 - options_.level;
  const double value = *estimates_[contrast].value;
  const Spread& spread = spreads_[contrast];
  if (value == 0) return 1;
  if (!spread.bounded) {
    // The same in closed form; the interval decides on which side of alpha rounding puts it.
    const double longer = value > 0 ? spread.stretch_low : spread.stretch_high;
    const boost::math::students_t_distribution<double> law(spread.degrees);
    const double p = std::min(1.0, 2 * boost::math::cdf(boost::math::complement(
                                           law, std::abs(value) / (longer * spread.error))));
    return leaves_out_zero(*estimates_[contrast].interval) ? std::min(p, std::nextafter(alpha, 0.0))
                                                           : std::max(p, alpha);
  }
  const auto holds_zero = [&](double at) { return !leaves_out_zero(interval(contrast, at)); };
  // Whichever side of alpha it is on, the interval is too: both come from the same reach.
  if (holds_zero(alpha)) return holds_zero(1) ? 1 : last_that_holds(alpha, 1, holds_zero);
  return holds_zero(kLeastAlpha) ? last_that_holds(kLeastAlpha, alpha, holds_zero) : kLeastAlpha;
}

std::vector<double> ContrastEstimates::largest(std::span<const std::size_t> members) const {
  std::vector<bool> needed(cells_.size(), false);
  for (const std::size_t k : members)
    for (const CellWeight& part : spreads_[k].parts)
      needed[part.cell] = !cells_[part.cell].influence.empty();
  std::vector<std::vector<double>> multipliers;
  for (const std::size_t units : units_) multipliers.emplace_back(units);
  std::vector<double> moved(cells_.size(), 0.0);
  std::vector<double> most(options_.resamples, 0.0);
  // Nearly normal, with mean 0 and variance 1, and the same bits on every machine.
  const auto multiplier = [](ResamplingDice& dice) {
    return (static_cast<double>(std::popcount(dice.next())) - 32) / 4;
  };
  for (std::size_t b = 0; b < most.size(); ++b) {
    ResamplingDice dice(options_.seed, b);
    for (auto& stratum : multipliers)
      for (double& x : stratum) x = multiplier(dice);
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      if (!needed[c]) continue;
      const auto& x = multipliers[strata_[c]];
      const auto& influence = cells_[c].influence;
      double sum = 0;
      for (std::size_t i = 0; i < influence.size(); ++i) sum += influence[i] * x[i];
      moved[c] = sum;
    }
    for (const std::size_t k : members) {
      double sum = 0;
      for (const CellWeight& part : spreads_[k].parts)
        sum += part.weight * cells_[part.cell].error * moved[part.cell];
      // What does not vary is known no better than the rest, and goes with nobody.
      const double t = spreads_[k].error > 0 ? sum / spreads_[k].error : multiplier(dice);
      most[b] = std::max(most[b], std::abs(t));
    }
  }
  std::sort(most.begin(), most.end());
  return most;
}

std::vector<Joint> ContrastEstimates::jointly(std::span<const std::size_t> family) const {
  std::vector<std::size_t> members;
  for (const std::size_t k : family)
    if (estimates_[k].note == Note::none) members.push_back(k);
  std::vector<Joint> out(family.size());
  if (members.empty()) return out;
  const std::vector<double> most = largest(members);
  const boost::math::normal_distribution<double> normal;
  const auto count = static_cast<double>(members.size());
  // The chance that the smallest p-value of the family is this small or smaller.
  const auto together = [&](double p) {
    if (p >= 1) return 1.0;
    // With many blocks a p-value may be too small for a double; beyond here nothing changes.
    const double z =
        boost::math::quantile(boost::math::complement(normal, std::max(p, kLeastAlpha) / 2));
    const auto from = std::lower_bound(most.begin(), most.end(), z);
    const double share =
        static_cast<double>(1 + (most.end() - from)) / static_cast<double>(1 + most.size());
    return std::clamp(share, p, std::min(1.0, count * p));
  };
  const double alpha = 1 - options_.level;
  const double own = last_that_holds(alpha / count * (1 - 1e-9), alpha,
                                     [&](double p) { return together(p) < alpha; });
  for (std::size_t i = 0; i < family.size(); ++i) {
    const Estimate& estimate = estimates_[family[i]];
    if (estimate.note != Note::none) continue;
    out[i].interval = members.size() == 1 ? *estimate.interval : interval(family[i], own);
    const double p = *estimate.p_value;
    out[i].p_value = members.size() == 1 ? p
                     : leaves_out_zero(*out[i].interval)
                         ? std::min(together(p), std::nextafter(alpha, 0.0))
                         : std::max(together(p), alpha);
  }
  return out;
}

}  // namespace agon::stats
