#include "stats/contrasts.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <map>

#include "stats/resampling.hpp"
#include "stats/statistics.hpp"

namespace agon::stats {
namespace {

/// Few units show less skewness than there is; chosen by simulation, as is the most that a reach is
/// lengthened (docs/statistics-derivations.md, "Interval construction").
double for_few_units(double skewness, double degrees) {
  return skewness * (1 + 16 / (degrees + 1));
}
constexpr double kMostLonger = 2.5;

using Student = boost::math::students_t_distribution<double>;

/// How many errors the reach on the side of the longer tail has, where it has t on the other.
double lengthened(double t, double skewness) {
  const double x = std::abs(skewness);
  if (!(x > 1e-9)) return t;
  const double rest = 1 - 2 * x / 3 * (t + x / 6);
  if (!(rest > 0)) return kMostLonger * t;
  return std::min(kMostLonger * t, -3 / (2 * x) * std::log(rest));
}

/// The t that lengthened() makes `reach` of.
double shortened(double reach, double skewness) {
  const double x = std::abs(skewness);
  if (!(x > 1e-9)) return reach;
  return std::max(reach / kMostLonger, -3 / (2 * x) * std::expm1(-2 * x * reach / 3) - x / 6);
}

/// The share of units with the higher value, at least and at most, with alpha / 2 on each side.
Interval clopper_pearson(const TwoValues& two, double alpha) {
  const auto k = static_cast<double>(two.highs);
  const auto rest = static_cast<double>(two.units - two.highs);
  return {k == 0 ? 0 : boost::math::ibeta_inv(k, rest + 1, alpha / 2),
          rest == 0 ? 1 : boost::math::ibetac_inv(k + 1, rest, alpha / 2)};
}

/// Two-sided, of `highs` out of `highs + lows` where both are as likely.
double sign_test(std::size_t highs, std::size_t lows) {
  if (highs == lows) return 1;
  const auto k = static_cast<double>(std::max(highs, lows));
  const auto rest = static_cast<double>(std::min(highs, lows));
  return std::min(1.0, 2 * boost::math::ibeta(k, rest + 1, 0.5));
}

/// The smallest significance that a p-value is worked out for.
constexpr double kLeastAlpha = 1e-12;

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
  for (const StratumCell& cell : problem.cells) {
    strata_.push_back(cell.stratum);
    cells_.push_back(summarise(cell));
  }
  for (const Contrast& contrast : problem.contrasts) add(problem, contrast);
}

/// What the cells of a contrast add up to.
struct ContrastEstimates::ContrastSums {
  double value = 0;
  double error = 0;  ///< the largest of the parts': the scale of the sums
  double effective = 0;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  UnitsWon won;
  bool few = false;
  bool lone = false;
  bool varies = false;
  bool difference = true;

  void add(double weight, const StratumCell& cell, const CellSummary& summary, Estimate& estimate,
           ContrastSpread& spread);
};

void ContrastEstimates::ContrastSums::add(double weight, const StratumCell& cell,
                                          const CellSummary& summary, Estimate& estimate,
                                          ContrastSpread& spread) {
  effective += summary.effective_n;
  if (summary.largest_share > estimate.largest_share.value_or(0)) {
    estimate.largest_share = summary.largest_share;
    estimate.largest_unit = cell.unit_names.empty() ? "" : cell.unit_names[summary.largest_unit];
  }
  if (summary.fewest_units < fewest) {
    fewest = summary.fewest_units;
    estimate.fewest_of = cell.terms[summary.fewest_term].name;
  }
  few = few || cell.units < kFewestUnits || summary.fewest_units < kFewestOfTerm;
  lone = lone || summary.lone;
  varies = varies || summary.varies;
  difference = difference && cell.difference;
  value += weight * *summary.value;
  error = std::max(error, std::abs(weight) * summary.error);
  const bool up = weight > 0;
  spread.range.low += weight * (up ? cell.range.low : cell.range.high);
  spread.range.high += weight * (up ? cell.range.high : cell.range.low);
  if (spread.hull && summary.hull) {
    spread.hull->low += weight * (up ? summary.hull->low : summary.hull->high);
    spread.hull->high += weight * (up ? summary.hull->high : summary.hull->low);
  } else {
    spread.hull.reset();
  }
  won.won += up ? summary.won.won : summary.won.lost;
  won.tied += summary.won.tied;
  won.lost += up ? summary.won.lost : summary.won.won;
}

void ContrastEstimates::add(const ContrastProblem& problem, const Contrast& contrast) {
  Estimate& estimate = estimates_.emplace_back();
  ContrastSpread& spread = spreads_.emplace_back();
  spread.parts = contrast;
  spread.range = {0, 0};
  spread.hull = Interval{0, 0};
  ContrastSums sums;
  bool defined = !contrast.empty();
  for (const CellWeight& part : contrast) {
    const StratumCell& cell = problem.cells[part.cell];
    estimate.blocks += cell.blocks;
    estimate.units += cell.units;
    defined = defined && cells_[part.cell].value;
    if (defined) sums.add(part.weight, cell, cells_[part.cell], estimate, spread);
  }
  if (!defined || !std::isfinite(sums.value)) {
    estimate.largest_share.reset();
    estimate.largest_unit.clear();
    return;
  }
  estimate.value = sums.value;
  estimate.effective_n = sums.effective;
  estimate.fewest_units = sums.fewest;
  estimate.note = sums.few ? Note::too_few : sums.lone ? Note::one_unit : Note::none;
  if (sums.difference && sums.won.won + sums.won.tied + sums.won.lost > 0) {
    sums.won.p_value = sign_test(sums.won.won, sums.won.lost);
    estimate.units_won = sums.won;
  }
  if (contrast.size() == 1) spread.two = cells_[contrast.front().cell].two;
  spread.by_chance =
      std::ldexp(1.0, 1 - static_cast<int>(std::min<std::size_t>(sums.fewest, 1000)));
  if (sums.error > 0) add_error(spread, sums.error);
  if (estimate.note == Note::none && sums.error == 0 && !spread.two)
    estimate.note = Note::no_variation;
  if (estimate.note == Note::none && sums.varies) estimate.standard_error = spread.error;
  if (estimate.note == Note::none) {
    estimate.interval = interval(estimates_.size() - 1, 1 - options_.level);
    estimate.p_value = p_value(estimates_.size() - 1);
  }
  if (estimate.note == Note::none || estimate.note == Note::no_variation)
    add_unseen(estimate, spread, sums.fewest);
  if (!sums.difference) estimate.unseen_effect.reset();
}

/// Of independent cells; their errors over `scale` are summed.
void ContrastEstimates::add_error(ContrastSpread& spread, double scale) const {
  double variance = 0;
  double cubes = 0;
  double over_degrees = 0;
  for (const CellWeight& part : spread.parts) {
    const CellSummary& cell = cells_[part.cell];
    const double size = part.weight * cell.error / scale;
    variance += size * size;
    cubes += size * size * size * cell.skewness;
    over_degrees += size * size * size * size / cell.degrees;
  }
  spread.error = scale * std::sqrt(variance);
  spread.degrees = variance * variance / over_degrees;
  spread.skewness = for_few_units(cubes / (variance * std::sqrt(variance)), spread.degrees);
}

/// What is worth (1 - q)/q times the nearer end, and has the share q of the units, brings it to 0.
void ContrastEstimates::add_unseen(Estimate& estimate, const ContrastSpread& spread,
                                   std::size_t units) const {
  const double share = 1 - std::pow(1 - options_.level, 1.0 / static_cast<double>(units));
  // Two values are all that there are of yes and no.
  if (spread.two && spread.two->low == 0) return;
  estimate.unseen = share;
  if (!estimate.interval || !leaves_out_zero(*estimate.interval)) return;
  const bool above = estimate.interval->low > 0;
  const double effect =
      (above ? estimate.interval->low : -estimate.interval->high) * (1 - share) / share;
  if (effect <= (above ? -spread.range.low : spread.range.high))
    estimate.unseen_effect = effect;
  else
    estimate.unseen.reset();
}

double ContrastEstimates::reach(const ContrastSpread& spread, Side side, double alpha) {
  if (!(spread.error > 0)) return 0;
  const double t =
      boost::math::quantile(boost::math::complement(Student(spread.degrees), alpha / 2));
  const bool longer = (side == Side::low) == (spread.skewness < 0);
  return spread.error * (longer ? lengthened(t, spread.skewness) : t);
}

Interval ContrastEstimates::interval(std::size_t contrast, double alpha) const {
  const ContrastSpread& spread = spreads_[contrast];
  const double value = *estimates_[contrast].value;
  Interval out{value - reach(spread, Side::low, alpha), value + reach(spread, Side::high, alpha)};
  if (spread.two) {
    const double weight = spread.parts.front().weight;
    const Interval share = clopper_pearson(*spread.two, alpha);
    const double apart = spread.two->high - spread.two->low;
    out = {weight * (spread.two->low + apart * share.low),
           weight * (spread.two->low + apart * share.high)};
    if (weight < 0) std::swap(out.low, out.high);
  } else if (spread.hull && spread.by_chance < alpha) {
    out = {std::max(out.low, spread.hull->low), std::min(out.high, spread.hull->high)};
  }
  return {std::max(out.low, std::min(spread.range.low, value)),
          std::min(out.high, std::max(spread.range.high, value))};
}

double ContrastEstimates::p_value(std::size_t contrast) const {
  const double alpha = 1 - options_.level;
  const double value = *estimates_[contrast].value;
  const ContrastSpread& spread = spreads_[contrast];
  double p = 1;
  if (spread.two) {
    // One yes is enough to know that there are some.
    p = spread.two->low == 0 ? (spread.two->highs > 0 ? 0 : 1)
                             : sign_test(spread.two->highs, spread.two->units - spread.two->highs);
  } else if (value != 0) {
    const double reach = std::abs(value) / spread.error;
    const bool longer = (value > 0) == (spread.skewness < 0);
    const double t = longer ? shortened(reach, spread.skewness) : reach;
    p = std::min(1.0, 2 * boost::math::cdf(boost::math::complement(Student(spread.degrees), t)));
    if (spread.hull && (spread.hull->low > 0 || spread.hull->high < 0))
      p = std::min(p, spread.by_chance);
  }
  // The interval decides on which side of alpha rounding puts it.
  return leaves_out_zero(*estimates_[contrast].interval) ? std::min(p, std::nextafter(alpha, 0.0))
                                                         : std::max(p, alpha);
}

std::vector<double> ContrastEstimates::largest(std::span<const std::size_t> members) const {
  std::vector<bool> needed(cells_.size(), false);
  for (const std::size_t k : members)
    for (const CellWeight& part : spreads_[k].parts)
      needed[part.cell] = cells_[part.cell].error > 0;
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
      // What does not vary is known no better than the rest, and goes with nobody.
      moved[c] = influence.empty() ? multiplier(dice) : sum;
    }
    for (const std::size_t k : members) {
      double sum = 0;
      for (const CellWeight& part : spreads_[k].parts)
        sum += part.weight * cells_[part.cell].error * moved[part.cell];
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

namespace {

/// Where a game's blocks may come from: the pilot's units, minus what they say on average.
class Population {
 public:
  explicit Population(const PilotGame& game) : cell_(game.cell) {
    const CellSummary summary = summarise(game.cell);
    if (!summary.value || !summary.varies || summary.lone) return;
    for (RatioTerm& term : cell_.terms) {
      double above = 0, below = 0;
      for (const double x : term.numerator) above += x;
      for (const double x : term.denominator) below += x;
      for (std::size_t i = 0; i < term.numerator.size(); ++i)
        term.numerator[i] -= above / below * term.denominator[i];
    }
    std::map<std::vector<bool>, std::vector<std::size_t>> alike;
    double squares = 0, cubes = 0;
    for (std::size_t i = 0; i < summary.influence.size(); ++i) {
      std::vector<bool> terms;
      for (const RatioTerm& term : cell_.terms)
        terms.push_back(term.numerator[i] != 0 || term.denominator[i] != 0);
      if (std::find(terms.begin(), terms.end(), true) == terms.end()) continue;
      alike[terms].push_back(i);
      const double u = summary.influence[i];
      influence_.push_back(u);
      squares += u * u;
      cubes += u * u * u;
    }
    for (const auto& [terms, units] : alike)
      for (std::size_t k = 0; k < units.size(); ++k) like_.push_back(units);
    const auto m = static_cast<double>(influence_.size());
    deviation_ = std::sqrt(squares / (m - 1));
    noise_ = std::sqrt(game.noise);
    const double spread = std::sqrt(squares / m);
    skewed_ = std::abs(cubes / m / (spread * spread * spread)) > std::sqrt(6 / m);
  }

  [[nodiscard]] bool varies() const { return deviation_ > 0; }
  [[nodiscard]] bool skewed() const { return skewed_; }

  /// The cell of a study of so many units, whose truth is 0.
  [[nodiscard]] StratumCell draw(std::size_t count, ResamplingDice& dice) const {
    const double wider = noise_ * deviation_ / drawn_deviation(dice);
    StratumCell cell;
    cell.units = cell.blocks = count;
    cell.difference = true;
    for (const RatioTerm& term : cell_.terms) cell.terms.push_back(ratio_over(count, term.weight));
    for (std::size_t j = 0; j < count; ++j) {
      // As many units of each scenario as the pilot had, in proportion.
      const auto& like = like_[j * like_.size() / count];
      const std::size_t i = like[static_cast<std::size_t>(dice.below(like.size()))];
      for (std::size_t t = 0; t < cell.terms.size(); ++t) {
        cell.terms[t].numerator[j] = wider * cell_.terms[t].numerator[i];
        cell.terms[t].denominator[j] = cell_.terms[t].denominator[i];
      }
    }
    return cell;
  }

 private:
  /// The deviation of two thirds as many drawn units.
  [[nodiscard]] double drawn_deviation(ResamplingDice& dice) const {
    const std::size_t count = 2 * influence_.size() / 3;
    // A pilot with one unit that differs may have none of it in many draws.
    for (int tries = 0; tries < 100; ++tries) {
      double sum = 0, squares = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const double u = influence_[static_cast<std::size_t>(dice.below(influence_.size()))];
        sum += u;
        squares += u * u;
      }
      const auto n = static_cast<double>(count);
      const double variance = (squares - sum * sum / n) / (n - 1);
      if (variance > 1e-9 * deviation_ * deviation_) return std::sqrt(variance);
    }
    return deviation_;
  }

  StratumCell cell_;                            ///< the pilot's, centred
  std::vector<std::vector<std::size_t>> like_;  ///< by unit: those that say something of the same
  std::vector<double> influence_;
  double deviation_ = 0;
  double noise_ = 1;
  bool skewed_ = false;
};

}  // namespace

std::optional<DetectableEffect> detectable_effect(const std::vector<PilotGame>& games,
                                                  const PowerOptions& options) {
  std::vector<Population> populations;
  bool varies = false, skewed = false;
  for (const PilotGame& game : games) {
    if (game.cell.units < kFewestUnits || game.units < kFewestUnits) return std::nullopt;
    populations.emplace_back(game);
    varies = varies || populations.back().varies();
    skewed = skewed || populations.back().skewed();
  }
  if (!varies) return std::nullopt;
  // All studies are contrasts of one problem, by the very code that reads them later.
  ContrastProblem studies;
  for (const PilotGame& game : games) studies.units.push_back(game.units);
  for (std::size_t s = 0; s < options.studies; ++s) {
    ResamplingDice dice(options.seed, s);
    Contrast contrast;
    for (std::size_t g = 0; g < games.size(); ++g) {
      if (!populations[g].varies()) continue;
      StratumCell cell = populations[g].draw(games[g].units, dice);
      cell.stratum = g;
      contrast.push_back({studies.cells.size(), games[g].weight});
      studies.cells.push_back(std::move(cell));
    }
    studies.contrasts.push_back(std::move(contrast));
  }
  std::vector<double> gains, losses;
  const ContrastEstimates played(studies, {.level = options.level, .seed = options.seed});
  for (const Estimate& study : played.estimates()) {
    if (!study.interval) continue;
    // A true gain moves the study up by as much, and is found if that brings the low end over 0.
    gains.push_back(0 - study.interval->low);
    losses.push_back(study.interval->high);
  }
  if (gains.empty()) return std::nullopt;
  std::sort(gains.begin(), gains.end());
  std::sort(losses.begin(), losses.end());
  return DetectableEffect{std::max(0.0, order_statistic(gains, options.chance)),
                          std::max(0.0, order_statistic(losses, options.chance)), skewed};
}

}  // namespace agon::stats
