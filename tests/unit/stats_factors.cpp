// What factors did to a score: weights of designs, confounding, estimates of known effects.

#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/factors.hpp"
#include "stats/resampling.hpp"

namespace stats = agon::stats;

namespace {

using Levels = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

stats::FactorAgent agent(const Levels& levels) {
  std::string name = "llm/";
  for (const auto& [factor, level] : levels)
    name += (name.back() == '/' ? "" : ",") + factor + "=" + level;
  return {name, levels};
}

/// Agents of `factors` two-level factors a, b, c, ...: bit f of a code is the level of factor f.
std::vector<stats::FactorAgent> two_level(std::size_t factors, const std::vector<unsigned>& codes) {
  std::vector<stats::FactorAgent> agents;
  for (const unsigned code : codes) {
    Levels levels;
    for (std::size_t f = 0; f < factors; ++f)
      levels.emplace_back(std::string(1, static_cast<char>('a' + f)),
                          (code >> f & 1U) != 0 ? "on" : "off");
    agents.push_back(agent(levels));
  }
  return agents;
}

const std::vector<unsigned> full3 = {0, 1, 2, 3, 4, 5, 6, 7};

const stats::DesignEffect& effect_of(const stats::FactorDesign& design, const std::string& term) {
  for (const auto& effect : design.effects)
    if (stats::term_name(effect.name) == term) return effect;
  throw std::runtime_error("no effect " + term);
}

const stats::FactorEffect& effect_of(const stats::FactorEffects& effects, const std::string& term) {
  for (const auto& effect : effects.effects)
    if (stats::term_name(effect.name) == term) return effect;
  throw std::runtime_error("no effect " + term);
}

double gaussian(stats::ResamplingDice& dice) {
  const boost::math::normal_distribution<double> standard;
  return boost::math::quantile(standard, dice.unit());
}

/// Rows of a game: what a block is worth to everybody, plus the truth of each agent, plus noise.
template <class Truth>
void play(std::vector<stats::ScoreRow>& rows, const std::string& game,
          const std::vector<stats::FactorAgent>& agents, std::size_t blocks, double noise,
          stats::ResamplingDice& dice, const Truth& truth) {
  for (std::size_t b = 0; b < blocks; ++b) {
    const double luck = 3 * gaussian(dice);
    for (std::size_t a = 0; a < agents.size(); ++a)
      rows.push_back({game, "block " + std::to_string(b), "", "", 0, agents[a].agent,
                      luck + truth(a) + noise * gaussian(dice), 0, 1});
  }
}

bool on(const stats::FactorAgent& agent, std::size_t factor) {
  return agent.levels[factor].second == "on";
}

}  // namespace

TEST_CASE("In a full factorial an effect is a difference of marginal means", "[factors]") {
  const auto agents = two_level(3, full3);
  const auto design = stats::factor_design(agents);
  CHECK(design.combinations == 8);
  CHECK(design.full == 8);
  REQUIRE(design.effects.size() == 6);
  const auto& b = effect_of(design, "b");
  CHECK(stats::describe(b.name) == "b: on less off");
  CHECK(b.confounded_with.empty());
  for (std::size_t i = 0; i < agents.size(); ++i) {
    CHECK(b.weights[i] == (on(agents[i], 1) ? 0.25 : -0.25));
    CHECK(effect_of(design, "a x c").weights[i] ==
          (on(agents[i], 0) == on(agents[i], 2) ? 0.5 : -0.5));
  }
}

TEST_CASE("Three levels are compared with the first", "[factors]") {
  std::vector<stats::FactorAgent> agents;
  for (const std::string memory : {"whole", "window", "notebook"})
    for (const std::string planning : {"none", "static"})
      agents.push_back(agent({{"memory", memory}, {"planning", planning}}));
  const auto design = stats::factor_design(agents);
  REQUIRE(design.effects.size() == 5);
  CHECK(stats::describe(design.effects[0].name) == "memory: window less whole");
  CHECK(design.effects[0].weights == std::vector<double>{-0.5, -0.5, 0.5, 0.5, 0, 0});
  CHECK(design.effects[1].weights == std::vector<double>{-0.5, -0.5, 0, 0, 0.5, 0.5});
  CHECK(stats::describe(design.effects[4].name) ==
        "memory: notebook less whole x planning: static less none");
  CHECK(design.effects[4].weights == std::vector<double>{1, -1, 0, 0, -1, 1});
}

TEST_CASE("Factors that were varied together are named", "[factors]") {
  // b always goes with a; c is free of both.
  const auto design = stats::factor_design(two_level(3, {0b000, 0b011, 0b100, 0b111}));
  CHECK(effect_of(design, "a").weights.empty());
  CHECK(effect_of(design, "a").confounded_with == Names{"b"});
  CHECK(effect_of(design, "b").confounded_with == Names{"a"});
  CHECK(effect_of(design, "c").confounded_with.empty());
  CHECK(effect_of(design, "c").weights == std::vector<double>{-0.5, -0.5, 0.5, 0.5});
  CHECK(effect_of(design, "a x c").weights.empty());
  CHECK(effect_of(design, "a x c").confounded_with == Names{"b x c"});
  CHECK(effect_of(design, "a x b").weights.empty());
}

TEST_CASE("A half fraction mixes main effects with interactions", "[factors]") {
  // The four combinations with an even number of factors on: a = -(b x c), and so on.
  const auto design = stats::factor_design(two_level(3, {0b000, 0b011, 0b101, 0b110}));
  CHECK(design.combinations == 4);
  CHECK(design.full == 8);
  for (const auto& [term, other] : {std::pair{"a", "b x c"}, {"b", "a x c"}, {"c", "a x b"}}) {
    CHECK(effect_of(design, term).confounded_with == Names{other});
    CHECK_FALSE(effect_of(design, term).weights.empty());  // holds without that interaction
    CHECK(effect_of(design, other).confounded_with == Names{term});
    CHECK(effect_of(design, other).weights.empty());
  }
}

TEST_CASE("A missing combination costs only what needs it", "[factors]") {
  // Seven of eight: all effects of this model can still be told.
  const auto agents = two_level(3, {0, 1, 2, 3, 4, 5, 6});
  for (const auto& effect : stats::factor_design(agents).effects) {
    CHECK(effect.confounded_with.empty());
    CHECK_FALSE(effect.weights.empty());
  }
  // Three of four: the interaction needs the fourth, and the main effects need to know of it.
  const auto three = stats::factor_design(two_level(2, {0, 1, 2}));
  CHECK(effect_of(three, "a").confounded_with == Names{"a x b"});
  CHECK_FALSE(effect_of(three, "a").weights.empty());
  CHECK(effect_of(three, "a x b").weights.empty());
  CHECK(effect_of(three, "a x b").confounded_with.empty());
}

TEST_CASE("A factor of one level has no effect to estimate", "[factors]") {
  std::vector<stats::FactorAgent> agents = {agent({{"a", "x"}, {"b", "one"}}),
                                            agent({{"a", "y"}, {"b", "one"}})};
  const auto design = stats::factor_design(agents);
  REQUIRE(design.constant.size() == 1);
  CHECK(design.constant[0].name == "b");
  REQUIRE(design.effects.size() == 1);
  CHECK(stats::factor_design({}).effects.empty());
}

TEST_CASE("Exact data give exact effects, per game and over games", "[factors]") {
  const auto agents = two_level(3, full3);
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(5, 0);
  // g: a adds 1, b adds 2, both together 0.5 more. h: only a, which adds 3.
  play(rows, "g", agents, 12, 0.01, dice, [&](std::size_t i) {
    return (on(agents[i], 0) ? 1.0 : 0.0) + (on(agents[i], 1) ? 2.0 : 0.0) +
           (on(agents[i], 0) && on(agents[i], 1) ? 0.5 : 0.0);
  });
  play(rows, "h", agents, 15, 0.01, dice,
       [&](std::size_t i) { return on(agents[i], 0) ? 3.0 : 0.0; });
  const stats::ScoreTable table(rows);
  const auto effects = stats::factor_effects(table, agents, {.resamples = 499});
  const auto& a = effect_of(effects, "a");
  // Paired: chance with a spread of 3 has gone, noise of 0.01 is left.
  CHECK(a.games[0].effect.value.value() == Approx(1.25).margin(0.01));
  CHECK(a.games[1].effect.value.value() == Approx(3).margin(0.01));
  CHECK(a.overall.effect.value.value() == Approx(2.125).margin(0.01));
  CHECK(a.overall.effect.standard_error.value() < 0.01);
  CHECK(a.overall.effect.p_value.value() < 1e-6);
  CHECK(a.overall.simultaneous_p.value() >= a.overall.effect.p_value.value());
  CHECK(a.overall.effect.blocks == 27);
  CHECK(a.overall.simultaneous->high - a.overall.simultaneous->low >
        a.overall.effect.interval->high - a.overall.effect.interval->low);
  CHECK(effect_of(effects, "b").games[0].effect.value.value() == Approx(2.25).margin(0.01));
  CHECK(effect_of(effects, "a x b").games[0].effect.value.value() == Approx(0.5).margin(0.02));
  CHECK(effect_of(effects, "c").overall.effect.value.value() == Approx(0).margin(0.01));
}

TEST_CASE("Nine blocks are too few for an effect", "[factors]") {
  const auto agents = two_level(1, {0, 1});
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(5, 1);
  play(rows, "g", agents, 9, 1, dice, [](std::size_t i) { return i == 1 ? 1.0 : 0.0; });
  const stats::ScoreTable table(rows);
  const auto effects = stats::factor_effects(table, agents, {.resamples = 99});
  CHECK(effects.effects.at(0).overall.effect.value);
  CHECK(effects.effects.at(0).overall.effect.note == stats::Note::too_few);
  CHECK_FALSE(effects.effects.at(0).overall.simultaneous_p);
}

TEST_CASE("Blocks that an agent lacks do not enter its contrasts", "[factors]") {
  const auto agents = two_level(2, {0, 1, 2, 3});
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(5, 2);
  play(rows, "g", agents, 20, 0.01, dice,
       [&](std::size_t i) { return on(agents[i], 0) ? 1.0 : 0.0; });
  // The last agent misses the first five blocks; unpaired means would be far off.
  std::erase_if(rows, [&](const stats::ScoreRow& row) {
    return row.agent == agents[3].agent && row.block < "block 5" && row.block.size() == 7;
  });
  const stats::ScoreTable table(rows);
  const auto effects = stats::factor_effects(table, agents, {.resamples = 199});
  CHECK(effect_of(effects, "a").overall.effect.value.value() == Approx(1).margin(0.02));
  CHECK(effect_of(effects, "a").overall.effect.blocks == 15);
}

TEST_CASE("A game that lacks an agent tells less", "[factors]") {
  const auto agents = two_level(2, {0, 1, 2, 3});
  std::vector<stats::ScoreRow> rows;
  stats::ResamplingDice dice(5, 3);
  const auto truth = [&](std::size_t i) { return on(agents[i], 0) ? 1.0 : 0.0; };
  play(rows, "g", agents, 20, 0.1, dice, truth);
  play(rows, "h", {agents[0], agents[2]}, 20, 0.1, dice, [](std::size_t) { return 0.0; });
  const stats::ScoreTable table(rows);
  const auto effects = stats::factor_effects(table, agents, {.resamples = 199});
  CHECK(effect_of(effects, "a").games[0].effect.value);
  CHECK_FALSE(effect_of(effects, "a").games[1].effect.value);  // never on in h
  CHECK_FALSE(effect_of(effects, "a").overall.effect.value);
  CHECK(effect_of(effects, "b").overall.effect.value);
}

namespace {

struct EffectCoverage {
  double each = 0;      ///< intervals that hold their effect
  double together = 0;  ///< data sets whose simultaneous intervals hold all effects
  double refused = 0;   ///< data sets in which p-values refuse a true absence at 0.05
};

/// A 2 x 2 x 2 design over two games, with an effect of a, of a x b, and four true absences; what a
/// factor does differs from block to block, by skewed amounts.
EffectCoverage measure(std::size_t blocks, std::size_t data_sets, std::size_t resamples) {
  const auto agents = two_level(3, full3);
  EffectCoverage coverage;
  const double share = 1 / static_cast<double>(data_sets);
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(311, d);
    std::vector<stats::ScoreRow> rows;
    for (const std::string game : {"g", "h"})
      for (std::size_t b = 0; b < blocks; ++b) {
        const double luck = 3 * gaussian(dice);
        const double a = -std::log(dice.unit());      // mean 1
        const double ab = -std::log(dice.unit());     // mean 1
        const double c = -std::log(dice.unit()) - 1;  // mean 0
        for (const auto& who : agents)
          rows.push_back({game, std::to_string(b), "", "", 0, who.agent,
                          luck + (on(who, 0) ? a : 0) + (on(who, 0) && on(who, 1) ? ab : 0) +
                              (on(who, 2) ? c : 0) + 0.3 * gaussian(dice),
                          0, 1});
      }
    const stats::ScoreTable table(rows);
    const auto effects = stats::factor_effects(table, agents, {.resamples = resamples, .seed = d});
    bool all = true;
    bool refused = false;
    for (const auto& effect : effects.effects) {
      const std::string term = stats::term_name(effect.name);
      const double truth = term == "a" ? 1.5 : term == "b" ? 0.5 : term == "a x b" ? 1 : 0;
      const auto holds = [&](const stats::Interval& i) {
        return i.low <= truth && truth <= i.high;
      };
      if (holds(effect.overall.effect.interval.value()))
        coverage.each += share / static_cast<double>(effects.effects.size());
      all = all && holds(effect.overall.simultaneous.value());
      if (truth == 0 && effect.overall.simultaneous_p.value() <= 0.05) refused = true;
    }
    if (all) coverage.together += share;
    if (refused) coverage.refused += share;
  }
  return coverage;
}

}  // namespace

TEST_CASE("Intervals of effects hold the truth", "[factors]") {
  const EffectCoverage seen = measure(12, 60, 199);
  CHECK(seen.each >= 0.88);
  CHECK(seen.together >= 0.85);
  CHECK(seen.refused <= 0.15);
}

TEST_CASE("Intervals of effects hold the truth as often as they say", "[.][coverage]") {
  for (const std::size_t blocks : {10U, 20U, 40U}) {
    const EffectCoverage seen = measure(blocks, 1000, 999);
    CHECK(seen.each >= 0.92);
    CHECK(seen.each <= 0.975);
    CHECK(seen.together >= 0.92);
    CHECK(seen.refused <= 0.07);
    std::cout << "effects, " << blocks << " blocks: each " << seen.each << ", all together "
              << seen.together << ", a true absence refused " << seen.refused << '\n';
  }
}
