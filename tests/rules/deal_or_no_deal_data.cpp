// What holds without any outside file: sections 2.1, 2.2, 3.1 and 3.7 of the game's rules.

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "catch.hpp"
#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal_or_no_deal_rows.hpp"
#include "support/folders.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

const Instance case_0{"point-0", 0, {1, 1, 3}, {Amounts{1, 3, 2}, Amounts{4, 0, 2}}};

/// How likely it is, by the belief of this side, that nobody envies under this split.
double envy_free_probability(const Belief& belief, const Amounts& own_values, const Split& split,
                             std::size_t side = 0) {
  const Amounts& own = split.parts[side];
  const Amounts& other = split.parts[1 - side];
  if (envies(own_values, own, other)) return 0;
  const auto shares = belief.probabilities();
  double sum = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (!envies(belief.candidates()[i], other, own)) sum += shares[i];
  return sum;
}

/// The same of case_0 and its first side.
double envy_free_probability(const Belief& belief, const Amounts& own) {
  return envy_free_probability(belief, case_0.values[0], full_split(case_0.counts, own));
}

std::vector<Amounts> support(const Belief& belief) {
  std::vector<Amounts> possible;
  const auto shares = belief.probabilities();
  for (std::size_t i = 0; i < shares.size(); ++i)
    if (shares[i] > 0) possible.push_back(belief.candidates()[i]);
  return possible;
}

bool equal(double a, double b) {
  return std::abs(a - b) < 1e-12;
}

std::string shipped() {
  const auto path = agon::test::source_folder() / "games/deal-or-no-deal/data/instances.json";
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The shipped instances were drawn with this: the standard fixes the engine, and the rest is here.
Draw shipped_draws(std::uint64_t seed) {
  return [engine = std::mt19937_64(seed)](std::uint32_t n) mutable {
    const std::uint64_t range = n;
    const std::uint64_t unusable = (0 - range) % range;
    std::uint64_t word = engine();
    while (word < unusable) word = engine();
    return static_cast<std::uint32_t>(word % range);
  };
}

}  // namespace

TEST_CASE("Deal or No Deal: an invalid instance is told apart, with reasons") {
  CHECK(problems(case_0).empty());
  Instance wrong = case_0;
  wrong.counts[1] = 0;
  wrong.values[0][2] = -1;
  wrong.values[1] = {1, 1};
  CHECK(problems(wrong) ==
        std::vector<std::string>{"type 2 has 0 items instead of 1 to 1000",
                                 "the first side values type 3 at -1 instead of 0 to 1000000",
                                 "the second side has 2 values for 3 item types"});
  CHECK(problems(Instance{}) == std::vector<std::string>{"there are no items"});
  Instance large{"", 0, Amounts::filled(8, 9), {Amounts::filled(8, 1), Amounts::filled(8, 1)}};
  CHECK(problems(large) ==
        std::vector<std::string>{"there are more than 100000 ways to split the items"});
  CHECK_THROWS_AS(require_valid(wrong, "here"), agon::Error);
  CHECK_NOTHROW(require_valid(case_0, "here"));
  CHECK_THROWS_AS((Amounts{1, 2, 3, 4, 5, 6, 7, 8, 9}), agon::Error);
}

TEST_CASE("Deal or No Deal 2.1: instances keep the constraints of the published data or do not") {
  CHECK(keeps(case_0));
  const Instance apart{"", 0, {1, 2, 5}, {Amounts{0, 5, 0}, Amounts{10, 0, 0}}};
  CHECK_FALSE(keeps(apart));
  Instance poor = case_0;
  poor.values[1] = {1, 1, 1};
  CHECK_FALSE(keeps(poor));
  Constraints loose;
  loose.max_items = 8;
  loose.each_type_wanted = false;
  loose.shared_type = false;
  CHECK(keeps(apart, loose));
  // Each of the three is looked at by itself.
  for (const int which : {0, 1, 2}) {
    Constraints strict = loose;
    if (which == 0) strict.max_items = 7;
    if (which == 1) strict.each_type_wanted = true;
    if (which == 2) strict.shared_type = true;
    CHECK_FALSE(keeps(apart, strict));
  }
}

TEST_CASE("Deal or No Deal 3.1: splits come with the first type slowest") {
  const auto list = all_splits({1, 1, 3});
  REQUIRE(list.size() == 16);
  CHECK(list[0] == Split{{Amounts{0, 0, 0}, Amounts{1, 1, 3}}});
  CHECK(list[1] == Split{{Amounts{0, 0, 1}, Amounts{1, 1, 2}}});
  CHECK(list[4] == Split{{Amounts{0, 1, 0}, Amounts{1, 0, 3}}});
  CHECK(list[8] == Split{{Amounts{1, 0, 0}, Amounts{0, 1, 3}}});
  CHECK(list[15] == Split{{Amounts{1, 1, 3}, Amounts{0, 0, 0}}});
  CHECK(all_splits({2}).size() == 3);
  CHECK(all_splits({1, 1, 1, 1, 1, 1, 1, 2}).size() == 384);
  CHECK_THROWS_AS(all_splits(Amounts::filled(8, 9)), agon::Error);
}

TEST_CASE("Deal or No Deal 3.1: envy needs a full split, Pareto optimality does not") {
  const Split best = full_split(case_0.counts, {0, 1, 2});
  CHECK(scores(case_0, best) == std::array<std::int64_t, 2>{7, 6});
  CHECK(envy_free(case_0, best));
  CHECK(pareto_optimal(case_0, best));
  const Split greedy = full_split(case_0.counts, {1, 1, 3});
  CHECK_FALSE(envy_free(case_0, greedy));
  CHECK(pareto_optimal(case_0, greedy));
  // The hat is worth nothing to the second side: who has only what both want wastes nothing.
  const Split hat_over{{Amounts{0, 0, 3}, Amounts{1, 0, 0}}};
  CHECK(fits(case_0.counts, hat_over));
  CHECK_FALSE(is_full(case_0.counts, hat_over));
  CHECK_FALSE(envy_free(case_0, hat_over));
  CHECK_FALSE(pareto_optimal(case_0, hat_over));
  const Instance idle{"", 0, {1, 1}, {Amounts{5, 0}, Amounts{5, 0}}};
  CHECK(pareto_optimal(idle, Split{{Amounts{1, 0}, Amounts{0, 0}}}));
  CHECK_FALSE(envy_free(idle, Split{{Amounts{1, 0}, Amounts{0, 0}}}));
  CHECK_FALSE(fits(case_0.counts, Split{{Amounts{1, 1, 2}, Amounts{0, 0, 2}}}));
  CHECK_FALSE(fits(case_0.counts, Split{{Amounts{-1, 1, 2}, Amounts{0, 0, 0}}}));
  CHECK_FALSE(fits(case_0.counts, Split{{Amounts{1, 1}, Amounts{0, 0}}}));
}

TEST_CASE("Deal or No Deal 3.1: judging all splits at once agrees with judging each") {
  for (const Row& row : rows_of(shipped())) {
    for (const Outcome& outcome : outcomes(row.instance)) {
      REQUIRE(outcome.pareto_optimal == pareto_optimal(row.instance, outcome.split));
      REQUIRE(outcome.envy_free == envy_free(row.instance, outcome.split));
    }
  }
}

TEST_CASE("Deal or No Deal 3.1: yardsticks of one instance, worked out by hand") {
  // Scores: hats only 3, 0; everything to the first side 10, 0; and so on over 16 splits.
  const auto found = yardsticks(case_0);
  CHECK(found.splits == 16);
  CHECK(found.best_joint == 13);
  REQUIRE(found.best);
  // Balls are worth 2 to both, so {hat, 1 ball} to {hat, 3 balls} all make 13; fair are 5,8 and
  // 7,6.
  CHECK(found.best->split.parts[0] == Amounts{0, 1, 1});
  CHECK(found.best->scores == std::array<std::int64_t, 2>{5, 8});
  CHECK(found.best_ties == 2);
  CHECK(found.best_envy_free_joint == 13);
  CHECK(found.nash.scores == std::array<std::int64_t, 2>{7, 6});
  CHECK(found.own_best == std::array<std::int64_t, 2>{10, 10});
  CHECK(found.own_best_with_gain == std::array<std::int64_t, 2>{9, 10});
  CHECK(found.own_best_envy_free[0] == 7);
  const auto list = outcomes(case_0);
  CHECK(best_score(list, 0, 4) == 9);
  CHECK(best_score(list, 0, 5) == 7);
  CHECK_FALSE(best_score(list, 0, 11));

  const Instance one{"", 0, {1}, {Amounts{3}, Amounts{3}}};
  const auto lone = yardsticks(one);
  CHECK_FALSE(lone.best);
  CHECK_FALSE(lone.best_envy_free_joint);
  CHECK(lone.own_best_with_gain == std::array<std::int64_t, 2>{0, 0});
  CHECK(lone.pareto_optimal == 2);
}

TEST_CASE("Deal or No Deal 3.7: sizes of the prior over integer valuations") {
  const auto size = [](const Amounts& counts) { return valuations(counts).size(); };
  CHECK(size({1, 1, 3}) == 26);
  CHECK(size({1, 1, 4}) == 21);
  CHECK(size({1, 2, 2}) == 21);
  CHECK(size({1, 2, 3}) == 14);
  CHECK(size({1, 2, 4}) == 12);
  CHECK(size({1, 3, 3}) == 10);
  CHECK(size({2, 2, 2}) == 21);
  CHECK(size({3, 1, 1}) == 26);
  CHECK(size({3}) == 0);
  for (const Amounts& valuation : valuations({1, 2, 4})) {
    CHECK(worth(Amounts{1, 2, 4}, valuation) == 10);
  }
  const auto list = valuations({1, 1, 3});
  CHECK(std::is_sorted(list.begin(), list.end()));
  CHECK_THROWS_AS(valuations({1, 0}), agon::Error);
  CHECK_THROWS_AS(valuations(Amounts::filled(8, 1), 40), agon::Error);
}

TEST_CASE("Deal or No Deal 3.7: the first proposal of point 0 is the hat and three balls") {
  const Belief belief({1, 1, 3}, {1, 3, 2}, 0);
  const auto proposal = belief.proposal();
  REQUIRE(proposal);
  CHECK(proposal->parts[0] == Amounts{0, 1, 3});
  CHECK(worth(proposal->parts[0], {1, 3, 2}) == 9);
  // Only those who value the book at 5 or more do not envy: book 5..10 leaves 5..0 for hat and
  // balls, with 2, 2, 2, 1, 1 and 1 ways.
  CHECK(equal(envy_free_probability(belief, {0, 1, 3}), 9.0 / 26));
  CHECK(envy_free_probability(belief, {1, 1, 3}) == 0);
  CHECK(envy_free_probability(belief, {1, 0, 0}) == 0);
}

TEST_CASE("Deal or No Deal 3.7: with lambda and gamma 1 exactly the possible rejectors stay") {
  Belief belief({1, 1, 3}, {1, 3, 2}, 0);
  const auto possible_before = [&](const Amounts& candidate, std::int64_t offered) {
    for (const Split& split : all_splits({1, 1, 3})) {
      if (envy_free_probability(belief, split.parts[0]) > 0 &&
          worth(split.parts[1], candidate) > offered) {
        return true;
      }
    }
    return false;
  };
  std::vector<Amounts> expected;
  for (const Amounts& candidate : belief.candidates()) {
    const auto offered = worth(Amounts{1, 0, 0}, candidate);
    const bool envious = offered < worth(Amounts{0, 1, 3}, candidate);
    if (envious || possible_before(candidate, offered)) expected.push_back(candidate);
  }
  belief.reject({0, 1, 3});
  CHECK(support(belief) == expected);
  // (10, 0, 0) has what it wants already, so it is ruled out; nobody else is.
  CHECK(expected.size() == 25);
  const auto shares = belief.probabilities();
  CHECK(shares.back() == 0);
  CHECK(shares.front() == 1.0 / 25);
}

TEST_CASE("Deal or No Deal 3.7: with gamma 0 only envy explains a rejection") {
  BeliefOptions options;
  options.gamma = 0;
  Belief belief({1, 1, 3}, {1, 3, 2}, 0, options);
  belief.reject({0, 1, 3});
  CHECK(support(belief).size() == 26 - 9);
  CHECK(envy_free_probability(belief, {0, 1, 3}) == 0);
  const auto next = belief.proposal();
  REQUIRE(next);
  CHECK(worth(next->parts[0], {1, 3, 2}) < 9);
}

TEST_CASE("Deal or No Deal 3.7: lambda mixes the belief with what Bayes' rule says") {
  BeliefOptions options;
  options.gamma = 0;
  options.lambda = 0.25;
  Belief belief({1, 1, 3}, {1, 3, 2}, 0, options);
  belief.reject({0, 1, 3});
  const auto shares = belief.probabilities();
  double sum = 0;
  for (const double share : shares) sum += share;
  CHECK(equal(sum, 1));
  CHECK(equal(shares.back(), 0.75 / 26));               // ruled out by Bayes' rule
  CHECK(equal(shares.front(), 0.75 / 26 + 0.25 / 17));  // kept by it
  options.lambda = 0;
  Belief stubborn({1, 1, 3}, {1, 3, 2}, 0, options);
  const auto before = stubborn.probabilities();
  stubborn.reject({0, 1, 3});
  CHECK(stubborn.probabilities() == before);
  options.gamma = 0.5;
  options.lambda = 1;
  Belief mixed({1, 1, 3}, {1, 3, 2}, 0, options);
  mixed.reject({0, 1, 3});
  // 17 envy (weight 1), 8 are greedy (weight 1/2), 1 has everything.
  CHECK(equal(mixed.probabilities().front(), 1.0 / 21));
  CHECK(equal(envy_free_probability(mixed, {0, 1, 3}), 4.0 / 21));
}

TEST_CASE("Deal or No Deal 3.7: a rejection that nobody would make changes nothing") {
  Belief belief({1, 1, 3}, {1, 3, 2}, 0);
  const auto before = belief.probabilities();
  belief.reject({0, 0, 0});  // everything for the other side
  CHECK(belief.probabilities() == before);
}

TEST_CASE("Deal or No Deal 3.7: no proposal where no split can be envy-free") {
  // One item: whoever does not have it envies, except at value 0, which no total of 10 allows.
  const Belief belief({1}, {10}, 0);
  CHECK_FALSE(belief.proposal());
  CHECK_THROWS_AS(Belief({1, 1}, {10}, 0), agon::Error);
  CHECK_THROWS_AS(Belief({1}, {10}, 2), agon::Error);
  const Amounts many = Amounts::filled(7, 3);
  BeliefOptions rich;
  rich.total_value = 36;  // 16384 splits, 18564 valuations
  CHECK_THROWS_AS(Belief(many, Amounts::filled(7, 1), 0, rich), agon::Error);
  BeliefOptions options;
  options.gamma = 1.5;
  CHECK_THROWS_AS(Belief({1}, {10}, 0, options), agon::Error);
}

TEST_CASE("Deal or No Deal 3.7: ties go to the likelier, then to the first split in order") {
  // Values 5, 5 and 0 over counts 1, 1 and 2: one dear item each. Taking either dear item with both
  // idle ones scores as much as taking it without them.
  const Amounts counts{1, 1, 2};
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Belief belief(counts, {5, 5, 0}, side);
    const auto proposal = belief.proposal();
    REQUIRE(proposal);
    std::optional<Split> expected;
    for (const Split& split : all_splits(counts)) {
      const auto& own = split.parts[side];
      const double chance = envy_free_probability(belief, {5, 5, 0}, split, side);
      const auto score = worth(own, {5, 5, 0});
      if (chance <= 0) continue;
      const auto& best = expected ? expected->parts[side] : own;
      const auto best_score = worth(best, {5, 5, 0});
      const double best_chance =
          envy_free_probability(belief, {5, 5, 0}, expected ? *expected : split, side);
      if (!expected || score > best_score || (score == best_score && chance > best_chance)) {
        expected = split;
      }
    }
    CHECK(proposal == expected);
  }
}

TEST_CASE("Deal or No Deal 3.9: the paper's example of two tied optimal splits") {
  // Counts 1, 1, 3; own 1, 3, 2; the other 1, 0, 3: both the hat and a ball, and the book with
  // them.
  const auto positions = optimal_splits({1, 1, 3}, {1, 3, 2}, {1, 0, 3});
  const auto list = all_splits({1, 1, 3});
  REQUIRE(positions.size() == 2);
  CHECK(list[positions[0]].parts[0] == Amounts{0, 1, 1});
  CHECK(list[positions[1]].parts[0] == Amounts{1, 1, 1});
}

TEST_CASE("Deal or No Deal 3.9: a candidate without an envy-free split is not acceptable") {
  const Amounts counts{1, 1, 3};
  const Amounts own{1, 3, 2};
  const Amounts truth{4, 0, 2};
  const auto prior = valuations(counts);
  const auto alike = indistinguishable(counts, own, truth, prior);
  CHECK(std::find(alike.begin(), alike.end(), truth) != alike.end());
  for (const Amounts& candidate : alike) {
    CHECK_FALSE(optimal_splits(counts, own, candidate).empty());
  }
  const auto quality = judge_estimate(prior, alike, prior.size());
  CHECK(quality.precision == 1);
  CHECK(equal(quality.recall, static_cast<double>(alike.size()) / 26));
  CHECK(quality.reduction == 0);
  const auto none = judge_estimate({}, alike, prior.size());
  CHECK(none.precision == 0);
  CHECK(none.recall == 0);
  CHECK(none.reduction == 1);
}

TEST_CASE("Deal or No Deal 2.2: drawn instances are different and keep the constraints") {
  const auto made = generate_instances(shipped_draws(7), 40, "m");
  REQUIRE(made.size() == 40);
  for (std::size_t i = 0; i < made.size(); ++i) {
    CHECK(problems(made[i]).empty());
    CHECK(keeps(made[i]));
    for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(same_game(made[i], made[j]));
  }
  CHECK(made.front().id == "m-01");
  CHECK(made == generate_instances(shipped_draws(7), 40, "m"));
  GeneratorOptions options;
  options.types = 2;
  options.constraints = {4, 3, 3, false, false};
  options.largest_value = 4;
  for (const Instance& instance : generate_instances(shipped_draws(7), 5, "m", options)) {
    CHECK(total(instance.counts) == 3);
    CHECK(worth(instance.counts, instance.values[1]) == 4);
  }
  options.redraws = 10'000;
  CHECK_THROWS_AS(generate_instances(shipped_draws(7), 500, "m", options), agon::Error);
  options.types = 9;
  CHECK_THROWS_AS(generate_instances(shipped_draws(7), 1, "m", options), agon::Error);
}

TEST_CASE("Deal or No Deal 2.2: the shipped instances are what their seed draws") {
  const std::vector<Row> rows = rows_of(shipped());
  REQUIRE(rows.size() == 1000);
  // Each is the 1st, 2nd, ... that the generator keeps: a few tell as much as all, and sooner.
  constexpr std::size_t kCompared = 40;
  const auto drawn = generate_instances(shipped_draws(20261121), kCompared, "agon");
  for (std::size_t i = 0; i < kCompared; ++i) {
    CHECK(rows[i].instance.counts == drawn[i].counts);
    CHECK(rows[i].instance.values == drawn[i].values);
  }
  const GeneratorOptions options;
  for (const Row& row : rows) {
    CHECK(keeps(row.instance, options.constraints));
    CHECK(problems(row.instance).empty());
  }
}
