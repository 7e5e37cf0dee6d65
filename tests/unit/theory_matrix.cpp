#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <limits>

#include "catch.hpp"

using namespace agon::theory;

namespace {

using Cells = std::vector<std::size_t>;

MatrixGame square(std::size_t actions, std::vector<double> payoffs) {
  return {{actions, actions}, std::move(payoffs)};
}

const MatrixGame prisoners = square(2, {3, 3, 0, 5, 5, 0, 1, 1});
const MatrixGame stag_hunt = square(2, {3, 3, 0, 1, 1, 0, 1, 1});
const MatrixGame sexes = square(2, {2, 1, 0, 0, 0, 0, 1, 2});
const MatrixGame wait_go = square(2, {0, 0, 0, 2, 2, 0, -4, -4});
const MatrixGame duopoly =
    square(6, {0,  0,  0,  9,  0,  14, 0,  15, 0,  12, 0,  5,  9,  0,  7,  7,  5,  10,
               3,  9,  1,  4,  -1, -5, 14, 0,  10, 5,  6,  6,  2,  3,  -2, -4, -2, -5,
               15, 0,  9,  3,  3,  2,  -3, -3, -3, -4, -3, -5, 12, 0,  4,  1,  -4, -2,
               -4, -3, -4, -4, -4, -5, 5,  0,  -5, -1, -5, -2, -5, -3, -5, -4, -5, -5});
const MatrixGame scissors = square(3, {0, 0, -1, 1, 1, -1, 1, -1, 0, 0, -1, 1, -1, 1, 1, -1, 0, 0});

std::string text(const MixedStrategy& strategy) {
  std::string all;
  for (const Exact& weight : strategy) all += (all.empty() ? "" : " ") + weight.text;
  return all;
}

std::vector<std::string> texts(const MatrixGame& game) {
  std::vector<std::string> all;
  for (const auto& found : extreme_equilibria(game)) {
    all.push_back(text(found.first) + " | " + text(found.second) + " -> " +
                  found.first_payoff.text + ", " + found.second_payoff.text);
  }
  return all;
}

std::string refusal(std::vector<std::size_t> actions, std::vector<double> payoffs) {
  try {
    const MatrixGame game(std::move(actions), std::move(payoffs));
  } catch (const agon::Error& error) {
    return error.where() + ": " + error.problem();
  }
  return "none";
}

}  // namespace

TEST_CASE("theory: pure equilibria of the classic two-player games") {
  CHECK(pure_equilibria(prisoners) == Cells{3});
  CHECK(pure_equilibria(stag_hunt) == Cells{0, 3});
  CHECK(pure_equilibria(sexes) == Cells{0, 3});
  CHECK(pure_equilibria(wait_go) == Cells{1, 2});
  CHECK(pure_equilibria(duopoly) == Cells{14});  // both take the third action
  CHECK(pure_equilibria(scissors).empty());
}

TEST_CASE("theory: the equilibria that no other equilibrium Pareto-dominates") {
  CHECK(best_pure_equilibria(prisoners) == Cells{3});  // (3,3) is better, and no equilibrium
  CHECK(best_pure_equilibria(stag_hunt) == Cells{0});
  CHECK(best_pure_equilibria(sexes) == Cells{0, 3});
  CHECK(best_pure_equilibria(wait_go) == Cells{1, 2});
  CHECK(best_pure_equilibria(duopoly) == Cells{14});
}

TEST_CASE("theory: the perturbed matrices keep their equilibria") {
  CHECK(pure_equilibria(square(2, {300, 300, 0, 301, 301, 0, 1, 1})) == Cells{3});
  CHECK(pure_equilibria(square(2, {3, 3, -300, 5, 5, -300, -299, -299})) == Cells{3});
  CHECK(pure_equilibria(square(2, {300, 300, 0, 1, 1, 0, 1, 1})) == Cells{0, 3});
  CHECK(pure_equilibria(square(2, {3, 3, -100, -99, -99, -100, -99, -99})) == Cells{0, 3});
}

TEST_CASE("theory: in Golden Balls all cells but both splitting are equilibria") {
  const MatrixGame golden = square(2, {50, 50, 0, 100, 100, 0, 0, 0});
  CHECK(pure_equilibria(golden) == Cells{1, 2, 3});
  CHECK(texts(golden) == std::vector<std::string>{"1 0 | 0 1 -> 0, 100", "0 1 | 1 0 -> 100, 0",
                                                  "0 1 | 0 1 -> 0, 0"});
}

TEST_CASE("theory: the Pareto frontier of the duopoly") {
  std::vector<std::vector<double>> points;
  for (std::size_t i = 0; i < duopoly.profiles(); ++i) {
    points.emplace_back(duopoly.payoffs(i).begin(), duopoly.payoffs(i).end());
  }
  // (1,4) (2,2) (2,3) (3,2) (4,1)
  CHECK(pareto_frontier(points) == Cells{3, 7, 8, 13, 18});
  CHECK(pareto_frontier(std::vector<std::vector<double>>{{1, 1}, {1, 1}, {0, 1}}) == Cells{0, 1});
}

TEST_CASE("theory: mixed equilibria are exact") {
  CHECK(texts(scissors) == std::vector<std::string>{"1/3 1/3 1/3 | 1/3 1/3 1/3 -> 0, 0"});
  CHECK(texts(sexes) == std::vector<std::string>{"1 0 | 1 0 -> 2, 1", "0 1 | 0 1 -> 1, 2",
                                                 "2/3 1/3 | 1/3 2/3 -> 2/3, 2/3"});
  CHECK(texts(wait_go) == std::vector<std::string>{"1 0 | 0 1 -> 0, 2", "0 1 | 1 0 -> 2, 0",
                                                   "2/3 1/3 | 2/3 1/3 -> 0, 0"});
  CHECK(texts(stag_hunt) == std::vector<std::string>{"1 0 | 1 0 -> 3, 3", "0 1 | 0 1 -> 1, 1",
                                                     "1/3 2/3 | 1/3 2/3 -> 1, 1"});
  CHECK(texts(prisoners) == std::vector<std::string>{"0 1 | 0 1 -> 1, 1"});
  CHECK(texts(duopoly) == std::vector<std::string>{"0 0 1 0 0 0 | 0 0 1 0 0 0 -> 6, 6"});
}

TEST_CASE("theory: a payoff counts as the decimal it was written as") {
  // 0.1 + 0.2 as a double is not 0.3; the written numbers tie.
  const MatrixGame game({2, 2}, {0.3, 0, 0.1, 0, 0.1, 0, 0.3, 0});
  const auto found = extreme_equilibria(game);
  CHECK(std::any_of(found.begin(), found.end(), [](const MixedEquilibrium& e) {
    return text(e.second) == "1/2 1/2" && e.first_payoff.text == "1/5";
  }));
  CHECK(texts(square(1, {-1.25e-3, 1e21})) ==
        std::vector<std::string>{"1 | 1 -> -1/800, 1000000000000000000000"});
}

TEST_CASE("theory: where everything is equal every pair of actions is an extreme equilibrium") {
  CHECK(extreme_equilibria(MatrixGame({2, 3}, std::vector<double>(12, 7))).size() == 6);
}

TEST_CASE("theory: best replies to an action and to a mixture") {
  CHECK(best_replies(wait_go, 0, 0) == Cells{1});
  CHECK(best_replies(wait_go, 0, 1) == Cells{0});
  CHECK(best_replies(stag_hunt, 1, stag_hunt.index(std::vector<std::size_t>{0, 1})) == Cells{0});
  CHECK(best_replies(scissors, 0, {{1. / 3, "1/3"}, {1. / 3, "1/3"}, {1. / 3, "1/3"}}) ==
        Cells{0, 1, 2});
  CHECK(best_replies(scissors, 1, {{0.5, "1/2"}, {0.5, "1/2"}, {0, "0"}}) == Cells{1});
  CHECK_THROWS_AS(best_replies(scissors, 0, {{1, "1"}}), agon::Error);
  CHECK_THROWS_AS(best_replies(scissors, 0, {{1, "1"}, {0, "1/0"}, {0, "x"}}), agon::Error);
}

TEST_CASE("theory: pure equilibria of three players") {
  // Majority: each of three is paid 1 if it sides with most, 0 if alone.
  std::vector<double> payoffs;
  for (int a = 0; a < 2; ++a) {
    for (int b = 0; b < 2; ++b) {
      for (int c = 0; c < 2; ++c) {
        const int ones = a + b + c;
        for (const int own : {a, b, c}) payoffs.push_back((ones >= 2) == (own == 1) ? 1 : 0);
      }
    }
  }
  const MatrixGame majority({2, 2, 2}, payoffs);
  CHECK(pure_equilibria(majority) == Cells{0, 7});
  CHECK(majority.profile(6) == std::vector<std::size_t>{1, 1, 0});
  CHECK(majority.index(std::vector<std::size_t>{1, 1, 0}) == 6);
  CHECK(best_replies(majority, 2, 6) == Cells{1});
  CHECK_THROWS_AS(majority.index(std::vector<std::size_t>{1, 2, 0}), agon::Error);
  CHECK_THROWS_AS(extreme_equilibria(majority), agon::Error);
}

TEST_CASE("theory: dominated actions are crossed out round by round") {
  const auto left = [](const EliminationResult& result) { return result.left; };
  CHECK(left(eliminate_dominated(prisoners)) == std::vector<Cells>{{1}, {1}});
  // Osborne and Rubinstein's kind: the second column goes only after the third row went.
  const MatrixGame chain({3, 2}, {3, 0, 2, 1, 0, 0, 4, 1, 0, 9, 1, 0});
  const auto result = eliminate_dominated(chain);
  REQUIRE(result.eliminated.size() == 3);
  CHECK((result.eliminated[0].round == 0 && result.eliminated[0].player == 0 &&
         result.eliminated[0].action == 2));
  CHECK(text(result.eliminated[0].by) == "1 0 0");
  CHECK((result.eliminated[1].round == 1 && result.eliminated[1].player == 1 &&
         result.eliminated[1].action == 0));
  CHECK((result.eliminated[2].round == 2 && result.eliminated[2].action == 0));
  CHECK(result.left == std::vector<Cells>{{1}, {1}});
  CHECK(left(eliminate_dominated(stag_hunt)) == std::vector<Cells>{{0, 1}, {0, 1}});
  CHECK(left(eliminate_dominated(square(2, {50, 50, 0, 100, 100, 0, 0, 0}), Dominance::weak)) ==
        std::vector<Cells>{{1}, {1}});
}

TEST_CASE("theory: an action that only a mixture dominates") {
  // Half of each outer action makes 1.5 against the middle one's 1.
  const MatrixGame game({3, 2}, {3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 3, 0});
  CHECK(eliminate_dominated(game).eliminated.empty());
  const auto mixed = eliminate_dominated(game, Dominance::strict, DominatedBy::mixed);
  REQUIRE(mixed.eliminated.size() == 1);
  CHECK(mixed.eliminated[0].action == 1);
  CHECK(text(mixed.eliminated[0].by) == "1/2 0 1/2");
  // Against 1.5 everywhere the mixture is never better: not even weakly dominated.
  const MatrixGame level({3, 2}, {3, 0, 0, 0, 1.5, 0, 1.5, 0, 0, 0, 3, 0});
  CHECK(eliminate_dominated(level, Dominance::weak, DominatedBy::mixed).eliminated.empty());
  const MatrixGame once({3, 3}, {3, 0, 0, 0, 2, 0, 1.5, 0, 1.5, 0, 1, 0, 0, 0, 3, 0, 2, 0});
  const auto weak = eliminate_dominated(once, Dominance::weak, DominatedBy::mixed);
  REQUIRE(weak.eliminated.size() == 1);
  CHECK(text(weak.eliminated[0].by) == "1/2 0 1/2");
  CHECK(eliminate_dominated(once, Dominance::strict, DominatedBy::mixed).eliminated.empty());
}

TEST_CASE("theory: an action that ties somewhere is dominated weakly only") {
  // The second action ties with the first against one column and loses against the other.
  const MatrixGame ties = square(2, {1, 0, 1, 0, 1, 0, 0, 0});
  CHECK(eliminate_dominated(ties).eliminated.empty());
  const auto weak = eliminate_dominated(ties, Dominance::weak);
  REQUIRE(weak.eliminated.size() == 1);
  CHECK(weak.eliminated[0].player == 0);
  CHECK(weak.eliminated[0].action == 1);
  // Two that are the same dominate each other in no way.
  const MatrixGame same = square(2, {1, 0, 1, 0, 1, 0, 1, 0});
  CHECK(eliminate_dominated(same, Dominance::weak).eliminated.empty());
}

TEST_CASE("theory: what a player can make sure of") {
  CHECK(pure_maximin(wait_go, 0).value.text == "0");
  CHECK(text(pure_maximin(wait_go, 0).strategy) == "1 0");
  CHECK(pure_maximin(scissors, 1).value.text == "-1");
}

TEST_CASE("theory: a bad matrix is refused with its place") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal({2, 2}, {1, 2, 3}).find("payoffs: the table has a hole") == 0);
  CHECK(refusal({1, 1}, {1, nan}).find("payoffs[1]: a payoff is not a finite") == 0);
  CHECK(refusal({1, 1}, {1, std::numeric_limits<double>::infinity()}).find("payoffs[1]") == 0);
  CHECK(refusal({}, {}).find("actions:") == 0);
  CHECK(refusal({2, 0}, {}).find("actions[1]:") == 0);
  CHECK(refusal({2000, 2000}, {}).find("more than 1000000 profiles") != std::string::npos);
  CHECK(refusal(std::vector<std::size_t>(17, 1), {}).find("1 to 16 players") != std::string::npos);
  CHECK_THROWS_AS(extreme_equilibria(MatrixGame({13, 1}, std::vector<double>(26, 0))), agon::Error);
}
