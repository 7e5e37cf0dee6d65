#include "stats/power.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <cmath>

#include "stats/contrast_estimates.hpp"
#include "stats/descriptive.hpp"
#include "stats/resampling_dice.hpp"

namespace agon::stats {
namespace {

/// Where a game's blocks may come from.
class Population {
 public:
  explicit Population(const PilotGame& game) {
    const CellSummary summary = summarise(game.cell);
    if (!summary.value || !summary.varies || summary.lone) return;
    double squares = 0, cubes = 0, fourths = 0;
    for (std::size_t i = 0; i < summary.influence.size(); ++i) {
      const double u = summary.influence[i];
      if (u == 0) continue;
      units_.push_back(u);
      squares += u * u;
      cubes += u * u * u;
      fourths += u * u * u * u;
    }
    const auto m = static_cast<double>(summary.degrees + 1);
    units_.resize(static_cast<std::size_t>(m), 0.0);  // units that are exactly at the mean
    const double variance = squares / m;
    for (double& u : units_) u /= std::sqrt(squares / (m - 1));
    deviation_ = summary.error * std::sqrt(m * game.noise);
    const double skewness = cubes / m / (variance * std::sqrt(variance));
    const double excess = fourths / m / (variance * variance) - 3;
    degrees_ = std::clamp(2 * m / std::max(0.3, excess + 2) - 1, 2.5, 4 * m);
    // Twice the error that the skewness of normal samples has is no chance.
    if (std::abs(skewness) > std::sqrt(6 / m)) {
      skewness_ = skewness * (1 + 8 / m);
      const double tail = std::max(excess, 1.5 * skewness_ * skewness_);
      degrees_ = std::clamp(2 * m / (tail + 2) - 1, 2.5, 4 * m);
    }
    value_ = *summary.value;
  }

  [[nodiscard]] bool varies() const { return deviation_ > 0; }
  [[nodiscard]] double value() const { return value_; }

  /// The blocks of one study, with mean 0.
  std::vector<double> draw(std::size_t count, ResamplingDice& dice) const {
    const boost::math::chi_squared_distribution<double> spread(degrees_);
    const double factor =
        deviation_ * std::sqrt(degrees_ / boost::math::quantile(spread, dice.unit()));
    std::vector<double> blocks(count);
    if (skewness_ == 0) {
      for (double& x : blocks)
        x = factor * units_[static_cast<std::size_t>(dice.below(units_.size()))];
      return blocks;
    }
    const double shape = 4 / (skewness_ * skewness_);
    const boost::math::gamma_distribution<double> law(shape);
    for (double& x : blocks)
      x = factor * std::copysign(1.0, skewness_) *
          (boost::math::quantile(law, dice.unit()) - shape) / std::sqrt(shape);
    return blocks;
  }

 private:
  std::vector<double> units_;  ///< of deviation 1
  double deviation_ = 0;
  double skewness_ = 0;  ///< 0: the units as they are
  double degrees_ = 1;
  double value_ = 0;
};

}  // namespace

std::optional<DetectableEffect> detectable_effect(const std::vector<PilotGame>& games,
                                                  const PowerOptions& options) {
  std::vector<Population> populations;
  bool varies = false;
  for (const PilotGame& game : games) {
    if (game.cell.units < kFewestUnits || game.units < kFewestUnits) return std::nullopt;
    populations.emplace_back(game);
    varies = varies || populations.back().varies();
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
      Cell cell;
      cell.stratum = g;
      cell.units = cell.blocks = games[g].units;
      cell.terms = {
          {1, populations[g].draw(games[g].units, dice), std::vector<double>(games[g].units, 1.0)}};
      // The range is as far off as it is from the pilot's value.
      cell.range = games[g].cell.range;
      cell.range.low -= populations[g].value();
      cell.range.high -= populations[g].value();
      contrast.push_back({studies.cells.size(), games[g].weight});
      studies.cells.push_back(std::move(cell));
    }
    studies.contrasts.push_back(std::move(contrast));
  }
  IntervalOptions how;
  how.level = options.level;
  how.seed = options.seed;
  std::vector<double> gains, losses;
  const ContrastEstimates played(studies, how);
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
                          std::max(0.0, order_statistic(losses, options.chance))};
}

}  // namespace agon::stats
