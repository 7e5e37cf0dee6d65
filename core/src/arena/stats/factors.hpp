#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "stats/contrasts.hpp"
#include "stats/estimate.hpp"
#include "stats/score_table.hpp"

namespace agon::stats {

/// One agent of a family: its name, and the level of every factor.
struct FactorAgent {
  std::string agent;
  std::vector<std::pair<std::string, std::string>> levels;  ///< (factor, level)
};

/// A factor and the levels that it was varied over.
struct Factor {
  std::string name;
  std::vector<std::string> levels;  ///< in the order of first appearance; the first is the base
};

/// What an effect is a contrast of: levels[i] of factors[i] minus the base level of factors[i]. One
/// factor: a main effect; two: a two-way interaction, the difference of such differences.
struct EffectName {
  std::vector<std::string> factors;
  std::vector<std::string> levels;
  std::vector<std::string> bases;
};

/// An effect as a weighted sum of the agents' scores, if the design can tell it.
struct DesignEffect {
  EffectName name;
  /// By agent; exact fractions rounded to doubles. Empty if the effect cannot be told.
  std::vector<double> weights;
  /// The terms that it cannot be told apart from: "planning" or "memory x planning". For an effect
  /// with weights: what must be taken to be absent for it to hold. Empty without weights: the
  /// combinations that it needs were not there.
  std::vector<std::string> confounded_with;
};

/// The factors of a family, all that can be said of its design.
struct FactorDesign {
  std::vector<Factor> factors;        ///< with two or more levels
  std::vector<Factor> constant;       ///< with one level: no effect to estimate
  std::size_t combinations = 0;       ///< different combinations of levels among the agents
  std::size_t full = 0;               ///< combinations that a full factorial would have
  std::vector<DesignEffect> effects;  ///< main effects, then interactions, in order of factors
};

/// Works out which effects a set of agents can tell, and how.
///
/// The model of an agent's expected score is a sum over factors and pairs of factors (sum-to-zero
/// columns), fitted by least squares with every agent weighing the same. An effect is a linear
/// function of its coefficients; it can be told if and only if that function lies in the row space
/// of the design matrix (Searle, "Linear Models", 1971, section 5.4), which is decided in exact
/// rational arithmetic. In a full factorial the main effect of a level is then the mean over the
/// agents with it minus the mean over those with the base level.
///
/// A main effect that only a model without interactions can tell gets that model's weights, and the
/// interactions that it is mixed up with. Agents that lack a factor of another agent count as
/// having the level "" of it.
[[nodiscard]] AGON_API FactorDesign factor_design(std::span<const FactorAgent> agents);

/// "memory", or "memory x planning".
[[nodiscard]] AGON_API std::string term_name(const EffectName& name);
/// "memory: notebook less whole", or "memory: notebook less whole x planning: static less none".
[[nodiscard]] AGON_API std::string describe(const EffectName& name);

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
[[nodiscard]] StratumCell effect_cell(const ScoreTable& table, std::size_t game,
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
