#include "stats/factor_effects.hpp"

#include <algorithm>

#include "stats/descriptive.hpp"

namespace agon::stats {
namespace {

/// The agents of a game that have results in it.
std::vector<FactorAgent> players(const ScoreTable& table, std::size_t game,
                                 std::span<const FactorAgent> agents) {
  std::vector<FactorAgent> out;
  for (const FactorAgent& agent : agents)
    if (!table.score_cell(game, table.agent_index(agent.agent), 0).terms.empty())
      out.push_back(agent);
  return out;
}

const DesignEffect* find(const FactorDesign& design, const EffectName& name) {
  for (const DesignEffect& effect : design.effects)
    if (effect.name.factors == name.factors && effect.name.levels == name.levels &&
        effect.name.bases == name.bases)
      return &effect;
  return nullptr;
}

/// What holds for one column of effects at once. contrast[i] is absent where targets[i] was not
/// estimated.
void finish(const ContrastEstimates& all, const std::vector<std::optional<std::size_t>>& contrast,
            const std::vector<EffectEstimate*>& targets) {
  std::vector<std::size_t> family;
  std::vector<EffectEstimate*> members;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!contrast[i]) continue;
    targets[i]->effect = all.estimates()[*contrast[i]];
    family.push_back(*contrast[i]);
    members.push_back(targets[i]);
  }
  const auto together = all.jointly(family);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]->simultaneous = together[i].interval;
    members[i]->simultaneous_p = together[i].p_value;
  }
}

}  // namespace

Cell effect_cell(const ScoreTable& table, std::size_t game, std::span<const FactorAgent> agents,
                 const std::vector<double>& weights) {
  std::vector<std::size_t> places;
  std::vector<double> parts;
  for (std::size_t a = 0; a < agents.size(); ++a) {
    if (weights[a] == 0) continue;
    places.push_back(table.agent_index(agents[a].agent));
    parts.push_back(weights[a]);
  }
  return table.contrast_cell(game, places, parts, game);
}

FactorEffects factor_effects(const ScoreTable& table, std::span<const FactorAgent> agents,
                             const IntervalOptions& options, Aggregate aggregate) {
  std::optional<ScoreTable> alike;  // what is averaged over games, where it is not the scores
  if (aggregate != Aggregate::mean) alike = table.made_alike(aggregate);
  const std::size_t games = table.games().size();
  std::vector<FactorAgent> known;
  for (const FactorAgent& agent : agents)
    if (std::binary_search(table.agents().begin(), table.agents().end(), agent.agent))
      known.push_back(agent);
  FactorEffects result;
  result.design = factor_design(known);

  std::vector<std::vector<FactorAgent>> who;
  std::vector<FactorDesign> designs;
  ContrastProblem problem;
  for (std::size_t g = 0; g < games; ++g) {
    who.push_back(players(table, g, known));
    designs.push_back(who.back().size() == known.size() ? result.design
                                                        : factor_design(who.back()));
    problem.units.push_back(table.units(g));
  }

  const std::size_t effects = result.design.effects.size();
  std::vector<std::vector<std::optional<std::size_t>>> by_game(
      games, std::vector<std::optional<std::size_t>>(effects));
  std::vector<std::vector<std::size_t>> parts(effects);  // of overall
  std::vector<std::optional<std::size_t>> overall(effects);
  for (std::size_t e = 0; e < effects; ++e) {
    FactorEffect& effect = result.effects.emplace_back();
    effect.name = result.design.effects[e].name;
    effect.games.resize(games);
    Contrast mean_over_games;
    bool everywhere = games > 0;
    for (std::size_t g = 0; g < games; ++g) {
      const DesignEffect* told = find(designs[g], effect.name);
      if (told != nullptr) effect.games[g].confounded_with = told->confounded_with;
      if (told == nullptr || told->weights.empty()) {
        everywhere = false;
        continue;
      }
      problem.cells.push_back(effect_cell(table, g, who[g], told->weights));
      problem.contrasts.push_back({{problem.cells.size() - 1, 1.0}});
      by_game[g][e] = problem.contrasts.size() - 1;
      if (alike) {
        problem.cells.push_back(effect_cell(*alike, g, who[g], told->weights));
        problem.contrasts.push_back({{problem.cells.size() - 1, 1.0}});
      }
      parts[e].push_back(problem.contrasts.size() - 1);
      mean_over_games.push_back({problem.cells.size() - 1, 1.0 / static_cast<double>(games)});
    }
    // What must be taken to be absent in one game must be so for the mean.
    for (const EffectEstimate& game : effect.games)
      for (const std::string& term : game.confounded_with)
        if (std::find(effect.overall.confounded_with.begin(), effect.overall.confounded_with.end(),
                      term) == effect.overall.confounded_with.end())
          effect.overall.confounded_with.push_back(term);
    if (!everywhere) continue;
    problem.contrasts.push_back(std::move(mean_over_games));
    overall[e] = problem.contrasts.size() - 1;
  }

  const ContrastEstimates all(problem, options);
  std::vector<EffectEstimate*> column(effects);
  for (std::size_t g = 0; g < games; ++g) {
    for (std::size_t e = 0; e < effects; ++e) column[e] = &result.effects[e].games[g];
    finish(all, by_game[g], column);
  }
  for (std::size_t e = 0; e < effects; ++e) {
    column[e] = &result.effects[e].overall;
    std::vector<Estimate> own;
    for (const std::size_t part : parts[e]) own.push_back(all.estimates()[part]);
    if (overall[e]) result.effects[e].widest = widest_game(own);
  }
  finish(all, overall, column);
  return result;
}

}  // namespace agon::stats
