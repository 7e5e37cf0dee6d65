#include <agon/error.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "stats/ratings/strengths.hpp"
#include "stats/resampling.hpp"

namespace stats = agon::stats;
using Matches = std::vector<stats::MatchRanking>;

namespace {

/// Adds `times` matches in which the agents of `places` finish in that order; '=' ties neighbours:
/// "ab=c" is a first, then b and c tied. Matches are dealt out over `blocks` blocks.
void add(Matches& matches, const std::string& places, int times, int blocks = 10) {
  for (int i = 0; i < times; ++i) {
    const auto block = matches.size() % static_cast<std::size_t>(blocks);
    stats::MatchRanking match{"g", std::to_string(block), {}, {}};
    double score = 0;
    bool tied = true;
    for (const char c : places) {
      if (c == '=') {
        tied = true;
        continue;
      }
      if (!tied) score -= 1;
      tied = false;
      match.seats.push_back({std::string(1, c), score});
    }
    matches.push_back(std::move(match));
  }
}

const stats::Strength& of(const stats::Strengths& fit, const std::string& agent) {
  for (const auto& strength : fit.agents) {
    if (strength.agent == agent) return strength;
  }
  throw std::out_of_range(agent);
}

stats::StrengthOptions quick(std::size_t resamples = 99) {
  stats::StrengthOptions options;
  options.bootstrap.resamples = resamples;
  return options;
}

/// A match drawn from the Davidson-Luce model: agents 'a', 'b', ... with log strengths `theta`;
/// `tie[k - 2]` is the parameter of a tie of k.
stats::MatchRanking drawn(const std::vector<double>& theta, const std::vector<double>& tie,
                          const std::string& block, stats::ResamplingDice& dice) {
  stats::MatchRanking match{"g", block, {}, {}};
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < theta.size(); ++i) left.push_back(i);
  double score = 0;
  while (!left.empty()) {
    std::vector<double> weights;
    double total = 0;
    for (unsigned set = 1; set < 1U << left.size(); ++set) {
      double sum = 0;
      std::size_t size = 0;
      for (std::size_t i = 0; i < left.size(); ++i) {
        if ((set >> i & 1U) == 0) continue;
        sum += theta[left[i]];
        ++size;
      }
      double weight = std::exp(sum / static_cast<double>(size));
      if (size > 1) weight *= size - 2 < tie.size() ? tie[size - 2] : 0;
      weights.push_back(weight);
      total += weight;
    }
    double at = dice.unit() * total;
    unsigned chosen = 0;
    while (chosen + 1 < weights.size() && at > weights[chosen]) at -= weights[chosen++];
    ++chosen;
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if ((chosen >> i & 1U) != 0) {
        match.seats.push_back({std::string(1, static_cast<char>('a' + left[i])), score});
      } else {
        rest.push_back(left[i]);
      }
    }
    left = rest;
    score -= 1;
  }
  return match;
}

}  // namespace

TEST_CASE("Bradley-Terry: seven wins and three losses", "[stats]") {
  Matches matches;
  add(matches, "ab", 7);
  add(matches, "ba", 3);
  const auto fit = stats::bradley_terry(matches, "b", quick());
  const double d = *of(fit, "a").difference.value;
  CHECK(d == Approx(std::log(7.0 / 3)).margin(0.003));
  // The ridge's exact pull: 7 - 10 p = ridge d / 2 on either side.
  CHECK(7 - 10 / (1 + std::exp(-d)) == Approx(0.01 * d / 2).margin(1e-9));
  CHECK(of(fit, "a").log_strength == Approx(d / 2));
  CHECK(*of(fit, "a").rank == 1);
  CHECK(fit.tie.empty());
  CHECK(fit.log_likelihood == Approx(7 * std::log(0.7) + 3 * std::log(0.3)).margin(1e-4));
  CHECK(fit.matches == 10);
  CHECK(fit.components == 1);
  CHECK(fit.strongly_connected);
}

TEST_CASE("Bradley-Terry: ties after Davidson", "[stats]") {
  // Two agents: the fit meets the shares exactly, strengths as 5 : 3 and nu = 2 / sqrt(5 * 3).
  Matches matches;
  add(matches, "ab", 500);
  add(matches, "ba", 300);
  add(matches, "a=b", 200);
  const auto fit = stats::bradley_terry(matches, "b", quick());
  CHECK(*of(fit, "a").difference.value == Approx(std::log(5.0 / 3)).margin(1e-4));
  REQUIRE(fit.tie.size() == 1);
  CHECK(fit.tie[0] == Approx(2 / std::sqrt(15.0)).margin(1e-4));
}

TEST_CASE("Bradley-Terry: a chain adds up", "[stats]") {
  // a beats b 2 : 1, b beats c 3 : 1; without a match of a and c the estimate is the product.
  Matches matches;
  add(matches, "ab", 200);
  add(matches, "ba", 100);
  add(matches, "bc", 300);
  add(matches, "cb", 100);
  const auto fit = stats::bradley_terry(matches, "c", quick());
  CHECK(*of(fit, "a").difference.value == Approx(std::log(6.0)).margin(2e-3));
  CHECK(*of(fit, "b").difference.value == Approx(std::log(3.0)).margin(1e-3));
}

TEST_CASE("Plackett-Luce by hand: three seats, or one agent in two of them", "[stats]") {
  // b and c alike, a first 160, second 60, last 60 times. With s = strength of a over b the slope
  // is 220 - 280 s / (s + 2) - 120 s / (s + 1), which vanishes at s = 2.
  Matches three;
  add(three, "abc", 80);
  add(three, "acb", 80);
  add(three, "bac", 30);
  add(three, "cab", 30);
  add(three, "bca", 30);
  add(three, "cba", 30);
  const auto fit = stats::plackett_luce(three, "b", quick());
  CHECK(*of(fit, "a").difference.value == Approx(std::log(2.0)).margin(1e-3));
  CHECK(*of(fit, "c").difference.value == Approx(0).margin(1e-9));

  Matches copies;
  add(copies, "abb", 160);
  add(copies, "bab", 60);
  add(copies, "bba", 60);
  const auto same = stats::plackett_luce(copies, "b", quick());
  CHECK(*of(same, "a").difference.value == Approx(std::log(2.0)).margin(1e-3));
}

TEST_CASE("Plackett-Luce with two seats is Bradley-Terry", "[stats]") {
  Matches matches;
  add(matches, "ab", 12);
  add(matches, "bc", 9);
  add(matches, "ca", 8);
  add(matches, "a=c", 5);
  add(matches, "cb", 4);
  const auto one = stats::bradley_terry(matches, "c", quick(199));
  const auto two = stats::plackett_luce(matches, "c", quick(199));
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(one.agents[i].log_strength == two.agents[i].log_strength);
  }
  CHECK(of(one, "a").difference.interval->low == of(two, "a").difference.interval->low);
}

TEST_CASE("strength models recover simulated truth", "[stats]") {
  const std::vector<double> theta = {1.0, 0.4, 0.0, -1.2};
  stats::ResamplingDice dice(31);
  Matches rankings;
  for (int i = 0; i < 3000; ++i) {
    rankings.push_back(drawn(theta, {0.5, 0.3}, std::to_string(i % 40), dice));
  }
  const auto fit = stats::plackett_luce(rankings, "c", quick(199));
  REQUIRE(fit.agents.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == 2) continue;
    const auto& difference = fit.agents[i].difference;
    CHECK(*difference.value == Approx(theta[i]).margin(0.1));
    CHECK(difference.interval->low < theta[i]);
    CHECK(difference.interval->high > theta[i]);
    CHECK(*difference.standard_error < 0.06);
  }
  REQUIRE(fit.tie.size() == 2);
  CHECK(fit.tie[0] == Approx(0.5).margin(0.05));
  CHECK(fit.tie[1] == Approx(0.3).margin(0.05));
  CHECK(fit.degenerate == 0);
  CHECK(fit.strongly_connected);

  Matches pairs;
  for (int i = 0; i < 6000; ++i) {
    auto match = drawn({0.8, 0.0}, {0.4}, std::to_string(i % 40), dice);
    pairs.push_back(std::move(match));
  }
  const auto two = stats::bradley_terry(pairs, "b", quick(199));
  CHECK(*of(two, "a").difference.value == Approx(0.8).margin(0.1));
  CHECK(two.tie[0] == Approx(0.4).margin(0.05));
}

TEST_CASE("an agent that always loses has a finite strength and no interval", "[stats]") {
  Matches matches;
  for (int round = 0; round < 20; ++round) {
    add(matches, round % 3 == 0 ? "ab" : "ba", 1, 20);
    matches.back().block = std::to_string(round);
    add(matches, "az", 1, 20);
    matches.back().block = std::to_string(round);
    add(matches, "bz", 1, 20);
    matches.back().block = std::to_string(round);
  }
  const auto fit = stats::bradley_terry(matches, "a", quick(499));
  CHECK(fit.components == 1);
  CHECK_FALSE(fit.strongly_connected);
  CHECK(fit.degenerate == 499);
  const auto& z = of(fit, "z").difference;
  CHECK(*z.value < -4);
  CHECK(*z.value > -20);
  CHECK(z.note == stats::Note::degenerate);
  CHECK_FALSE(z.interval);
  const auto& b = of(fit, "b").difference;
  CHECK(b.note == stats::Note::none);
  CHECK(*b.value == Approx(std::log(13.0 / 7)).margin(0.01));
  CHECK(b.interval->low < *b.value);
  CHECK(b.degenerate < 5);  // 499 (13/20)^20 is 0.09
}

TEST_CASE("agents that no match links are not compared", "[stats]") {
  Matches matches;
  add(matches, "ab", 33);
  add(matches, "ba", 19);
  add(matches, "cd", 21);
  add(matches, "dc", 17);
  const auto fit = stats::bradley_terry(matches, "b", quick());
  CHECK(fit.components == 2);
  CHECK_FALSE(fit.strongly_connected);
  CHECK(of(fit, "a").component == of(fit, "b").component);
  CHECK(of(fit, "c").component != of(fit, "b").component);
  CHECK(of(fit, "a").difference.interval);
  CHECK(of(fit, "c").difference.note == stats::Note::not_connected);
  CHECK_FALSE(of(fit, "c").difference.value);
  CHECK_FALSE(of(fit, "a").rank);
}

TEST_CASE("strength models say what they cannot use", "[stats]") {
  Matches matches;
  add(matches, "ab", 5, 5);
  add(matches, "ba", 4, 5);
  add(matches, "bb", 3, 5);
  const auto fit = stats::bradley_terry(matches, "b", quick());
  CHECK(fit.left_out == 3);
  CHECK(of(fit, "a").difference.note == stats::Note::too_few);  // five blocks
  CHECK(of(fit, "a").difference.value);
  CHECK_THROWS_AS(stats::bradley_terry(matches, "x", quick()), agon::Error);
  auto options = quick();
  options.ridge = 0;
  CHECK_THROWS_AS(stats::bradley_terry(matches, "b", options), agon::Error);
  add(matches, "abc", 1, 5);
  CHECK_THROWS_AS(stats::bradley_terry(matches, "b", quick()), agon::Error);
  CHECK_NOTHROW(stats::plackett_luce(matches, "b", quick()));
  add(matches, "abcdefghijklm", 1, 5);
  CHECK_THROWS_AS(stats::plackett_luce(matches, "b", quick()), agon::Error);
  CHECK_THROWS_AS(stats::plackett_luce(Matches{}, "b", quick()), agon::Error);
}

TEST_CASE("only ties: equal strengths, finite tie parameter", "[stats]") {
  Matches matches;
  add(matches, "a=b", 40);
  const auto fit = stats::bradley_terry(matches, "b", quick());
  CHECK(*of(fit, "a").difference.value == Approx(0).margin(1e-9));
  CHECK(std::isfinite(fit.tie[0]));
  CHECK(fit.tie[0] > 100);
  CHECK(*of(fit, "a").rank == 1.5);
}

TEST_CASE("Strengths: an agent of few blocks has no interval, however many the others have",
          "[stats][strengths]") {
  Matches matches;
  add(matches, "ab", 80, 40);
  add(matches, "ba", 50, 40);
  for (int block = 0; block < 4; ++block) {
    Matches more;
    add(more, "ac", 1, 1);
    add(more, "ca", 2, 1);
    for (auto& match : more) {
      match.block = std::to_string(block);
      matches.push_back(std::move(match));
    }
  }
  const auto fit = stats::bradley_terry(matches, "a", quick());
  CHECK(of(fit, "b").difference.interval);
  CHECK(of(fit, "b").difference.units == 40);
  CHECK(of(fit, "c").difference.note == stats::Note::too_few);
  CHECK(of(fit, "c").difference.units == 4);
  CHECK(of(fit, "c").difference.blocks == 4);
  CHECK(of(fit, "c").difference.value);
  CHECK_FALSE(of(fit, "c").difference.interval);
  // The reference itself may be the one of few blocks.
  CHECK(of(stats::bradley_terry(matches, "c", quick()), "b").difference.note ==
        stats::Note::too_few);
}

TEST_CASE("Strengths: the game that an agent has fewest blocks of says whether they are enough",
          "[stats][strengths]") {
  // The same matches with the long game before the short one, and after it.
  const auto fit_over = [](const std::string& with_40_blocks, const std::string& with_4_blocks) {
    Matches matches;
    for (const auto& [game, blocks] :
         {std::pair{with_40_blocks, 40}, std::pair{with_4_blocks, 4}}) {
      Matches more;
      add(more, "ab", 2 * blocks, blocks);
      add(more, "ba", blocks, blocks);
      for (auto& match : more) {
        match.game = game;
        matches.push_back(std::move(match));
      }
    }
    return stats::bradley_terry(matches, "b", quick());
  };
  for (const auto& fit : {fit_over("g", "h"), fit_over("h", "g")}) {
    const auto& a = of(fit, "a").difference;
    CHECK(a.units == 44);
    CHECK(a.note == stats::Note::too_few);
    CHECK_FALSE(a.interval);
  }
}

TEST_CASE("Strengths: two that play alike differ by the ridge only, which is no interval",
          "[stats][strengths]") {
  Matches matches;
  for (int block = 0; block < 12; ++block) {
    Matches one;
    for (const char* places : {"hrr", "rhr", "rrh", "rrf", "rfr"}) add(one, places, 1, 1);
    if (block % 3 == 0) add(one, "frr", 1, 1);
    for (auto& match : one) {
      match.block = std::to_string(block);
      matches.push_back(std::move(match));
    }
  }
  const auto fit = stats::plackett_luce(matches, "r", quick());
  CHECK(of(fit, "h").difference.note == stats::Note::no_variation);
  CHECK(std::abs(*of(fit, "h").difference.value) < 1e-3);
  CHECK(of(fit, "f").difference.interval);
}
