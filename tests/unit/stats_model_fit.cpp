// Whether one strength an agent says who beats whom: the fit test of Bradley-Terry and
// Plackett-Luce.

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/ratings/model_fit.hpp"
#include "stats/resampling.hpp"

namespace stats = agon::stats;
using Matches = std::vector<stats::MatchRanking>;

namespace {

/// A match whose seats finished in this order, "a" first.
stats::MatchRanking order(std::size_t block, const std::string& agents) {
  stats::MatchRanking match{"g", std::to_string(block), {}, {}};
  double score = 0;
  for (const char agent : agents) match.seats.push_back({std::string(1, agent), score -= 1});
  return match;
}

stats::MatchRanking tie(std::size_t block, const std::string& agents) {
  stats::MatchRanking match = order(block, agents);
  for (auto& seat : match.seats) seat.score = 0;
  return match;
}

/// `wins` of `of` matches between the two go to the first; match k is in block k.
void add(Matches& matches, const std::string& pair, std::size_t wins, std::size_t of) {
  const std::string other{pair[1], pair[0]};
  for (std::size_t k = 0; k < of; ++k) matches.push_back(order(k, k < wins ? pair : other));
}

stats::ModelFit fit(const Matches& matches) {
  return stats::model_fit(matches, {.ridge = 1e-9});
}

const stats::PairFit& of(const stats::ModelFit& found, const std::string& a, const std::string& b) {
  const auto at = std::find_if(found.pairs.begin(), found.pairs.end(), [&](const auto& pair) {
    return pair.agent == a && pair.opponent == b;
  });
  REQUIRE(at != found.pairs.end());
  return *at;
}

/// A round robin of `seats` seats in every block, `repeats` times, from strengths that hold exactly
/// and agents whose chance of a block stays with probability `kept` from match to match.
struct World {
  std::string name;
  std::size_t seats = 2;
  std::size_t repeats = 2;
  std::vector<double> strengths;
  double kept = 0;
  /// Above one half: each of the first three beats the next with this probability.
  double circle = 0;
};

double gumbel(stats::ResamplingDice& dice) {
  return -std::log(-std::log(dice.unit()));
}

stats::MatchRanking play(const World& world, const std::vector<std::size_t>& table,
                         const std::vector<double>& luck, double block_luck, std::size_t block,
                         stats::ResamplingDice& dice) {
  stats::MatchRanking match{"g", std::to_string(block), {}, {}};
  const auto name = [](std::size_t agent) {
    return std::string(1, static_cast<char>('a' + agent));
  };
  if (world.circle > 0 && table[1] < 3) {
    const double first = table[0] == 0 && table[1] == 2 ? 1 - world.circle : world.circle;
    const double drawn = dice.unit() < world.kept ? block_luck : dice.unit();
    match.seats = {{name(table[0]), drawn < first ? 1.0 : 0.0},
                   {name(table[1]), drawn < first ? 0.0 : 1.0}};
    return match;
  }
  for (const std::size_t agent : table) {
    const double own = dice.unit() < world.kept ? luck[agent] : gumbel(dice);
    match.seats.push_back({name(agent), world.strengths[agent] + own});
  }
  return match;
}

Matches play(const World& world, std::size_t blocks, stats::ResamplingDice& dice) {
  Matches matches;
  for (std::size_t block = 0; block < blocks; ++block) {
    std::vector<double> luck;
    for (std::size_t a = 0; a < world.strengths.size(); ++a) luck.push_back(gumbel(dice));
    const double block_luck = dice.unit();
    std::vector<std::size_t> table;
    const std::function<void(std::size_t)> seat = [&](std::size_t from) {
      if (table.size() == world.seats) {
        for (std::size_t r = 0; r < world.repeats; ++r)
          matches.push_back(play(world, table, luck, block_luck, block, dice));
        return;
      }
      for (std::size_t agent = from; agent < world.strengths.size(); ++agent) {
        table.push_back(agent);
        seat(agent + 1);
        table.pop_back();
      }
    };
    seat(0);
  }
  return matches;
}

/// The shares of data sets in which the test, the pair and the triple refuse at 0.05.
struct Refusals {
  double test = 0;
  double pair = 0;
  double triple = 0;
};

Refusals refusals(const World& world, std::size_t blocks, std::size_t data_sets,
                  std::size_t flips) {
  Refusals count;
  for (std::size_t d = 0; d < data_sets; ++d) {
    stats::ResamplingDice dice(23, d);
    const auto found = stats::model_fit(play(world, blocks, dice), {.flips = flips, .seed = d});
    if (!found.p_value) continue;
    count.test += *found.p_value <= 0.05 ? 1 : 0;
    count.pair += std::any_of(found.pairs.begin(), found.pairs.end(),
                              [](const auto& pair) { return *pair.p_value <= 0.05; })
                      ? 1
                      : 0;
    count.triple += found.triple && *found.triple->p_value <= 0.05 ? 1 : 0;
  }
  const auto all = static_cast<double>(data_sets);
  return {count.test / all, count.pair / all, count.triple / all};
}

const std::vector<World>& fitting_worlds() {
  static const std::vector<World> worlds = {
      {"3 equal, 1 match", 2, 1, {0, 0, 0}, 0},
      {"4 equal, 2 matches, luck kept .5", 2, 2, {0, 0, 0, 0}, 0.5},
      {"4 equal, 2 matches, luck kept .9", 2, 2, {0, 0, 0, 0}, 0.9},
      {"4 from 0 to 3, 2 matches, luck kept .5", 2, 2, {0, 1, 2, 3}, 0.5},
      {"4 from 0 to 4.5, 4 matches, luck kept .9", 2, 4, {0, 1.5, 3, 4.5}, 0.9},
      {"8 from 0 to 2, 1 match, luck kept .5", 2, 1, {0, .3, .6, .9, 1.2, 1.5, 1.8, 2}, 0.5},
      {"4 from 0 to 1.5, three seats, luck kept .5", 3, 1, {0, .5, 1, 1.5}, 0.5},
      {"5 from 0 to 2, four seats, 2 matches, luck kept .9", 4, 2, {0, .5, 1, 1.5, 2}, 0.9}};
  return worlds;
}

const std::vector<World>& circular_worlds() {
  static const std::vector<World> worlds = {
      {"60/40 circle of 3, 2 matches", 2, 2, {0, 0, 0}, 0, 0.6},
      {"60/40 circle of 3, 4 matches, luck kept .3", 2, 4, {0, 0, 0}, 0.3, 0.6},
      {"the same among 5", 2, 4, {0, 0, 0, .5, 1}, 0.3, 0.6},
      {"the same among 8", 2, 4, {0, 0, 0, .5, 1, 0, .5, 1}, 0.3, 0.6}};
  return worlds;
}

}  // namespace

TEST_CASE("a circle is what one strength an agent cannot say", "[stats][fit]") {
  Matches matches;
  for (std::size_t block = 0; block < 12; ++block)
    for (const char* pair : {"ab", "bc", "ca"}) matches.push_back(order(block, pair));
  const auto found = fit(matches);
  CHECK(found.note == stats::Note::none);
  CHECK(found.cycles == 1);
  CHECK(found.statistic == Approx(36));  // all of 36 matches lie as far as they can from one half
  // Only if all 12 blocks are flipped alike: 2 of 4096 patterns.
  CHECK(found.p_value.value() <= 0.005);
  CHECK(found.cyclic_share.value() == Approx(1));
  CHECK(found.cyclic_share_by_chance.value() < 1);
  CHECK(of(found, "a", "b").observed == 1);
  CHECK(of(found, "a", "b").expected == Approx(0.5));
  CHECK(of(found, "a", "c").observed == 0);
  REQUIRE(found.triple);
  CHECK(found.triple->cycle);
  CHECK(found.triple->p_value.value() <= 0.005);
  std::string around;
  for (const auto& step : found.triple->steps) {
    CHECK(step.observed == 1);
    around += step.agent + step.opponent;
  }
  CHECK(around == "abbcca");
}

TEST_CASE("the circle is told in the direction in which it goes", "[stats][fit]") {
  Matches matches;
  for (std::size_t block = 0; block < 12; ++block)
    for (const char* pair : {"ba", "cb", "ac"}) matches.push_back(order(block, pair));
  const auto found = fit(matches);
  std::string around;
  for (const auto& step : found.triple.value().steps) around += step.agent + step.opponent;
  CHECK(around == "accbba");
  CHECK(found.triple->excess > 0);
}

TEST_CASE("the statistic is Pearson's against the fitted strengths", "[stats][fit]") {
  SECTION("a circle of 6 in 10: three times (6 - 5)^2 / (10/4)") {
    Matches matches;
    for (const char* pair : {"ab", "bc", "ca"}) add(matches, pair, 6, 10);
    const auto found = fit(matches);
    CHECK(found.statistic == Approx(1.2));
    CHECK(of(found, "a", "b").residual == Approx(1 / std::sqrt(2.5)));
    CHECK(found.triple.value().excess == Approx(3 * 1 / 2.5));
  }
  SECTION("odds of 2 and 2 make 4: nothing is left") {
    Matches matches;
    add(matches, "ab", 20, 30);
    add(matches, "bc", 20, 30);
    add(matches, "ac", 24, 30);
    const auto found = fit(matches);
    CHECK(found.statistic == Approx(0).margin(1e-9));
    CHECK(found.p_value.value() > 0.9);
    CHECK(found.cyclic_share.value() == Approx(0).margin(1e-9));
    CHECK(of(found, "a", "c").expected == Approx(0.8));
  }
}

TEST_CASE("a tie counts half for each, as the model says", "[stats][fit]") {
  // Every pair ties half of its matches and shares the rest evenly: the model holds.
  Matches matches;
  for (std::size_t block = 0; block < 12; ++block)
    for (const std::string pair : {"ab", "bc", "ac"}) {
      matches.push_back(tie(block, pair));
      matches.push_back(order(block, block % 2 == 0 ? pair : std::string{pair[1], pair[0]}));
    }
  const auto found = fit(matches);
  CHECK(found.statistic == Approx(0).margin(1e-9));
  CHECK(of(found, "a", "b").observed == Approx(0.5));
  CHECK(of(found, "a", "b").meetings == 24);
}

TEST_CASE("what copies of a match add is no evidence", "[stats][fit]") {
  Matches once;
  stats::ResamplingDice dice(5);
  for (std::size_t block = 0; block < 20; ++block)
    for (const std::string pair : {"ab", "bc", "ca"})
      once.push_back(order(block, dice.below(10) < 7 ? pair : std::string{pair[1], pair[0]}));
  Matches often;
  for (int copy = 0; copy < 5; ++copy) often.insert(often.end(), once.begin(), once.end());
  const auto one = fit(once);
  const auto five = fit(often);
  CHECK(five.statistic == Approx(5 * one.statistic));
  CHECK(five.p_value == one.p_value);
  CHECK(five.cyclic_share_by_chance.value() ==
        Approx(one.cyclic_share_by_chance.value()).margin(0.01));
}

TEST_CASE("rankings are tested at the order of every pair", "[stats][fit]") {
  // a before b in 15 of 20 tables, whoever sits third: fitted 3 to 1 without ties.
  Matches matches;
  for (std::size_t block = 0; block < 20; ++block) {
    const char* ranking = block % 4 == 0 ? "bac" : "abc";
    matches.push_back(order(block, ranking));
  }
  const auto found = fit(matches);
  CHECK(found.cycles == 1);
  CHECK(of(found, "a", "b").observed == Approx(0.75));
  CHECK(of(found, "a", "b").expected == Approx(0.75).margin(0.01));

  // Whoever sits third decides who of a and b is first: no strengths say that.
  matches.clear();
  for (std::size_t block = 0; block < 20; ++block) {
    matches.push_back(order(block, "abc"));
    matches.push_back(order(block, "bca"));
    matches.push_back(order(block, "cab"));
  }
  const auto circle = fit(matches);
  CHECK(of(circle, "a", "b").observed == Approx(2 / 3.0));
  CHECK(of(circle, "a", "b").expected == Approx(0.5));
  CHECK(circle.p_value.value() <= 0.005);
  CHECK(circle.triple.value().cycle);
}

TEST_CASE("a fit test without grounds says so", "[stats][fit]") {
  Matches matches;
  CHECK(fit(matches).note == stats::Note::undefined);
  add(matches, "ab", 6, 12);
  // Two agents: their strengths say all there is.
  CHECK(fit(matches).cycles == 0);
  CHECK(fit(matches).note == stats::Note::undefined);
  CHECK_FALSE(fit(matches).p_value);
  CHECK(fit(matches).pairs.size() == 1);
  // One agent only.
  CHECK(fit({order(0, "aa"), order(1, "aa")}).note == stats::Note::undefined);
  // A chain has no circle either.
  add(matches, "bc", 7, 12);
  CHECK_FALSE(fit(matches).p_value);
  // Nine blocks.
  matches.clear();
  for (const char* pair : {"ab", "bc", "ca"}) add(matches, pair, 6, 9);
  CHECK(fit(matches).note == stats::Note::too_few);
  CHECK_FALSE(fit(matches).p_value);
  CHECK(fit(matches).statistic > 0);
  // One block.
  CHECK(fit({order(0, "ab"), order(0, "bc"), order(0, "ca")}).note == stats::Note::too_few);
  // Nobody ever beats anybody.
  matches.clear();
  for (std::size_t block = 0; block < 12; ++block)
    for (const char* pair : {"ab", "bc", "ca"}) matches.push_back(tie(block, pair));
  const auto equal = fit(matches);
  CHECK(equal.note == stats::Note::no_variation);
  CHECK_FALSE(equal.p_value);
  CHECK_FALSE(equal.cyclic_share);
}

TEST_CASE("agents that always win leave the test to the others", "[stats][fit]") {
  Matches matches;
  for (std::size_t block = 0; block < 20; ++block) {
    for (const char* pair : {"za", "zb", "zc"}) matches.push_back(order(block, pair));
    for (const char* pair : {"ab", "bc", "ca"}) matches.push_back(order(block, pair));
  }
  const auto found = stats::model_fit(matches, {});
  CHECK(found.p_value.value() <= 0.005);
  CHECK(found.pairs[0].agent != "z");
  CHECK(found.pairs[0].opponent != "z");
  for (const auto& step : found.triple.value().steps) CHECK(step.agent != "z");
}

TEST_CASE("more than 256 units are flipped in bins of neighbours", "[stats][fit]") {
  Matches matches;
  for (const char* pair : {"ab", "bc", "ca"}) add(matches, pair, 250, 600);
  const auto found = fit(matches);
  CHECK(found.units == 600);
  CHECK(found.p_value.value() <= 0.05);
  std::reverse(matches.begin(), matches.end());
  CHECK(fit(matches).p_value == found.p_value);
}

TEST_CASE("the fit test keeps its level and finds a circle", "[stats][coverage]") {
  CHECK(refusals(fitting_worlds()[2], 12, 300, 199).test <= 0.09);
  CHECK(refusals(fitting_worlds()[6], 12, 300, 199).test <= 0.09);
  CHECK(refusals(circular_worlds()[1], 20, 100, 199).test >= 0.6);
}

TEST_CASE("level and power of the fit test, the long run", "[.][stats][slow][coverage]") {
  const auto line = [](const World& world, std::size_t blocks, const Refusals& found) {
    std::ostringstream words;
    words << world.name << ", " << blocks << " blocks: test " << found.test << ", pair "
          << found.pair << ", triple " << found.triple;
    return words.str();
  };
  for (const std::size_t blocks : {12UL, 20UL, 40UL}) {
    for (const World& world : fitting_worlds()) {
      const auto found = refusals(world, blocks, 2000, 499);
      CHECK(found.test <= 0.07);
      WARN(line(world, blocks, found));
    }
    for (const World& world : circular_worlds())
      WARN(line(world, blocks, refusals(world, blocks, 500, 499)));
  }
}
