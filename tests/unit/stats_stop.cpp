#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "stats/score_table.hpp"
#include "stats/sequential/stop_test.hpp"

using namespace agon::stats;

namespace {

using Kind = StopQuestion::StopKind;

StopQuestion best_of(std::size_t agents, double certainty = 0.95) {
  StopQuestion q;
  q.target = certainty;
  for (std::size_t a = 0; a < agents; ++a) q.agents.push_back(a);
  return q;
}

/// Agents of one game without bounds, with pies of 1.
struct Race {
  PairedLooks looks;
  StopTest test;

  Race(std::size_t agents, const StopQuestion& question)
      : looks(agents, {std::nullopt}), test(question) {}
  void play(const std::vector<double>& scores) {
    std::vector<LookRow> rows;
    for (std::size_t a = 0; a < scores.size(); ++a)
      if (test.is_in(a)) rows.push_back({0, 0, looks.looks(), a, scores[a], 1});
    looks.add(rows);
    test.look(looks);
  }
  [[nodiscard]] std::vector<Standing> standings() const { return test.standings(looks); }
};

double normal(std::mt19937_64& dice) {
  const auto even = [&] { return (static_cast<double>(dice() >> 11) + 0.5) * 0x1p-53; };
  return std::sqrt(-2 * std::log(even())) * std::cos(2 * 3.14159265358979 * even());
}

}  // namespace

TEST_CASE("a confidence sequence reaches as far as the Bayes factor of t allows") {
  for (const std::size_t n : {24U, 50U, 300U})
    for (const double level : {0.9, 0.95, 0.99}) {
      const double t = sequence_multiplier(n, level);
      const double units = static_cast<double>(n);
      const double spread = 1 + units / 25;
      const double factor =
          std::pow((1 + t * t / (units - 1)) / (1 + t * t / (units - 1) / spread), units / 2) /
          std::sqrt(spread);
      CHECK(factor == Approx(1 / (1 - level)));
    }
  CHECK(std::isinf(sequence_multiplier(5, 0.95)));
  // Wider than an interval for one look, and not by much more than half of that.
  CHECK(sequence_multiplier(100, 0.95) == Approx(3.16).margin(0.01));
}

TEST_CASE("an asymptotic sequence has no interval under 24 units, and widens towards a long tail") {
  CHECK_FALSE(asymptotic_sequence({1, 0.1, 0, 23}, 0.95));
  CHECK_FALSE(asymptotic_sequence({1, 0, 0, 50}, 0.95));
  const auto even = asymptotic_sequence({1, 0.1, 0, 50}, 0.95);
  REQUIRE(even);
  CHECK(even->high - 1 == Approx(1 - even->low));
  CHECK(even->high == Approx(1 + 0.1 * sequence_multiplier(50, 0.95)));
  const auto skewed = asymptotic_sequence({1, 0.1, 0.3, 50}, 0.95);
  REQUIRE(skewed);
  CHECK(skewed->low == Approx(even->low));
  CHECK(skewed->high > even->high + 0.05);
  // The short tail is on the other side: nor is it narrower there.
  const auto mirrored = asymptotic_sequence({-1, 0.1, -0.3, 50}, 0.95);
  REQUIRE(mirrored);
  CHECK(mirrored->high == Approx(-skewed->low));
  CHECK(mirrored->low == Approx(-skewed->high));
}

TEST_CASE("betting stays inside the bounds, whatever the values, and knows its side of 0") {
  const Interval bounds{-1, 1};
  std::vector<double> values;
  const auto nothing = betting_sequence(values, bounds, 0.95);
  CHECK(nothing.low == Approx(-1));
  CHECK(nothing.high == Approx(1));
  for (int i = 0; i < 40; ++i) {
    values.push_back(1);
    const auto interval = betting_sequence(values, bounds, 0.95);
    CHECK(interval.low >= -1);
    CHECK(interval.high == Approx(1));
    CHECK(betting_sign(values, bounds, 0.95) == (interval.low > 0 ? 1 : 0));
    CHECK((interval.low > 0) == (values.size() >= fewest_bets(0.95)));
    for (double& v : values) v = -v;
    const auto mirrored = betting_sequence(values, bounds, 0.95);
    CHECK(mirrored.high == Approx(-interval.low));
    CHECK(betting_sign(values, bounds, 0.95) == (mirrored.high < 0 ? -1 : 0));
    for (double& v : values) v = -v;
  }
}

TEST_CASE("a betting sequence holds the truth of rare events") {
  std::mt19937_64 dice(4);
  int missed = 0;
  for (int suite = 0; suite < 300; ++suite) {
    std::vector<double> values;
    bool held = true;
    for (int i = 0; i < 100; ++i) {
      values.push_back(dice() % 10 == 0 ? 1.0 : 0.0);
      const auto interval = betting_sequence(values, {0, 1}, 0.95);
      held = held && interval.low <= 0.1 && 0.1 <= interval.high;
    }
    missed += held ? 0 : 1;
  }
  CHECK(missed <= 15);
}

TEST_CASE("the difference of looks is a mean over games of ratios of sums, on what both have") {
  PairedLooks looks(3, {std::nullopt, std::nullopt});
  // Game 0 has two cells; game 1 has one, and agent 2 lacks it.
  looks.add({{0, 0, 0, 0, 3, 4},
             {0, 0, 0, 1, 1, 4},
             {0, 1, 0, 0, 1, 1},
             {0, 1, 0, 1, 1, 1},
             {1, 2, 0, 0, 5, 10},
             {1, 2, 0, 1, 2, 10},
             {0, 0, 0, 2, 1, 4}});
  looks.add({{0, 0, 1, 0, 1, 2}, {0, 0, 1, 1, 0, 2}, {1, 2, 1, 0, 9, 10}});
  // Cell 0: 4/6 - 1/6; cell 1: 0; game 1: only the first bin is of both.
  CHECK(looks.value(0, 1).value() == Approx(((4.0 / 6 - 1.0 / 6) / 2 + 0.3) / 2));
  CHECK_FALSE(looks.value(0, 2));
  CHECK(looks.difference(0, 1, 0.95).units == 1);
  CHECK(looks.sign(0, 2, 0.95) == 0);
}

TEST_CASE("blocks that share an item are one unit") {
  PairedLooks apart(2, {std::nullopt});
  PairedLooks shared(2, {std::nullopt});
  std::vector<std::size_t> item;
  std::mt19937_64 dice(1);
  for (std::size_t i = 0; i < 60; ++i) {
    const double d = normal(dice);
    item.push_back(i < 30 ? i : i - 30);
    for (PairedLooks* looks : {&apart, &shared})
      looks->add({{0, 0, i, 0, d, 1}, {0, 0, i, 1, 0, 1}});
  }
  shared.share(0, item);
  CHECK(apart.difference(0, 1, 0.95).units == 60);
  CHECK(shared.difference(0, 1, 0.95).units == 30);
  CHECK(shared.difference(0, 1, 0.95).value == apart.difference(0, 1, 0.95).value);
}

TEST_CASE("of several games the one with the fewest units says how many there are") {
  for (const std::size_t shorter : {0U, 1U}) {
    PairedLooks looks(2, {std::nullopt, std::nullopt});
    std::mt19937_64 dice(3);
    for (std::size_t i = 0; i < 60; ++i) {
      std::vector<LookRow> rows;
      for (const std::size_t game : {0U, 1U}) {
        if (game == shorter && i >= 30) continue;
        rows.push_back({game, game, i, 0, normal(dice), 1});
        rows.push_back({game, game, i, 1, 0, 1});
      }
      looks.add(rows);
    }
    CHECK(looks.difference(0, 1, 0.95).units == 30);
  }
}

namespace {

/// Two agents in two scenarios of one game that weigh the same, the first of which has few blocks.
/// Every look has one of these, and its share of the others.
struct Unequal {
  PairedLooks looks{2, {std::nullopt}};
  StopTest test;

  Unequal(std::size_t few, std::size_t many, double ahead, const StopQuestion& question,
          std::uint64_t seed, double pies = 0)
      : test(question) {
    std::mt19937_64 dice(seed);
    std::size_t bin = 0;
    for (std::size_t look = 0; look < few && !test.decided(); ++look) {
      std::vector<LookRow> rows;
      const std::size_t others = (look + 1) * many / few - look * many / few;
      for (std::size_t i = 0; i <= others; ++i, ++bin) {
        const double pie = std::exp(pies * normal(dice));
        const std::size_t cell = i == 0 ? 0 : 1;
        rows.push_back({0, cell, bin, 0, pie * (ahead + normal(dice)), pie});
        rows.push_back({0, cell, bin, 1, pie * normal(dice), pie});
      }
      looks.add(rows);
      test.look(looks);
    }
  }
};

StopQuestion which_of_two(std::optional<std::size_t> fewest = std::nullopt) {
  StopQuestion two = best_of(2);
  two.kind = Kind::decide;
  two.fewest = fewest;
  return two;
}

}  // namespace

TEST_CASE("a scenario of few blocks with much of the weight has no valid interval") {
  for (const auto& [few, many] :
       {std::pair{1U, 60U}, {2U, 58U}, {2U, 200U}, {5U, 300U}, {10U, 300U}}) {
    CAPTURE(few, many);
    for (std::uint64_t s = 0; s < 20; ++s) {
      const Unequal suite(few, many, 3, which_of_two(1), s);
      const AnytimeDifference known = suite.looks.difference(0, 1, 0.95);
      CHECK(known.value);
      CHECK(known.units == few);
      CHECK(known.varies);
      CHECK_FALSE(known.interval);
      CHECK(known.sequence == Sequence::none);
      CHECK(suite.looks.sign(0, 1, 0.95) == 0);
      CHECK_FALSE(suite.test.decided());
    }
  }
  const Unequal enough(40, 300, 0, which_of_two(), 1);
  const AnytimeDifference known = enough.looks.difference(0, 1, 0.95);
  REQUIRE(known.interval);
  CHECK(known.units == 40);
  CHECK(*known.unseen == Approx(1 - std::pow(0.05, 1.0 / 40)));
}

TEST_CASE("a rule compares min_blocks with the blocks of the smallest scenario") {
  const auto decided = [](std::size_t few, std::size_t many, double ahead,
                          std::optional<std::size_t> fewest) {
    double wrong = 0;
    double right = 0;
    constexpr int suites = 200;
    for (std::uint64_t s = 0; s < suites; ++s) {
      const Unequal suite(few, many, ahead, which_of_two(fewest), 31 * s + few);
      if (!suite.test.decided()) continue;
      (suite.test.best() == std::size_t{0} && ahead > 0 ? right : wrong) += 1.0 / suites;
    }
    return std::pair(wrong, right);
  };
  for (const auto& [few, many] : {std::pair{2U, 200U}, {10U, 300U}, {20U, 300U}}) {
    CAPTURE(few, many);
    CHECK(decided(few, many, 0, std::nullopt).first == 0);
    CHECK(decided(few, many, 0, 1).first <= 0.05);
    CHECK(decided(few, many, 3, std::nullopt).second == 0);
  }
  // Where every scenario has enough, what there is to be found is found.
  CHECK(decided(80, 320, 0, std::nullopt).first <= 0.05);
  CHECK(decided(80, 320, 1, std::nullopt).second > 0.95);
  CHECK(decided(30, 300, 0, 24).first <= 0.05);
  CHECK(decided(30, 300, 2, 24).second > 0.95);
}

TEST_CASE("a valid interval counts units by their pies, as the report does") {
  const auto known = [](double pies) {
    const Unequal suite(40, 40, 0, which_of_two(), 5, pies);
    return suite.looks.difference(0, 1, 0.95);
  };
  CHECK(known(0.3).interval);
  const AnytimeDifference uneven = known(1.5);
  CHECK_FALSE(uneven.interval);
  CHECK(uneven.units == 40);
  CHECK(uneven.varies);
}

TEST_CASE("blocks that share an item are not bet on as if they were independent") {
  PairedLooks looks(2, {Interval{0, 1}});
  std::vector<std::size_t> item;
  for (std::size_t i = 0; i < 80; ++i) {
    item.push_back(i % 40);
    looks.add({{0, 0, i, 0, i % 3 == 0 ? 1.0 : 0.5, 1}, {0, 0, i, 1, 0.25, 1}});
  }
  CHECK(looks.difference(0, 1, 0.95).sequence == Sequence::betting);
  CHECK_FALSE(looks.difference(0, 1, 0.95).unseen);
  looks.share(0, item);
  const AnytimeDifference shared = looks.difference(0, 1, 0.95);
  CHECK(shared.sequence == Sequence::asymptotic);
  CHECK(shared.units == 40);
  CHECK(looks.farthest() == 1.0);
}

TEST_CASE("an interval that holds at every look is never inside the one for a fixed number") {
  int would_be = 0;
  for (std::uint64_t s = 0; s < 60; ++s) {
    std::mt19937_64 dice(s);
    PairedLooks looks(2, {std::nullopt, std::nullopt});
    std::vector<ScoreRow> rows;
    for (std::size_t i = 0; i < 40; ++i) {
      std::vector<LookRow> look;
      for (const std::size_t game : {0U, 1U})
        for (const std::size_t agent : {0U, 1U}) {
          // A long tail, and pies that differ.
          const double pie = std::exp(0.4 * normal(dice));
          const double gain = pie * (0.1 * static_cast<double>(agent) + std::exp(normal(dice)));
          look.push_back({game, game, i, agent, gain, pie});
          rows.push_back({game == 0 ? "g" : "h", std::to_string(i), "", "", 0,
                          agent == 0 ? "a" : "b", gain, 0, pie});
        }
      looks.add(look);
    }
    const AnytimeDifference valid = looks.difference(0, 1, 0.95);
    const auto fixed = headline(ScoreTable(rows), "b", {}).rows.front().difference;
    REQUIRE(valid.interval);
    REQUIRE(fixed.interval);
    CHECK(*valid.value == Approx(*fixed.value));
    CHECK(valid.interval->low <= fixed.interval->low + 1e-12);
    CHECK(valid.interval->high >= fixed.interval->high - 1e-12);
    would_be += looks.sign(0, 1, 0.95) != 0 ? 1 : 0;
    CHECK((looks.sign(0, 1, 0.95) > 0) == (valid.interval->low > 0));
    CHECK((looks.sign(0, 1, 0.95) < 0) == (valid.interval->high < 0));
  }
  CHECK(would_be < 60);

  // By betting, and where all blocks say the same.
  for (const double deviation : {0.2, 0.0})
    for (std::uint64_t s = 0; s < 20; ++s) {
      std::mt19937_64 dice(s);
      PairedLooks looks(2, {deviation > 0 ? std::optional(Interval{0, 1}) : std::nullopt});
      std::vector<ScoreRow> rows;
      for (std::size_t i = 0; i < 80; ++i) {
        std::vector<LookRow> look;
        for (const std::size_t agent : {0U, 1U}) {
          const double score = std::clamp(
              0.25 + 0.5 * static_cast<double>(agent) + deviation * normal(dice), 0.0, 1.0);
          look.push_back({0, 0, i, agent, score, 1});
          rows.push_back({"g", std::to_string(i), "", "", 0, agent == 0 ? "a" : "b", score, 0, 1});
        }
        looks.add(look);
      }
      const AnytimeDifference valid = looks.difference(0, 1, 0.95);
      const auto fixed = headline(ScoreTable(rows), "b", {}).rows.front().difference;
      REQUIRE(valid.interval);
      REQUIRE(fixed.interval);
      CHECK(valid.sequence == (deviation > 0 ? Sequence::betting : Sequence::asymptotic));
      CHECK(valid.interval->low <= fixed.interval->low + 1e-12);
      CHECK(valid.interval->high >= fixed.interval->high - 1e-12);
    }
}

TEST_CASE("what an interval leaves out that was not seen is said with what it would have to cost") {
  PairedLooks looks(2, {std::nullopt});
  for (std::size_t i = 0; i < 100; ++i)
    looks.add({{0, 0, i, 0, i % 2 == 0 ? 1.1 : 0.9, 1}, {0, 0, i, 1, 0, 1}});
  const AnytimeDifference known = looks.difference(0, 1, 0.95);
  REQUIRE(known.unseen);
  CHECK(*known.unseen == Approx(1 - std::pow(0.05, 0.01)));
  REQUIRE(known.overturned_by);
  CHECK(*known.overturned_by == Approx(33 * known.interval->low).epsilon(0.02));
  CHECK(looks.difference(1, 0, 0.95).overturned_by.value() == Approx(*known.overturned_by));
}

namespace {

/// How often a rule calls the worse of two better within so many looks, how often the better one,
/// and after how many looks in the middle of those.
struct Verdicts {
  double wrong = 0;
  double right = 0;
  std::size_t looks = 0;
};
template <class First, class Second>
Verdicts verdicts(const StopQuestion& question, First first, Second second, std::size_t better) {
  constexpr int suites = 250;
  Verdicts out;
  std::vector<std::size_t> looks;
  for (std::uint64_t s = 0; s < suites; ++s) {
    std::mt19937_64 dice(s * 977 + 5);
    Race race(2, question);
    for (int i = 0; i < 300 && !race.test.decided(); ++i) race.play({first(dice), second(dice)});
    if (!race.test.decided()) continue;
    (race.test.best() == better ? out.right : out.wrong) += 1.0 / suites;
    looks.push_back(race.test.looks());
  }
  std::sort(looks.begin(), looks.end());
  if (!looks.empty()) out.looks = looks[looks.size() / 2];
  return out;
}

}  // namespace

TEST_CASE("a rule does not call an agent better whose rare losses it has not seen") {
  const StopQuestion two = which_of_two();
  const auto wild = [](double share) {
    return [share](std::mt19937_64& dice) {
      const bool loses = static_cast<double>(dice() >> 11) * 0x1p-53 < share;
      return loses ? -10 : 0.5 + 0.02 * normal(dice);
    };
  };
  const auto tame = [](double mean) {
    return [mean](std::mt19937_64& dice) { return mean + 0.02 * normal(dice); };
  };
  // The worse one loses 10 in 5% of blocks: the default. In 3%: more blocks, or how bad it can get.
  CHECK(verdicts(two, wild(0.05), tame(0.10), 1).wrong < 0.065);
  CHECK(verdicts(two, wild(0.03), tame(0.30), 1).wrong > 0.06);  // why the verdict says it
  StopQuestion hundred = two;
  hundred.fewest = 100;
  CHECK(verdicts(hundred, wild(0.03), tame(0.30), 1).wrong <= 0.06);
  StopQuestion bounded = two;
  bounded.worst = 11;
  const Verdicts held = verdicts(bounded, wild(0.03), tame(0.30), 1);
  CHECK(held.wrong <= 0.02);
  StopQuestion early = two;
  early.fewest = 24;
  CHECK(verdicts(early, wild(0.03), tame(0.30), 1).wrong > 0.3);

  // What there is to be found is found, and as soon as it may be where it is plain.
  const auto with_noise = [](double mean) {
    return [mean](std::mt19937_64& dice) { return mean + 0.25 * normal(dice); };
  };
  const Verdicts plain = verdicts(two, with_noise(0.3), with_noise(0), 0);
  CHECK(plain.right == Approx(1));
  CHECK(plain.looks == 60);
  const Verdicts small = verdicts(two, with_noise(0.1), with_noise(0), 0);
  CHECK(small.right > 0.9);
  CHECK(small.looks > 70);
  CHECK(small.looks < 180);
  StopQuestion within_two = two;
  within_two.worst = 2;
  const Verdicts sure = verdicts(within_two, with_noise(0.3), with_noise(0), 0);
  CHECK(sure.right == Approx(1));
  CHECK(sure.looks < 75);
}

TEST_CASE("declared ranges say how far an unseen block can turn a decision round") {
  // Pies vary, so that nothing is bet on; half a range of 1 is not enough to go by.
  const auto looks_of = [](std::optional<Interval> range, double ahead) {
    PairedLooks looks(2, {range});
    StopTest test(which_of_two());
    std::mt19937_64 dice(6);
    for (std::size_t i = 0; i < 400 && !test.decided(); ++i) {
      const double pie = 1 + 0.1 * static_cast<double>(i % 3);
      looks.add({{0, 0, i, 0, pie * (0.5 + ahead + 0.001 * normal(dice)), pie},
                 {0, 0, i, 1, pie * 0.5, pie}});
      test.look(looks);
    }
    return test.decided() ? test.looks() : 0;
  };
  CHECK(looks_of(std::nullopt, 0.01) == 60);
  const std::size_t bounded = looks_of(Interval{0, 1}, 0.01);
  CHECK(bounded > 280);  // .01 * (1 - q) / q reaches 1
  CHECK(bounded < 340);
  CHECK(looks_of(Interval{0, 1}, 0.2) == 60);
}

TEST_CASE("bounds are bet on where pies are the same in all blocks") {
  const auto method = [](double last_pie, double bound) {
    PairedLooks looks(2, {Interval{0, bound}});
    for (std::size_t i = 0; i < 40; ++i) {
      const double pie = i == 39 ? last_pie : 2;
      looks.add({{0, 0, i, 0, pie * (i % 2 == 0 ? 1 : 0.5), pie}, {0, 0, i, 1, 0, pie}});
    }
    return looks.difference(0, 1, 0.95).sequence;
  };
  CHECK(method(2, 1) == Sequence::betting);
  CHECK(method(3, 1) == Sequence::asymptotic);
  CHECK(method(2, 0.9) == Sequence::asymptotic);  // the bounds do not hold
}

TEST_CASE("where all blocks say the same, one is imagined that says the contrary") {
  Race race(2, best_of(2));
  for (int i = 0; i < 59; ++i) race.play({1, 0});
  CHECK_FALSE(race.test.decided());
  race.play({1, 0});
  CHECK(race.test.decided());
  CHECK(race.test.best() == std::size_t{0});
  CHECK(race.test.looks() == 60);

  Race equal(2, best_of(2));
  for (int i = 0; i < 100; ++i) equal.play({1, 1});
  CHECK_FALSE(equal.test.decided());
}

TEST_CASE("who is beaten goes out and keeps its last interval; the last one in is best") {
  std::mt19937_64 dice(7);
  Race race(3, best_of(3));
  std::size_t far_out = 0;
  for (int i = 0; i < 400 && !race.test.decided(); ++i) {
    race.play({0.3 + normal(dice) / 4, normal(dice) / 4, 3 + normal(dice) / 4});
    if (far_out == 0 && !race.test.is_in(1)) far_out = race.test.looks();
  }
  REQUIRE(race.test.decided());
  CHECK(race.test.best() == std::size_t{2});
  const auto of = race.standings();
  CHECK(of[1].out == far_out);
  CHECK(of[1].to == std::size_t{2});
  CHECK(of[1].difference.interval->high < 0);
  CHECK(of[1].difference.units == far_out);
  CHECK_FALSE(of[2].out);
  CHECK_FALSE(of[2].to);
}

TEST_CASE("two are decided either way, and a difference is known when its half-width is") {
  std::mt19937_64 dice(9);
  Race race(2, which_of_two());
  for (int i = 0; i < 400 && !race.test.decided(); ++i) race.play({normal(dice), 1 + normal(dice)});
  CHECK(race.test.best() == std::size_t{1});
  CHECK(race.standings()[0].difference.interval->high < 0);

  StopQuestion width;
  width.kind = Kind::difference;
  width.agents = {1, 2};
  width.reference = 0;
  width.target = 0.5;
  Race known(3, width);
  for (int i = 0; i < 2000 && !known.test.decided(); ++i)
    known.play({normal(dice), normal(dice), 2 * normal(dice)});
  REQUIRE(known.test.decided());
  CHECK_FALSE(known.test.best());
  for (const Standing& s : known.standings()) {
    CHECK(s.to == std::size_t{0});
    CHECK(s.difference.interval->high - s.difference.interval->low <= 1);
  }
}

TEST_CASE("successive rejects spend the budget as Audibert and Bubeck say") {
  StopQuestion q = best_of(4);
  q.kind = Kind::budget;
  q.budget = 10;
  q.most_looks = 100;
  // When each goes out that is played to the end, by place from the last to the second.
  const auto rejects = [](const StopQuestion& asked) {
    Race race(4, asked);
    for (std::size_t i = 0; i < StopTest(asked).fewest_looks(false); ++i) {
      CHECK_FALSE(race.test.decided());
      race.play({0, 2, 1, -1});
    }
    CHECK(race.test.decided());
    CHECK(race.test.best() == std::size_t{1});
    std::vector<std::size_t> out;
    for (const std::size_t agent : {3U, 0U, 2U}) out.push_back(race.standings()[agent].out.value());
    return out;
  };
  CHECK(rejects(q) == std::vector<std::size_t>{6, 8, 12});
  q.most_looks = 7;  // the budget is cut to what there is
  CHECK(rejects(q).back() <= 7);
  q.drops = false;  // where nobody can stop playing, all are looked at once
  CHECK(rejects(q) == std::vector<std::size_t>{7, 7, 7});
}

TEST_CASE("a budget is cut to the most that there are looks for, however large it is") {
  StopQuestion q = best_of(4);
  q.kind = Kind::budget;
  q.budget = 1'000'000'000;
  for (std::size_t looks = 1; looks <= 40; ++looks) {
    q.most_looks = looks;
    const StopTest cut(q);
    if (cut.budget() > 1) {
      CHECK(cut.fewest_looks(false) <= looks);
    }
    StopQuestion more = q;
    more.budget = cut.budget() + 1;
    more.most_looks = 1000;
    CHECK(StopTest(more).budget() == more.budget);
    CHECK(StopTest(more).fewest_looks(false) > looks);
  }
}

TEST_CASE("of a budget nobody is best who only ties with one that went out") {
  StopQuestion q = best_of(3);
  q.kind = Kind::budget;
  q.budget = 10;
  q.most_looks = 100;
  Race tied(3, q);
  for (int i = 0; i < 30; ++i) tied.play({1, 0, 1});
  CHECK(tied.test.decided());
  CHECK_FALSE(tied.test.best());
  Race below(3, q);  // who ties goes out, but not with the best
  for (int i = 0; i < 30; ++i) below.play({0, 1, 0});
  CHECK(below.test.best() == std::size_t{1});
}

TEST_CASE("suites of equal agents that are looked at after each block rarely decide") {
  int decided = 0;
  for (std::uint64_t s = 0; s < 200; ++s) {
    std::mt19937_64 dice(s);
    Race race(3, best_of(3));
    for (int i = 0; i < 150 && !race.test.decided(); ++i)
      race.play({normal(dice), normal(dice), normal(dice)});
    decided += race.test.decided() ? 1 : 0;
  }
  CHECK(decided <= 10);
}

TEST_CASE("how many looks an answer takes at least") {
  CHECK(StopTest(best_of(2)).fewest_looks(false) == kFewestToDecide);
  CHECK(StopTest(best_of(2)).fewest_looks(true) < 24);
  StopQuestion asked = best_of(2);
  asked.fewest = 1;
  CHECK(StopTest(asked).fewest_looks(false) == kFewestSequenceUnits);
  asked.target = 0.9999;
  CHECK(StopTest(asked).fewest_looks(false) > kFewestSequenceUnits);
  asked.fewest = 200;
  CHECK(StopTest(asked).fewest_looks(false) == 200);
  CHECK(StopTest(asked).fewest_looks(true) == 200);
}
