#include "report/detectable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "report/estimates.hpp"
#include "stats/contrasts.hpp"
#include "stats/estimate.hpp"
#include "stats/factors.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// The most blocks of a game that studies are simulated with: beyond it, effects fall with the
/// root of the blocks.
constexpr std::uint64_t kMostSimulated = 400;

/// The scores of one scenario, over its treatments.
stats::ScoreTable scores_of(const PlannedStudy::StudyScenario& scenario, const Results& pilot) {
  std::vector<stats::ScoreRow> rows;
  for (const GameResults& game : pilot.games) {
    if (game.name != scenario.game) continue;
    append_rows(game, pilot, counting(pilot.policy), rows);
    std::set<std::string> own;  // what the roles of its treatments begin with
    for (std::size_t t = 0; t < game.treatments.size(); ++t)
      if (game.treatments[t].scenario == scenario.name) own.insert(fmt::format("{:04} ", t));
    std::erase_if(rows, [&](const auto& row) { return !own.contains(row.role.substr(0, 5)); });
  }
  stats::ScoreTable table(rows);
  describe_games(table, pilot.games);
  return table;
}

/// What repeats add to the variance of each agent's score in a game, and how many there were.
struct RepeatNoise {
  double variance = 0;
  std::int64_t repeats = 0;  ///< 0: nothing was played; 1: unknown
};

/// By agent. `scenario`: of its treatments only; empty: of the whole game.
std::map<std::string, RepeatNoise> repeat_noise(const GameResults& game, const Results& pilot,
                                                const std::string& scenario) {
  struct Role {
    double variance = 0;
    double pie = 0;
  };
  std::map<std::string, std::map<std::pair<std::size_t, std::size_t>, Role>> roles;
  std::map<std::string, RepeatNoise> noise;
  const auto chosen = static_cast<std::size_t>(counting(pilot.policy));
  for (const ScoreUnit& unit : game.scores) {
    if (!unit.present[chosen]) continue;
    if (!scenario.empty() && game.treatments[unit.treatment].scenario != scenario) continue;
    const std::string& agent = pilot.agents[unit.agent];
    Role& role = roles[agent][{unit.treatment, unit.role}];
    role.variance += unit.repeat_variance;
    role.pie += unit.pie[chosen];
    RepeatNoise& own = noise[agent];
    own.repeats = own.repeats == 0 ? unit.repeats : std::min(own.repeats, unit.repeats);
  }
  for (const auto& [agent, by_role] : roles)
    for (const auto& [key, role] : by_role)
      if (role.pie > 0)
        noise[agent].variance +=
            role.variance /
            (role.pie * role.pie * static_cast<double>(by_role.size() * by_role.size()));
  return noise;
}

/// One game's part in a comparison of agents.
struct GamePart {
  stats::StratumCell cell;
  double weight = 1;
  double error = 0;            ///< of the comparison in this game
  double own_variance = 0;     ///< of the agents' scores, each by itself
  double repeat_variance = 0;  ///< of the comparison
  std::int64_t repeats = 0;    ///< of the pilot, the fewest of the agents'
  double units = 0;            ///< of the study
  std::uint64_t blocks = 0;    ///< of the study
  std::uint64_t study_repeats = 1;
};

/// Works out one comparison for studies of any size.
class ComparisonPower {
 public:
  ComparisonPower(std::vector<GamePart> parts, double level)
      : parts_(std::move(parts)), level_(level) {
    double own = 0, repeats = 0;
    bool known = true;
    for (const GamePart& part : parts_) {
      const double square = part.weight * part.weight;
      const double variance = part.error * part.error;
      variance_ += square * variance;
      own += square * part.own_variance;
      repeats += square * std::min(part.repeat_variance, variance);
      known = known && part.repeats > 1;
    }
    if (own > 0) components_.common_random_numbers = std::clamp(1 - variance_ / own, 0.0, 1.0);
    if (known && variance_ > 0) components_.repeats = repeats / variance_;
    components_.agent_by_block = 1 - components_.repeats.value_or(0);
  }

  [[nodiscard]] const Components& components() const { return components_; }

  /// With so many times the study's blocks and repeats.
  [[nodiscard]] std::optional<stats::DetectableEffect> at(double blocks, double repeats) const {
    std::vector<stats::PilotGame> games;
    // Large studies are simulated smaller, and the root of the blocks does the rest.
    double least = 1;
    for (const GamePart& part : parts_)
      least = std::min(least, kMostSimulated / std::max(1.0, part.units * blocks));
    for (const GamePart& part : parts_) {
      stats::PilotGame game{part.cell, part.weight, 0, 1};
      game.units = static_cast<std::size_t>(std::llround(part.units * blocks * least));
      if (components_.repeats && part.repeats > 1) {
        const double variance = part.error * part.error;
        const double share = variance > 0 ? std::min(1.0, part.repeat_variance / variance) : 0;
        game.noise = 1 - share +
                     share * static_cast<double>(part.repeats) /
                         (static_cast<double>(part.study_repeats) * repeats);
      }
      games.push_back(std::move(game));
    }
    auto effect = stats::detectable_effect(games, {.level = level_});
    if (effect) {
      effect->gain *= std::sqrt(least);
      effect->loss *= std::sqrt(least);
    }
    return effect;
  }

  /// The times of the study's blocks that find `effect`, either way, with so many times its
  /// repeats; infinite where that takes more blocks than a suite can have.
  [[nodiscard]] std::optional<double> blocks_for(double effect, double repeats) const {
    double fewest = 0;  // as the intervals need ten of every game
    double most = std::numeric_limits<double>::infinity();
    for (const GamePart& part : parts_) {
      fewest = std::max(fewest, static_cast<double>(stats::kFewestUnits) / part.units);
      most = std::min(most,
                      most_blocks / static_cast<double>(std::max<std::uint64_t>(1, part.blocks)));
    }
    if (!(fewest <= most)) return std::numeric_limits<double>::infinity();
    double times = std::max(1.0, fewest);
    // The effect falls nearly with the root: a few steps find the place.
    for (int step = 0; step < 6; ++step) {
      const auto found = at(times, repeats);
      if (!found) return std::nullopt;
      const double ratio = std::max(found->gain, found->loss) / effect;
      const double next = std::max(fewest, times * ratio * ratio);
      if (std::abs(next - times) < 0.01 * times) return next;
      if (!(next <= most) && times == most) return std::numeric_limits<double>::infinity();
      times = std::min(next, most);
    }
    return times;
  }

 private:
  std::vector<GamePart> parts_;
  double level_;
  double variance_ = 0;
  Components components_;
};

/// Tells what is known of one study.
class PowerReport {
 public:
  PowerReport(const PlannedStudy& study, const Results& pilot) : study_(study), pilot_(pilot) {
    // What the suite does not play has no part in what it finds.
    std::erase_if(pilot_.games, [&](const GameResults& game) {
      return std::ranges::none_of(study_.scenarios, [&](const PlannedStudy::StudyScenario& s) {
        return s.game == game.name;
      });
    });
  }

  Power go() {
    if (study_.against.empty())
      power_.notes.emplace_back(
          "no effects are told, as the suite has no reference agent: see report.against");
    else
      for (const PlannedStudy::StudyScenario& scenario : study_.scenarios) of_scenario(scenario);
    if (const std::string missing = not_in_pilot(); missing.empty()) {
      const stats::ScoreTable all =
          score_table(pilot_, counting(pilot_.policy)).made_alike(study_.aggregate);
      if (!study_.against.empty() && all.games().size() > 1) of_headline(all);
      of_factors(all);
    } else {
      power_.notes.push_back(
          fmt::format("no effect over all games is told: the pilot has no finished match of {}; "
                      "play a few blocks of each game of the suite",
                      missing));
    }
    if (!power_.effects.empty() && std::ranges::none_of(power_.effects, [](const Detectable& d) {
          return d.components.repeats.has_value();
        }))
      power_.notes.emplace_back(
          "what repeats would bring is not known: a pilot with \"repeats\": 2 tells");
    if (!skewed_.empty())
      power_.notes.push_back(fmt::format(
          "the pilot is more skewed than chance makes it, and the chance of 80% may be 60 to 90% "
          "({}): more blocks of the pilot tell",
          fmt::join(skewed_, ", ")));
    return std::move(power_);
  }

 private:
  void silent(const std::string& where, const std::string& agent, const std::string& why) {
    power_.notes.push_back(fmt::format("{}: no effect is told of '{}' against '{}': {}", where,
                                       agent, study_.against, why));
  }

  /// The games of the suite that the pilot has not played.
  [[nodiscard]] std::string not_in_pilot() const {
    std::set<std::string> games;
    for (const PlannedStudy::StudyScenario& scenario : study_.scenarios) {
      const GameResults* game = game_of(scenario.game);
      if (game == nullptr || game->matches == 0) games.insert("'" + scenario.game + "'");
    }
    return text::joined(games);
  }

  [[nodiscard]] const GameResults* game_of(const std::string& name) const {
    for (const GameResults& game : pilot_.games)
      if (game.name == name) return &game;
    return nullptr;
  }

  /// `agents`: who is compared. Blocks of the study are those of its scenarios of the game, or of
  /// the one scenario. Scenarios with the same draws share theirs.
  [[nodiscard]] GamePart part(const stats::ScoreTable& table, std::size_t game,
                              stats::StratumCell cell,
                              const std::vector<std::pair<std::string, double>>& agents,
                              const std::string& scenario) const {
    GamePart out;
    const GameResults& results = *game_of(table.games()[game]);
    const auto noise = repeat_noise(results, pilot_, scenario);
    for (const auto& [agent, weight] : agents) {
      const RepeatNoise& own = noise.at(agent);
      const double error = stats::summarise(table.score_cell(game, table.agent_index(agent))).error;
      out.own_variance += weight * weight * error * error;
      out.repeat_variance += weight * weight * own.variance;
      out.repeats = out.repeats == 0 ? own.repeats : std::min(out.repeats, own.repeats);
    }
    // The spread of repeats is one of scores as they are.
    if (scenario.empty() && study_.aggregate != stats::Aggregate::mean) out.repeats = 0;
    out.study_repeats = 0;
    std::map<std::string, std::uint64_t> blocks;  // by draws
    for (const PlannedStudy::StudyScenario& s : study_.scenarios) {
      if (s.game != results.name || (!scenario.empty() && s.name != scenario)) continue;
      std::uint64_t& most = blocks[s.draws.empty() ? s.name : s.draws];
      most = std::max(most, s.blocks);
      out.study_repeats = std::max(out.study_repeats, s.repeats);
    }
    for (const auto& [draws, most] : blocks) out.blocks += most;
    out.study_repeats = std::max<std::uint64_t>(1, out.study_repeats);
    // More blocks bring more items in proportion.
    out.units = static_cast<double>(cell.units) * static_cast<double>(out.blocks) /
                static_cast<double>(std::max<std::size_t>(1, cell.blocks));
    out.error = stats::summarise(cell).error;
    out.cell = std::move(cell);
    out.cell.stratum = 0;
    return out;
  }

  /// Adds the effect, or says why there is none.
  void add(Detectable effect, std::vector<GamePart> parts, const std::string& where) {
    std::size_t fewest = static_cast<std::size_t>(-1);
    double study = 1e300;
    for (const GamePart& part : parts) {
      effect.pilot_units += part.cell.units;
      effect.blocks += part.blocks;
      fewest = std::min(fewest, part.cell.units);
      study = std::min(study, std::round(part.units));
    }
    if (fewest < stats::kFewestUnits)
      return silent(where, effect.agent,
                    fmt::format("the pilot has {} of both, and {} are needed",
                                text::counted(fewest, "independent block"), stats::kFewestUnits));
    if (study < static_cast<double>(stats::kFewestUnits) && !study_.effect)
      return silent(where, effect.agent,
                    fmt::format("the suite has {:.0f} independent blocks of a game, and intervals "
                                "need {}",
                                study, stats::kFewestUnits));
    const ComparisonPower comparison(std::move(parts), study_.level);
    const auto found = comparison.at(1, 1);
    if (found) {
      if (found->skewed) skewed_.push_back(where + ": '" + effect.agent + "'");
      effect.gain = found->gain;
      effect.loss = found->loss;
    } else if (study >= static_cast<double>(stats::kFewestUnits)) {
      return silent(where, effect.agent, "all blocks of the pilot say the same");
    }
    effect.components = comparison.components();
    if (study_.effect)
      for (const std::uint64_t repeats : {1U, 2U}) {
        if (repeats > 1 && !effect.components.repeats) continue;
        if (const auto blocks = comparison.blocks_for(*study_.effect, static_cast<double>(repeats)))
          effect.needed.push_back({*blocks, repeats, *blocks * static_cast<double>(repeats)});
      }
    power_.effects.push_back(std::move(effect));
  }

  void of_scenario(const PlannedStudy::StudyScenario& scenario) {
    const stats::ScoreTable table = scores_of(scenario, pilot_);
    const std::string where = fmt::format("scenario '{}'", scenario.name);
    for (const std::string& agent : study_.agents) {
      if (agent == study_.against) continue;
      if (!has(table.agents(), agent) || !has(table.agents(), study_.against)) {
        silent(where, agent, "the pilot has no scores of both");
        continue;
      }
      stats::StratumCell cell =
          table.difference_cell(0, table.agent_index(agent), table.agent_index(study_.against));
      add({"scenario", scenario.name, agent, study_.against, 0, 0, 0, 0, {}, {}},
          {part(table, 0, std::move(cell), {{agent, 1}, {study_.against, -1}}, scenario.name)},
          where);
    }
  }

  /// Adds an effect that is a mean over games, unless it has no cell in one of them.
  void add_over_games(Detectable effect, const stats::ScoreTable& table,
                      const std::vector<std::pair<std::string, double>>& agents,
                      const std::string& where, const auto& cell_of) {
    std::vector<GamePart> parts;
    for (std::size_t g = 0; g < table.games().size(); ++g) {
      stats::StratumCell cell = cell_of(g);
      if (cell.terms.empty()) return;
      parts.push_back(part(table, g, std::move(cell), agents, ""));
      parts.back().weight = 1 / static_cast<double>(table.games().size());
    }
    add(std::move(effect), std::move(parts), where);
  }

  void of_headline(const stats::ScoreTable& table) {
    for (const std::string& agent : study_.agents) {
      if (agent == study_.against || !has(table.agents(), agent) ||
          !has(table.agents(), study_.against))
        continue;
      add_over_games({"headline", "", agent, study_.against, 0, 0, 0, 0, {}, {}}, table,
                     {{agent, 1}, {study_.against, -1}}, "all games", [&](std::size_t g) {
                       return table.difference_cell(g, table.agent_index(agent),
                                                    table.agent_index(study_.against));
                     });
    }
  }

  void of_factors(const stats::ScoreTable& table) {
    std::map<std::string, std::vector<stats::FactorAgent>> families;
    for (const AgentFacts& agent : pilot_.facts)
      if (!agent.levels.levels.empty() && has(table.agents(), agent.name) &&
          std::ranges::find(study_.agents, agent.name) != study_.agents.end())
        families[agent.levels.family + agent.apart].push_back({agent.name, agent.levels.levels});
    for (const auto& entry : families) {
      const std::string& family = entry.first;
      const std::vector<stats::FactorAgent>& agents = entry.second;
      if (agents.size() < 2) continue;
      for (const stats::DesignEffect& effect : stats::factor_design(agents).effects) {
        if (effect.weights.empty()) continue;
        std::vector<std::pair<std::string, double>> weights;
        for (std::size_t a = 0; a < agents.size(); ++a)
          if (effect.weights[a] != 0) weights.emplace_back(agents[a].agent, effect.weights[a]);
        add_over_games({"factor", stats::term_name(effect.name), family, "", 0, 0, 0, 0, {}, {}},
                       table, weights, "factors of '" + family + "'", [&](std::size_t g) {
                         return stats::effect_cell(table, g, agents, effect.weights);
                       });
      }
    }
  }

  const PlannedStudy& study_;
  std::vector<std::string> skewed_;  ///< effects whose pilot is
  Results pilot_;
  Power power_;
};

}  // namespace

Power detectable_effects(const PlannedStudy& study, const Results& pilot) {
  return PowerReport(study, pilot).go();
}

}  // namespace agon::report
