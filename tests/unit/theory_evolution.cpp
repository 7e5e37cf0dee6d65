// Alpha-rank, replicator dynamics, and equilibria on given supports.

#include <cmath>
#include <numeric>

#include "catch.hpp"
#include "theory/equilibria.hpp"
#include "theory/evolution.hpp"

namespace theory = agon::theory;
using Matrix = std::vector<std::vector<double>>;

namespace {

theory::MatrixGame two(const Matrix& first, const Matrix& second) {
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < first.size(); ++i)
    for (std::size_t j = 0; j < first[i].size(); ++j) {
      payoffs.push_back(first[i][j]);
      payoffs.push_back(second[i][j]);
    }
  return {{first.size(), first[0].size()}, payoffs};
}

/// The same game for both players: what the row earns against the column.
theory::MatrixGame symmetric(const Matrix& payoffs) {
  Matrix other = payoffs;
  for (std::size_t i = 0; i < payoffs.size(); ++i)
    for (std::size_t j = 0; j < payoffs.size(); ++j) other[i][j] = payoffs[j][i];
  return two(payoffs, other);
}

const Matrix rock_paper_scissors{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}};
const Matrix dilemma{{3, 0}, {5, 1}};
const Matrix coordination{{2, 0}, {0, 1}};

void check_masses(const theory::Stationary& found, const std::vector<double>& expected) {
  REQUIRE(found.mass.size() == expected.size());
  for (std::size_t s = 0; s < expected.size(); ++s)
    CHECK(found.mass[s] == Approx(expected[s]).margin(1e-12));
  CHECK(std::accumulate(found.mass.begin(), found.mass.end(), 0.0) == Approx(1));
  CHECK(found.residual < 1e-15);
}

theory::AlphaRankOptions with(double alpha, std::size_t population) {
  return {.alpha = alpha, .population = population};
}

}  // namespace

TEST_CASE("a stationary distribution is exact to the last digits", "[theory]") {
  // From 0 to 1 one time in a million million, back half of the time.
  const auto found = theory::stationary({0, 1e-12, 0.5, 0}, 2);
  CHECK(found.mass[1] == Approx(2e-12).epsilon(1e-11));
  CHECK(found.mass[0] == Approx(1));
  // A chain of steps up that are a million million million times likelier than the steps down.
  const auto ladder = theory::stationary({0, 1, 0, 1e-18, 0, 1, 0, 1e-18, 0}, 3);
  CHECK(ladder.mass[0] == Approx(1e-36).epsilon(1e-12));
  CHECK(ladder.mass[2] == Approx(1));
}

TEST_CASE("alpha-rank has the values of an independent solution", "[theory]") {
  // From the paper's equations, solved by Gauss elimination in a script of another language.
  check_masses(
      theory::alpha_rank_symmetric(symmetric({{0, 2, -1}, {-1, 0, 3}, {2, -1, 0}}), with(0.5, 10)),
      {0.3450104421405108, 0.34501049016709195, 0.30997906769239725});
  check_masses(
      theory::alpha_rank_symmetric(symmetric({{1, 4, 0}, {2, 2, 1}, {3, 0, 2}}), with(0.3, 50)),
      {0.21716043273724153, 0.2856225909163753, 0.4972169763463832});
  check_masses(
      theory::alpha_rank(two({{3, 0}, {5, 1}}, {{3, 5}, {0, 1}}), with(0.1, 50)),
      {4.068652616420827e-07, 0.007337304348473137, 0.007337304348473281, 0.9853249844377918});
  check_masses(
      theory::alpha_rank(two({{3, 0}, {0, 2}}, {{2, 0}, {0, 3}}), with(0.1, 50)),
      {0.4999860342554765, 2.772502529341286e-05, 2.0645670399087734e-07, 0.4999860342625261});
  check_masses(
      theory::alpha_rank(two({{1, 3, 0}, {2, 0, 1}}, {{0, 1, 2}, {3, 1, 0}}), with(0.2, 20)),
      {0.005721350571407986, 0.009691281638128732, 0.019580956283045903, 0.9578049903879985,
       0.0015342710946104614, 0.005667150024808342});
}

TEST_CASE("alpha-rank in the limit of strong selection", "[theory]") {
  SECTION("rock, paper and scissors: even") {
    const auto game = symmetric(rock_paper_scissors);
    check_masses(theory::alpha_rank_symmetric(game, {}), {1 / 3.0, 1 / 3.0, 1 / 3.0});
    check_masses(theory::alpha_rank_symmetric(game, with(3, 50)), {1 / 3.0, 1 / 3.0, 1 / 3.0});
    check_masses(theory::alpha_rank(game, {}), std::vector<double>(9, 1 / 9.0));
  }
  SECTION("the prisoner's dilemma: all defect") {
    CHECK(theory::alpha_rank(symmetric(dilemma), {}).mass[3] == Approx(1).margin(1e-5));
    CHECK(theory::alpha_rank_symmetric(symmetric(dilemma), {}).mass[1] == Approx(1).margin(1e-5));
  }
  SECTION("two strict equilibria share what leaves them equally seldom") {
    const auto found = theory::alpha_rank(symmetric(coordination), {});
    CHECK(found.mass[0] == Approx(0.5).margin(1e-5));
    CHECK(found.mass[3] == Approx(0.5).margin(1e-5));
  }
  SECTION("equal payoffs everywhere: even") {
    check_masses(theory::alpha_rank(symmetric({{7, 7}, {7, 7}}), {}), {.25, .25, .25, .25});
    check_masses(theory::alpha_rank(symmetric({{7, 7}, {7, 7}}), with(1e300, 50)),
                 {.25, .25, .25, .25});
  }
  SECTION("a finite alpha so strong that it is the limit, and no number breaks") {
    for (const double alpha : {1e3, 1e9, 1e300}) {
      const auto found = theory::alpha_rank(symmetric(dilemma), with(alpha, 50));
      CHECK(found.mass[3] == Approx(1));
      CHECK(found.residual < 1e-15);
    }
  }
  SECTION("payoffs that differ by rounding only are equal") {
    check_masses(theory::alpha_rank_symmetric(symmetric({{0.3, 0.1 + 0.2}, {0.3, 0.3}}), {}),
                 {.5, .5});
  }
  SECTION("one action, and three players") {
    check_masses(theory::alpha_rank_symmetric(symmetric({{1}}), {}), {1});
    // Whoever is alone with its choice gets 1: nobody stays in the crowd.
    const theory::MatrixGame alone(
        {2, 2, 2}, {0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    const auto found = theory::alpha_rank(alone, {});
    CHECK(found.mass[0] == Approx(found.mass[7]));
    CHECK(found.mass[0] < found.mass[1]);
    check_masses(theory::alpha_rank_symmetric(alone, {}), {.5, .5});
  }
}

TEST_CASE("replicator dynamics go where they should", "[theory]") {
  const auto from = [](const Matrix& payoffs, std::vector<double> start) {
    return theory::replicate(symmetric(payoffs), true, {std::move(start)});
  };
  SECTION("the dilemma ends in defection, with one population and with two") {
    const auto one = from(dilemma, {0.99, 0.01});
    CHECK(one.settled);
    CHECK(one.shares[0][1] == Approx(1).margin(1e-5));
    CHECK(one.error < 1e-4);
    const auto both = theory::replicate(symmetric(dilemma), false, {{.9, .1}, {.8, .2}});
    CHECK(both.settled);
    CHECK(both.shares[0][1] == Approx(1).margin(1e-5));
    CHECK(both.shares[1][1] == Approx(1).margin(1e-5));
  }
  SECTION("coordination: the border of the basins is one third") {
    CHECK(from(coordination, {0.34, 0.66}).shares[0][0] == Approx(1).margin(1e-4));
    CHECK(from(coordination, {0.33, 0.67}).shares[0][0] == Approx(0).margin(1e-4));
    const auto border = from(coordination, {1 / 3.0, 2 / 3.0});
    CHECK(border.settled);
    CHECK(border.shares[0][0] == Approx(1 / 3.0));
  }
  SECTION("rock, paper and scissors go round for ever, and their product stays") {
    const auto rest = from(rock_paper_scissors, {1 / 3.0, 1 / 3.0, 1 / 3.0});
    CHECK(rest.settled);
    CHECK(rest.time == 0);
    const auto around = from(rock_paper_scissors, {0.5, 0.3, 0.2});
    CHECK_FALSE(around.settled);
    for (const double share : around.shares[0]) CHECK(share == Approx(1 / 3.0).margin(0.01));
    // After a while, and not its mean: exactly as far out as at the start.
    const auto later = theory::replicate(symmetric(rock_paper_scissors), true, {{0.5, 0.3, 0.2}},
                                         {.step = 0.1, .horizon = 0.1, .halvings = 0});
    CHECK_FALSE(later.settled);
  }
  SECTION("if winning pays more than losing costs, they come to rest in the middle") {
    const auto end = from({{0, -1, 2}, {2, 0, -1}, {-1, 2, 0}}, {0.6, 0.3, 0.1});
    CHECK(end.settled);
    for (const double share : end.shares[0]) CHECK(share == Approx(1 / 3.0).margin(1e-4));
  }
  SECTION("equal payoffs everywhere: it stays where it is") {
    const auto end = from({{4, 4}, {4, 4}}, {0.2, 0.8});
    CHECK(end.settled);
    CHECK(end.shares[0][0] == Approx(0.2));
  }
  SECTION("an action that is all but gone comes back where it pays") {
    const auto end = from({{0, 0}, {1, 1}}, {1 - 1e-12, 1e-12});
    CHECK(end.settled);
    CHECK(end.shares[0][1] == Approx(1).margin(1e-5));
  }
  SECTION("three players") {
    // Everybody gets 1 if all choose alike.
    const theory::MatrixGame alike(
        {2, 2, 2}, {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1});
    CHECK(theory::replicate(alike, true, {{.6, .4}}).shares[0][0] == Approx(1).margin(1e-3));
    const auto apart = theory::replicate(alike, false, {{.6, .4}, {.3, .7}, {.2, .8}});
    for (const auto& population : apart.shares) CHECK(population[1] == Approx(1).margin(1e-3));
  }
}

TEST_CASE("the gap of shares is what the best action earns more", "[theory]") {
  const auto gap = [](const Matrix& payoffs, bool alike, const theory::Shares& shares) {
    theory::ReplicatorOptions nowhere;
    nowhere.horizon = 0;
    return theory::replicate(symmetric(payoffs), alike, shares, nowhere).gap;
  };
  // In the range of payoffs, which is 5. Even shares earn 2.25, the best action 3.
  CHECK(gap(dilemma, true, {{.5, .5}}) == Approx(.15));
  // The row could gain 1.8 - 0.72, the column 4.6 - 4.22.
  CHECK(gap(dilemma, false, {{.9, .1}, {.2, .8}}) == Approx(1.08 / 5));
  CHECK(gap(rock_paper_scissors, true,
            theory::uniform_shares(symmetric(rock_paper_scissors), true)) ==
        Approx(0).margin(1e-15));
}

TEST_CASE("supports of equilibria agree with the exact ones", "[theory]") {
  using Supports = std::vector<theory::Support>;
  CHECK(theory::equilibrium_supports(symmetric(dilemma)) == Supports{{2, 2}});
  CHECK(theory::equilibrium_supports(symmetric(coordination)) == Supports{{1, 1}, {2, 2}, {3, 3}});
  CHECK(theory::equilibrium_supports(symmetric(rock_paper_scissors)) == Supports{{7, 7}});
  const auto mixed = theory::equilibrium_on(symmetric(coordination), {3, 3});
  REQUIRE(mixed);
  CHECK((*mixed)[0][0] == Approx(1 / 3.0));
  CHECK((*mixed)[1][1] == Approx(2 / 3.0));
  CHECK_FALSE(theory::equilibrium_on(symmetric(dilemma), {3, 3}));
  CHECK_FALSE(theory::equilibrium_on(symmetric(dilemma), {1, 3}));
  // Ties everywhere: every pure profile, and nothing that is not the only one of its kind.
  CHECK(theory::equilibrium_supports(symmetric({{1, 1}, {1, 1}})) ==
        Supports{{1, 1}, {1, 2}, {2, 1}, {2, 2}});
  // Scale does not matter.
  CHECK(theory::equilibrium_supports(symmetric({{2e150, 0}, {0, 1e150}})) ==
        Supports{{1, 1}, {2, 2}, {3, 3}});
}
