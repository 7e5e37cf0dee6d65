#pragma once

#include <agon/export.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/contrast_estimates.hpp"
#include "stats/estimate.hpp"
#include "stats/factor_design.hpp"
#include "stats/headline.hpp"
#include "stats/score_table.hpp"

namespace agon::stats {

/// One effect in one game, or over all games.
struct EffectEstimate {
  Estimate effect;  ///< on the normalised score; note undefined where the design cannot tell it
  std::optional<Interval> simultaneous;      ///< for all effects of the column at once
  std::optional<double> simultaneous_p;      ///< over all effects of the column
  std::vector<std::string> confounded_with;  ///< as DesignEffect
};

/// One effect.
struct FactorEffect {
  EffectName name;
  EffectEstimate overall;             ///< mean over games, each weighing the same
  std::vector<EffectEstimate> games;  ///< by ScoreTable::games()
  std::optional<WidestGame> widest;   ///< of the mean over games
};

/// Effects of factors on normalised scores.
struct FactorEffects {
  FactorDesign design;                ///< of all agents, whatever games they played
  std::vector<FactorEffect> effects;  ///< main effects, then interactions
};

/// The cell of a contrast of agents: score_table's of those with a weight.
[[nodiscard]] Cell effect_cell(const ScoreTable& table, std::size_t game,
                               std::span<const FactorAgent> agents,
                               const std::vector<double>& weights);

/// Main effects and two-way interactions of the factors that the agents differ in, as contrasts of
/// their normalised scores (factor_design()), paired: from the blocks and roles that all agents of
/// the contrast have. Intervals and p-values over units, stratified by
/// game. Agents without results are left out; in a game that only some of them played, the effects
/// are what those can tell. An effect over all games needs every game to tell it,
/// and is of scores made alike as `aggregate` says.
[[nodiscard]] AGON_API FactorEffects factor_effects(const ScoreTable& table,
                                                    std::span<const FactorAgent> agents,
                                                    const IntervalOptions& options,
                                                    Aggregate aggregate = Aggregate::mean);

}  // namespace agon::stats
