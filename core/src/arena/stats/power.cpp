#include "stats/power.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "stats/contrast_estimates.hpp"
#include "stats/descriptive.hpp"
#include "stats/resampling_dice.hpp"

namespace agon::stats {
namespace {

/// Where a game's blocks may come from: the pilot's units, less what they say on average.
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
  [[nodiscard]] Cell draw(std::size_t count, ResamplingDice& dice) const {
    const double wider = noise_ * deviation_ / drawn_deviation(dice);
    Cell cell;
    cell.units = cell.blocks = count;
    cell.difference = true;
    for (const RatioTerm& term : cell_.terms)
      cell.terms.push_back(
          {term.weight, std::vector<double>(count), std::vector<double>(count), {}});
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

  Cell cell_;                                   ///< the pilot's, centred
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
      Cell cell = populations[g].draw(games[g].units, dice);
      cell.stratum = g;
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
                          std::max(0.0, order_statistic(losses, options.chance)), skewed};
}

}  // namespace agon::stats
