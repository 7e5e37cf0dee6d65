#include <agon/error.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/ratings/trueskill.hpp"
#include "stats/resampling.hpp"

namespace stats = agon::stats;
using Values = std::vector<double>;
using Ratings = std::vector<stats::Rating>;

namespace {

/// Scores for players who finish in the order given: the first best.
Values falling(std::size_t players) {
  Values scores;
  for (std::size_t i = 0; i < players; ++i) scores.push_back(-static_cast<double>(i));
  return scores;
}

void check_ratings(const Ratings& found, const Ratings& expected, double within = 0.001) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].mu == Approx(expected[i].mu).margin(within));
    CHECK(found[i].sigma == Approx(expected[i].sigma).margin(within));
  }
}

/// Three agents of skills 2, 1, 0 (reference): free-for-alls with normal performances.
std::vector<stats::MatchRanking> simulated_matches(std::size_t blocks) {
  std::vector<stats::MatchRanking> matches;
  stats::ResamplingDice dice(21);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (int repeat = 0; repeat < 4; ++repeat) {
      stats::MatchRanking match{"g", std::to_string(100 + b), {}, {}};
      for (int agent = 0; agent < 3; ++agent) {
        double noise = 0;  // twelve uniforms: nearly normal, variance 1
        for (int i = 0; i < 12; ++i) noise += dice.unit();
        match.seats.push_back({std::string(1, static_cast<char>('a' + agent)), 2 - agent + noise});
      }
      matches.push_back(std::move(match));
    }
  }
  return matches;
}

}  // namespace

// The reference figures for new players (25, 25/3) are those that the open implementations share,
// here from the tests of the Python package trueskill (sublee/trueskill, trueskilltest.py:
// test_n_vs_n, test_individual, test_microsoft_research_example, test_upset, test_unsorted_groups,
// test_custom_environment); the eight players' figures are Microsoft Research's own example.

TEST_CASE("TrueSkill: two players", "[stats][trueskill]") {
  const Ratings fresh(2);
  check_ratings(stats::trueskill_update(fresh, falling(2)),
                {{29.395832, 7.171476}, {20.604168, 7.171476}}, 1e-6);
  check_ratings(stats::trueskill_update(fresh, Values{1, 1}), {{25.0, 6.457516}, {25.0, 6.457516}},
                1e-6);
  check_ratings(stats::trueskill_update(fresh, falling(2), {.draw_probability = 0.5}),
                {{30.267, 7.077}, {19.733, 7.077}});
  check_ratings(stats::trueskill_update(Ratings{{25, 25.0 / 3}, {50, 12.5}}, Values{0, 0}),
                {{31.662, 7.137}, {35.010, 7.910}});
}

TEST_CASE("TrueSkill: free-for-all", "[stats][trueskill]") {
  check_ratings(stats::trueskill_update(Ratings(3), falling(3)),
                {{31.675, 6.656}, {25.000, 6.208}, {18.325, 6.656}});
  check_ratings(stats::trueskill_update(Ratings(3), Values{1, 2, 3}),
                {{18.325, 6.656}, {25.000, 6.208}, {31.675, 6.656}});
  check_ratings(stats::trueskill_update(Ratings(3), Values{0, 0, 0}),
                {{25.000, 5.698}, {25.000, 5.695}, {25.000, 5.698}});
  check_ratings(stats::trueskill_update(Ratings(4), falling(4)),
                {{33.207, 6.348}, {27.401, 5.787}, {22.599, 5.787}, {16.793, 6.348}});
  check_ratings(
      stats::trueskill_update(Ratings(5), falling(5)),
      {{34.363, 6.136}, {29.058, 5.536}, {25.000, 5.420}, {20.942, 5.536}, {15.637, 6.136}});
  check_ratings(stats::trueskill_update(Ratings(8), falling(8)), {{36.771, 5.749},
                                                                  {32.242, 5.133},
                                                                  {29.074, 4.943},
                                                                  {26.322, 4.874},
                                                                  {23.678, 4.874},
                                                                  {20.926, 4.943},
                                                                  {17.758, 5.133},
                                                                  {13.229, 5.749}});
  check_ratings(stats::trueskill_update(Ratings(8), Values(8, 0.0)), {{25.000, 4.592},
                                                                      {25.000, 4.583},
                                                                      {25.000, 4.576},
                                                                      {25.000, 4.573},
                                                                      {25.000, 4.573},
                                                                      {25.000, 4.576},
                                                                      {25.000, 4.583},
                                                                      {25.000, 4.592}});
  check_ratings(stats::trueskill_update(Ratings(16), falling(16)), {{40.539, 5.276},
                                                                    {36.810, 4.711},
                                                                    {34.347, 4.524},
                                                                    {32.336, 4.433},
                                                                    {30.550, 4.380},
                                                                    {28.893, 4.349},
                                                                    {27.310, 4.330},
                                                                    {25.766, 4.322},
                                                                    {24.234, 4.322},
                                                                    {22.690, 4.330},
                                                                    {21.107, 4.349},
                                                                    {19.450, 4.380},
                                                                    {17.664, 4.433},
                                                                    {15.653, 4.524},
                                                                    {13.190, 4.711},
                                                                    {9.461, 5.276}});
}

TEST_CASE("TrueSkill: eight players finish against all expectation", "[stats][trueskill]") {
  const Ratings before = {{10, 8}, {15, 7}, {20, 6}, {25, 5}, {30, 4}, {35, 3}, {40, 2}, {45, 1}};
  check_ratings(stats::trueskill_update(before, falling(8)), {{35.135, 4.506},
                                                              {32.585, 4.037},
                                                              {31.329, 3.756},
                                                              {30.984, 3.453},
                                                              {31.751, 3.064},
                                                              {34.051, 2.541},
                                                              {38.263, 1.849},
                                                              {44.118, 0.983}});
}

TEST_CASE("TrueSkill stays finite far out", "[stats][trueskill]") {
  for (const Values& scores : {Values{0, 1}, Values{1, 0}, Values{0, 0}}) {
    for (const double gap : {50.0, 400.0, 5000.0}) {
      const auto after = stats::trueskill_update(Ratings{{gap, 0.5}, {-gap, 0.9}}, scores);
      for (const auto& rating : after) {
        CHECK(std::isfinite(rating.mu));
        CHECK(rating.sigma > 0);
        CHECK(rating.sigma < 1);
      }
      CHECK(after[0].mu <= gap);
      CHECK(after[1].mu >= -gap - 1e-9);
    }
  }
  const auto certain = stats::trueskill_update(Ratings(2), Values{3, 3}, {.draw_probability = 0});
  CHECK(certain[0].mu == Approx(25));
  CHECK(certain[0].sigma < 6.46);
  CHECK_THROWS_AS(stats::trueskill_update(Ratings(1), Values{1}), agon::Error);
  CHECK_THROWS_AS(stats::trueskill_update(Ratings(2), Values{1}), agon::Error);
  CHECK_THROWS_AS(stats::trueskill_update(Ratings(2), falling(2), {.beta = 0}), agon::Error);
}

TEST_CASE("TrueSkill over blocks averages orders and refits resamples", "[stats][trueskill]") {
  const auto matches = simulated_matches(20);
  stats::TrueSkillOverBlocksOptions options;
  options.bootstrap.resamples = 199;
  const auto result = stats::trueskill_over_blocks(matches, "c", options);
  REQUIRE(result.agents.size() == 3);
  CHECK(result.matches == 80);
  CHECK(result.left_out == 0);
  CHECK(result.agents[0].mu > result.agents[1].mu);
  CHECK(result.agents[1].mu > result.agents[2].mu);
  CHECK(result.agents[0].mu_spread > 0);
  for (const std::size_t a : {0UL, 1UL}) {
    const auto& difference = result.agents[a].difference;
    CHECK(*difference.value == Approx(result.agents[a].mu - result.agents[2].mu));
    CHECK(difference.interval->low > 0);
    CHECK(difference.interval->low < *difference.value);
    CHECK(difference.interval->high > *difference.value);
  }
  CHECK(result.agents[2].difference.note == stats::Note::undefined);
  const auto again = stats::trueskill_over_blocks(matches, "c", options);
  CHECK(again.agents[0].mu == result.agents[0].mu);
  CHECK(again.agents[0].difference.interval->low == result.agents[0].difference.interval->low);

  // One order is one draw of what 100 orders average.
  options.orders = 1;
  options.bootstrap.seed = 4;
  const auto one = stats::trueskill_over_blocks(matches, "c", options);
  CHECK(one.agents[0].mu != result.agents[0].mu);
  CHECK(one.agents[0].mu == Approx(result.agents[0].mu).margin(5 * result.agents[0].mu_spread));
}

TEST_CASE("TrueSkill over blocks says what it cannot use", "[stats][trueskill]") {
  auto matches = simulated_matches(3);
  matches.push_back({"g", "x", "", {{"a", 1}, {"c", 2}, {"c", 3}}});
  matches.push_back({"g", "y", "", {{"a", 1}}});
  const auto result = stats::trueskill_over_blocks(matches, "c", {});
  CHECK(result.left_out == 2);
  CHECK(result.matches == 12);
  CHECK(result.agents[0].difference.note == stats::Note::too_few);
  CHECK_FALSE(result.agents[0].difference.interval);
  CHECK_THROWS_AS(stats::trueskill_over_blocks(matches, "nobody", {}), agon::Error);
}

TEST_CASE("TrueSkill over blocks compares only those whom matches link", "[stats][trueskill]") {
  std::vector<stats::MatchRanking> matches;
  for (int block = 0; block < 12; ++block) {
    const std::string name = std::to_string(block);
    const double luck = block % 3 == 0 ? 1 : -1;
    matches.push_back({"g", name, {}, {{"a", 0}, {"b", luck}}});
    matches.push_back({"g", name, {}, {{"c", 0}, {"d", luck}}});
    if (block < 3) matches.push_back({"g", name, {}, {{"a", 0}, {"e", -luck}}});
  }
  stats::TrueSkillOverBlocksOptions options;
  options.orders = 4;
  options.orders_in_resample = 1;
  options.bootstrap.resamples = 39;
  const auto found = stats::trueskill_over_blocks(matches, "a", options);
  const auto& agents = found.agents;
  REQUIRE(agents.size() == 5);
  CHECK(agents[1].difference.interval);
  CHECK(agents[1].difference.blocks == 12);
  for (const std::size_t stranger : {2u, 3u}) {
    CHECK(agents[stranger].difference.note == stats::Note::not_connected);
    CHECK_FALSE(agents[stranger].difference.value);
  }
  CHECK(agents[4].difference.note == stats::Note::too_few);
  CHECK(agents[4].difference.value);
  CHECK(agents[4].difference.blocks == 3);
}
