#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "stats/contrasts.hpp"
#include "stats/resampling.hpp"
#include "stats/statistics.hpp"

namespace stats = agon::stats;
using Values = std::vector<double>;

namespace {

stats::StratumCell ratio_cell(Values numerator, Values denominator, std::size_t stratum = 0) {
  stats::StratumCell cell;
  cell.stratum = stratum;
  cell.blocks = cell.units = numerator.size();
  cell.terms = {{1, std::move(numerator), std::move(denominator)}};
  return cell;
}

stats::StratumCell mean_cell(Values values, std::size_t stratum = 0) {
  const Values ones(values.size(), 1.0);
  return ratio_cell(std::move(values), ones, stratum);
}

stats::ContrastProblem single(stats::StratumCell cell) {
  stats::ContrastProblem problem;
  problem.units = {cell.terms.at(0).numerator.size()};
  problem.cells = {std::move(cell)};
  problem.contrasts = {{{0, 1.0}}};
  return problem;
}

const Values twelve = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};

}  // namespace

TEST_CASE("order statistics sit at rank p (n + 1)", "[stats]") {
  const Values sorted = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  CHECK(stats::order_statistic(sorted, 0.1) == 1);
  CHECK(stats::order_statistic(sorted, 0.25) == 2.5);
  CHECK(stats::order_statistic(sorted, 0.9) == 9);
  CHECK(stats::order_statistic(sorted, 0.001) == 1);
  CHECK(stats::order_statistic(sorted, 0.999) == 9);
  CHECK(stats::order_statistic(Values{1, INFINITY, INFINITY}, 0.75) == INFINITY);
}

TEST_CASE("the linearised error of a mean is the textbook one", "[stats]") {
  const stats::ContrastEstimates all(single(mean_cell(twelve)), {});
  const auto& estimate = all.estimates().at(0);
  CHECK(*estimate.value == Approx(52.0 / 12));
  // squares sum to 296: variance (296 - 52^2 / 12) / 11
  CHECK(*estimate.standard_error == Approx(std::sqrt((296 - 52.0 * 52 / 12) / 11 / 12)));
  CHECK(estimate.note == stats::Note::none);
  REQUIRE(estimate.interval);
  CHECK(estimate.interval->low < *estimate.value);
  CHECK(estimate.interval->high > *estimate.value);
  CHECK(estimate.units == 12);
  CHECK(*estimate.p_value < 0.01);
}

TEST_CASE("the jackknife error of a ratio by hand", "[stats]") {
  // R = 12 / 24. Leaving out a unit of size d and residual e = n - R d moves R by e / (24 - d).
  const Values n = {0, 1, 2, 0, 1, 2, 0, 1, 2, 1, 1, 1};
  const Values d = {1, 2, 3, 1, 2, 3, 3, 2, 1, 2, 2, 2};
  const stats::ContrastEstimates all(single(ratio_cell(n, d)), {});
  const auto& estimate = all.estimates().at(0);
  CHECK(*estimate.value == 0.5);
  // The moves: -.5/23, 0, .5/21, -.5/23, 0, .5/21, -1.5/21, 0, 1.5/23, 0, 0, 0; less their mean.
  const Values moves = {-.5 / 23,  0, .5 / 21,  -.5 / 23, 0, .5 / 21,
                        -1.5 / 21, 0, 1.5 / 23, 0,        0, 0};
  double mean = 0;
  for (const double move : moves) mean += move / 12;
  double squares = 0;
  for (const double move : moves) squares += (move - mean) * (move - mean);
  CHECK(*estimate.standard_error == Approx(std::sqrt(11.0 / 12 * squares)));
}

TEST_CASE("strata add their variances", "[stats]") {
  stats::ContrastProblem problem;
  problem.units = {12, 12};
  Values scaled = twelve;
  for (double& value : scaled) value *= 2;
  problem.cells = {mean_cell(twelve, 0), mean_cell(scaled, 1)};
  problem.contrasts = {{{0, 1.0}}, {{1, 1.0}}, {{0, 0.5}, {1, 0.5}}};
  const stats::ContrastEstimates all(problem, {});
  const auto& e = all.estimates();
  CHECK(*e[1].value == Approx(2 * *e[0].value));
  CHECK(*e[1].standard_error == Approx(2 * *e[0].standard_error));
  CHECK(*e[2].value == Approx(1.5 * *e[0].value));
  CHECK(*e[2].standard_error == Approx(std::sqrt(1.25) * *e[0].standard_error));
  CHECK(e[2].units == 24);
}

TEST_CASE("an interval of symmetric data is Student's", "[stats]") {
  Values values;
  for (int i = 1; i <= 6; ++i) values.insert(values.end(), {5.0 + i, 5.0 - i});
  const stats::ContrastEstimates all(single(mean_cell(values)), {});
  const auto& estimate = all.estimates()[0];
  const double t = 2.200985;  // 97.5% of Student's t on 11 degrees of freedom
  CHECK(estimate.interval->low == Approx(5 - t * *estimate.standard_error));
  CHECK(estimate.interval->high == Approx(5 + t * *estimate.standard_error));
}

TEST_CASE("the longer tail lengthens its own side only, by Hall's transform", "[stats]") {
  const Values skewed = {1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 7};
  const stats::ContrastEstimates all(single(mean_cell(skewed)), {});
  const auto& estimate = all.estimates()[0];
  double squares = 0, cubes = 0;
  for (const double x : skewed) {
    const double u = (x - 3.5) / 12;
    squares += u * u;
    cubes += u * u * u;
  }
  const double error = std::sqrt(12.0 / 11 * squares);
  const double t = 2.200985;
  const double x = (1 + 16.0 / 12) * cubes / (error * error * error);
  const double longer = -3 / (2 * x) * std::log(1 - 2 * x / 3 * (t + x / 6));
  REQUIRE(longer > 1.3 * t);
  REQUIRE(longer < 2.5 * t);
  CHECK(*estimate.standard_error == Approx(error));
  CHECK(estimate.interval->low == Approx(3.5 - t * error));
  CHECK(estimate.interval->high == Approx(3.5 + longer * error));
}

TEST_CASE("a declared range cuts intervals and does nothing else", "[stats]") {
  stats::ResamplingDice dice(4);
  for (int s = 0; s < 200; ++s) {
    Values values;
    for (int i = 0; i < 12; ++i) values.push_back(0.3 * (dice.unit() - 0.4));
    stats::ContrastProblem open = single(mean_cell(values));
    stats::ContrastProblem declared = open;
    declared.cells[0].range = {-1, 1};
    stats::ContrastProblem narrow = open;
    narrow.cells[0].range = {-0.05, 1};
    const auto a = stats::ContrastEstimates(open, {}).estimates()[0];
    const auto b = stats::ContrastEstimates(declared, {}).estimates()[0];
    const auto c = stats::ContrastEstimates(narrow, {}).estimates()[0];
    CHECK(a.interval->low == b.interval->low);
    CHECK(a.interval->high == b.interval->high);
    CHECK(*a.p_value == *b.p_value);
    CHECK(c.interval->low == std::max(a.interval->low, std::min(*a.value, -0.05)));
    CHECK(c.interval->high == a.interval->high);
  }
}

TEST_CASE("an interval does not jump where the skewness passes 0 or the cap", "[stats]") {
  // One unit wanders off: its skewness grows from nothing to the most that there is.
  double last_low = 0, last_high = 0;
  for (int step = 0; step < 4000; ++step) {
    Values values = {-5, -4, -3, -2, -1, 0, 0, 1, 2, 3, 4, 0};
    values.back() = 5 + 0.005 * step;
    const auto interval =
        *stats::ContrastEstimates(single(mean_cell(values)), {}).estimates()[0].interval;
    if (step > 0) {
      CHECK(std::abs(interval.low - last_low) < 0.02);
      CHECK(std::abs(interval.high - last_high) < 0.05);
    }
    last_low = interval.low;
    last_high = interval.high;
  }
}

TEST_CASE("twelve wins of twelve are a finding, whatever their sizes", "[stats]") {
  const auto of = [](Values values) {
    stats::StratumCell cell = mean_cell(std::move(values));
    cell.difference = true;
    return stats::ContrastEstimates(single(cell), {}).estimates()[0];
  };
  // With a tail on the side of 0, which t lengthened for it does not leave out.
  for (const Values& wins : {Values{.01, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
                             Values{.1, .2, .1, 9, .3, .1, .2, .1, .1, .4, .2, 50}}) {
    const auto found = of(wins);
    CHECK(*found.p_value <= std::ldexp(1.0, -11));
    CHECK(found.interval->low >= *std::min_element(wins.begin(), wins.end()));
    CHECK(found.units_won->won == 12);
    CHECK(found.units_won->p_value == Approx(std::ldexp(1.0, -11)));
  }
  // The same in all: Clopper and Pearson's for wins and losses of this size.
  const auto alike = of(Values(12, 0.3));
  CHECK(alike.note == stats::Note::none);
  CHECK(*alike.p_value == Approx(std::ldexp(1.0, -11)));
  const double q = 1 - std::pow(0.025, 1.0 / 12);
  CHECK(alike.interval->low == Approx(0.3 * (1 - 2 * q)));
  CHECK(alike.interval->high == Approx(0.3));
  CHECK_FALSE(alike.standard_error);
  // Nine of twelve: a share of .4281 to .9451 of the wins.
  const auto nine = of({1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1});
  CHECK(nine.interval->low == Approx(2 * .428142 - 1).margin(1e-5));
  CHECK(nine.interval->high == Approx(2 * .945139 - 1).margin(1e-5));
  CHECK(*nine.p_value == Approx(2 * (1 + 12 + 66 + 220) / 4096.0));
  CHECK(nine.units_won->lost == 3);
  CHECK(of({1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1}).units_won->tied == 9);
  // No difference at all is not certain.
  CHECK(of(Values(12, 0.0)).note == stats::Note::no_variation);
}

TEST_CASE("the size of a block not seen is told where it would undo a finding", "[stats]") {
  stats::ContrastProblem problem =
      single(mean_cell({.15, .14, .16, .15, .17, .13, .15, .15, .16, .14, .15, .15}));
  problem.cells[0].difference = true;
  const auto open = stats::ContrastEstimates(problem, {}).estimates()[0];
  const double q = 1 - std::pow(0.05, 1.0 / 12);
  CHECK(*open.unseen == Approx(q));
  CHECK(*open.unseen_effect == Approx(open.interval->low * (1 - q) / q));
  problem.cells[0].range = {-1, 1};
  CHECK(stats::ContrastEstimates(problem, {}).estimates()[0].unseen_effect == open.unseen_effect);
  // No block can be so bad.
  problem.cells[0].range = {-0.4, 1};
  const auto told = stats::ContrastEstimates(problem, {}).estimates()[0];
  CHECK_FALSE(told.unseen);
  CHECK_FALSE(told.unseen_effect);
  problem.cells[0].difference = false;
  problem.cells[0].range = {};
  CHECK_FALSE(stats::ContrastEstimates(problem, {}).estimates()[0].unseen_effect);
}

namespace {

/// Two scenarios that weigh the same, of so many blocks.
stats::Estimate unequal(std::size_t few, std::size_t many) {
  stats::StratumCell cell;
  cell.units = cell.blocks = few + many;
  cell.terms.assign(2, {.5, Values(few + many), Values(few + many), {}});
  cell.terms[0].name = "small";
  cell.terms[1].name = "large";
  stats::ResamplingDice dice(8);
  for (std::size_t i = 0; i < few + many; ++i) {
    cell.terms[i < few ? 0 : 1].numerator[i] = dice.unit();
    cell.terms[i < few ? 0 : 1].denominator[i] = 1;
  }
  return stats::ContrastEstimates(single(cell), {}).estimates()[0];
}

}  // namespace

TEST_CASE("a scenario of few blocks is not hidden by one of many", "[stats]") {
  CHECK(unequal(2, 58).note == stats::Note::too_few);
  CHECK(unequal(2, 58).fewest_units == 2);
  CHECK(unequal(2, 58).fewest_of == "small");
  CHECK(unequal(5, 55).note == stats::Note::too_few);
  CHECK(unequal(6, 54).note == stats::Note::none);
  // Nearly all of the error is of six blocks: their five degrees of freedom.
  const auto six = unequal(6, 54);
  CHECK((six.interval->high - six.interval->low) / *six.standard_error > 2 * 2.2);
  CHECK(*six.effective_n == Approx(1 / (.25 / 6 + .25 / 54)));
}

TEST_CASE("blocks count by their pies", "[stats]") {
  // Equal pies: eleven degrees of freedom for twelve blocks.
  const Values symmetric = {1, 9, 2, 8, 3, 7, 4, 6, 5, 5, 0, 10};
  const auto equal =
      stats::ContrastEstimates(single(ratio_cell(symmetric, Values(12, 7.0))), {}).estimates()[0];
  CHECK(equal.interval->high - *equal.value == Approx(2.200985 * *equal.standard_error));
  CHECK(*equal.effective_n == Approx(12));
  // One block has 86% of it: nothing tells how far it is off.
  Values pies(12, 1.0);
  pies[3] = 70;
  Values gains;
  for (std::size_t i = 0; i < 12; ++i) gains.push_back(pies[i] * (0.3 + 0.02 * symmetric[i]));
  const auto lone = stats::ContrastEstimates(single(ratio_cell(gains, pies)), {}).estimates()[0];
  CHECK(lone.note == stats::Note::one_unit);
  CHECK(*lone.largest_share == Approx(70.0 / 81));
  CHECK(*lone.effective_n < 2);
  // One block has 40% of it: wider than t of eleven degrees, by less than half.
  pies[3] = 22.0 / 3;
  for (std::size_t i = 0; i < 12; ++i) gains[i] = pies[i] * (0.3 + 0.02 * symmetric[i]);
  const auto heavy = stats::ContrastEstimates(single(ratio_cell(gains, pies)), {}).estimates()[0];
  REQUIRE(heavy.interval);
  CHECK(*heavy.largest_share == Approx(0.4));
  const double width =
      (heavy.interval->high - heavy.interval->low) / (2 * 2.200985 * *heavy.standard_error);
  CHECK(width > 1.05);
  CHECK(width < 1.5);
}

TEST_CASE("the same data have the same interval, to the last digit", "[stats]") {
  Values pies = twelve;
  std::reverse(pies.begin(), pies.end());
  const auto of = [&](std::uint64_t seed) {
    return stats::ContrastEstimates(single(ratio_cell(twelve, pies)), {.seed = seed})
        .estimates()[0];
  };
  const auto first = of(1);
  const auto second = of(2);  // an own interval draws nothing
  CHECK(first.interval->low == second.interval->low);
  CHECK(first.interval->high == second.interval->high);
  CHECK(first.p_value == second.p_value);
}

TEST_CASE("an interval moves and turns with its data", "[stats]") {
  const stats::ContrastEstimates plain(single(mean_cell(twelve)), {});
  Values moved = twelve;
  for (double& value : moved) value = 100 - 4 * value;
  const stats::ContrastEstimates mirror(single(mean_cell(moved)), {});
  const auto& a = *plain.estimates()[0].interval;
  const auto& b = *mirror.estimates()[0].interval;
  CHECK(b.low == Approx(100 - 4 * a.high));
  CHECK(b.high == Approx(100 - 4 * a.low));
}

TEST_CASE("a wider level gives a wider interval", "[stats]") {
  stats::IntervalOptions options;
  options.level = 0.8;
  const stats::ContrastEstimates narrow(single(mean_cell(twelve)), options);
  options.level = 0.99;
  const stats::ContrastEstimates wide(single(mean_cell(twelve)), options);
  CHECK(wide.estimates()[0].interval->low < narrow.estimates()[0].interval->low);
  CHECK(wide.estimates()[0].interval->high > narrow.estimates()[0].interval->high);
}

namespace {

/// Lumpy, skewed and heavy samples in turn, some of them within [-1, 1].
Values sample(stats::ResamplingDice& dice, std::size_t kind) {
  Values values;
  for (int i = 0; i < 12; ++i) {
    const double u = dice.unit();
    values.push_back(kind == 0   ? u - 0.3
                     : kind == 1 ? (u < 0.2 ? -1.0 : 0.3)
                     : kind == 2 ? (u < 0.4   ? 0.0
                                    : u < 0.7 ? 1.0
                                              : -0.5)
                                 : std::tan(1.5 * (u - 0.4)) / 15);
  }
  return values;
}

}  // namespace

TEST_CASE("an interval leaves out 0 exactly when its p is below 1 - level", "[stats]") {
  std::size_t refused = 0, refused_together = 0, kept = 0;
  for (std::size_t s = 0; s < 400; ++s) {
    stats::ResamplingDice dice(11, s);
    stats::ContrastProblem problem;
    problem.units = {12, 12};
    for (std::size_t c = 0; c < 8; ++c) {
      problem.cells.push_back(mean_cell(sample(dice, c % 4), c / 4));
      if ((s + c) % 3 == 0 && c % 4 != 3) problem.cells.back().range = {-1, 1};
      problem.cells.back().difference = (s + c) % 2 == 0;
      problem.contrasts.push_back({{c, 1.0}});
    }
    problem.contrasts.push_back({{0, 0.5}, {5, -0.5}});
    problem.contrasts.push_back({{1, 0.5}, {6, 0.5}});
    constexpr double kLevels[] = {0.95, 0.8, 0.99, 1 - 1e-6};
    const double level = kLevels[s % 4];
    const stats::ContrastEstimates all(problem, {.level = level, .resamples = 199});
    std::vector<std::size_t> family;
    for (std::size_t k = 0; k < problem.contrasts.size(); ++k) family.push_back(k);
    const auto joint = all.jointly(family);
    for (const std::size_t k : family) {
      const auto& e = all.estimates()[k];
      if (!e.interval) continue;
      const auto leaves_out = [](const stats::Interval& i) { return i.low > 0 || i.high < 0; };
      CHECK(leaves_out(*e.interval) == (*e.p_value < 1 - level));
      CHECK(leaves_out(*joint[k].interval) == (*joint[k].p_value < 1 - level));
      CHECK(joint[k].interval->low <= e.interval->low);
      CHECK(joint[k].interval->high >= e.interval->high);
      CHECK(*joint[k].p_value >= *e.p_value);
      refused += leaves_out(*e.interval) ? 1 : 0;
      kept += leaves_out(*e.interval) ? 0 : 1;
      refused_together += leaves_out(*joint[k].interval) ? 1 : 0;
    }
  }
  CHECK(refused > 300);
  CHECK(refused_together > 100);
  CHECK(refused_together < refused);
  CHECK(kept > 1000);
}

TEST_CASE("yes or no has the exact interval", "[stats]") {
  // Clopper and Pearson with 2.5% on each side, as tables have it.
  const auto of = [](std::size_t yes) {
    Values values(12, 0.0);
    for (std::size_t i = 0; i < yes; ++i) values[i] = 1;
    stats::StratumCell cell = mean_cell(values);
    cell.yes_or_no = true;
    cell.range = {0, 1};
    return stats::ContrastEstimates(single(cell), {}).estimates()[0];
  };
  CHECK(of(0).interval->low == 0);
  CHECK(of(0).interval->high == Approx(0.2646).margin(1e-4));
  CHECK(of(0).p_value == 1.0);
  CHECK_FALSE(of(0).unseen);
  CHECK(of(3).interval->low == Approx(0.0549).margin(1e-4));
  CHECK(of(3).interval->high == Approx(0.5719).margin(1e-4));
  CHECK(of(12).interval->low == Approx(1 - 0.2646).margin(1e-4));
  CHECK(of(12).interval->high == 1);
}

TEST_CASE("a range keeps ends where values can be", "[stats]") {
  stats::ContrastProblem problem = single(mean_cell({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6}));
  problem.cells[0].range = {0, 1000};
  const auto e = stats::ContrastEstimates(problem, {}).estimates()[0];
  CHECK(e.interval->low == 0);
  CHECK(e.interval->high <= 6);
  CHECK(*e.unseen == Approx(1 - std::pow(0.05, 1.0 / 12)));
}

TEST_CASE("a game that never varied is not certain in the mean over games", "[stats]") {
  stats::ContrastProblem problem = single(mean_cell(Values(12, 1.0)));
  problem.units = {12, 12};
  problem.cells.push_back(mean_cell({.4, .6, .5, .5, .4, .6, .5, .5, .4, .6, .5, .5}, 1));
  for (stats::StratumCell& cell : problem.cells) cell.difference = true;
  problem.contrasts = {{{0, 0.5}, {1, 0.5}}, {{1, 0.5}}};
  const stats::ContrastEstimates all(problem, {});
  const auto& both = *all.estimates()[0].interval;
  const auto& one = *all.estimates()[1].interval;
  CHECK(both.high - both.low > 2 * (one.high - one.low));
}

TEST_CASE("no interval is made up where the data cannot give one", "[stats]") {
  SECTION("nine units are too few") {
    const stats::ContrastEstimates few(single(mean_cell({1, 2, 3, 4, 5, 6, 7, 8, 9})), {});
    CHECK(few.estimates()[0].note == stats::Note::too_few);
    CHECK(stats::describe(few.estimates()[0].note) == "too few");
    CHECK(*few.estimates()[0].value == 5);
    CHECK_FALSE(few.estimates()[0].interval);
  }
  SECTION("all units agree, but for rounding") {
    // Sums of .2 differ in their last digits; that is no variation.
    Values same(20, 0.1);
    for (std::size_t i = 0; i < 20; ++i) same[i] = i % 2 == 0 ? 0.3 : 0.1 + 0.2;
    for (const Values& values : {Values(20, 0.1), same}) {
      const stats::ContrastEstimates all(single(mean_cell(values)), {});
      CHECK(all.estimates()[0].note == stats::Note::no_variation);
      CHECK_FALSE(all.estimates()[0].interval);
    }
  }
  SECTION("the pie is not positive") {
    const stats::ContrastEstimates none(single(ratio_cell(twelve, Values(12, 0.0))), {});
    CHECK(none.estimates()[0].note == stats::Note::undefined);
    CHECK_FALSE(none.estimates()[0].value);
  }
  SECTION("all of the pie is in one unit") {
    Values pie(12, 0.0);
    pie[0] = 1;
    const stats::ContrastEstimates lump(single(ratio_cell(twelve, pie)), {});
    CHECK(lump.estimates()[0].note == stats::Note::one_unit);
    CHECK_FALSE(lump.estimates()[0].interval);
  }
  SECTION("one unit differs: wide, but given, and on its side") {
    Values one(12, 0.0);
    one[3] = 1;
    const stats::ContrastEstimates lonely(single(mean_cell(one)), {});
    REQUIRE(lonely.estimates()[0].interval);
    CHECK(lonely.estimates()[0].interval->low == 0);  // no unit is below
    CHECK(lonely.estimates()[0].interval->high == Approx(1 / 12.0 + 2.5 * 2.200985 / 12));
  }
  SECTION("values near the largest number") {
    Values large = twelve;
    for (double& value : large) value *= 1e307;
    const stats::ContrastEstimates far(single(mean_cell(large)), {});
    const stats::ContrastEstimates near(single(mean_cell(twelve)), {});
    CHECK(*far.estimates()[0].value == Approx(*near.estimates()[0].value * 1e307));
    CHECK(far.estimates()[0].interval->low == Approx(near.estimates()[0].interval->low * 1e307));
    large[1] = INFINITY;
    const stats::ContrastEstimates beyond(single(mean_cell(large)), {});
    CHECK(beyond.estimates()[0].note == stats::Note::undefined);
  }
  SECTION("options out of range") {
    CHECK_THROWS_AS(stats::ContrastEstimates(single(mean_cell(twelve)), {.level = 95}),
                    agon::Error);
    CHECK_THROWS_AS(stats::ContrastEstimates(single(mean_cell(twelve)), {.resamples = 0}),
                    agon::Error);
  }
}

TEST_CASE("intervals for all at once are wider, and shared by identical members", "[stats]") {
  stats::ContrastProblem problem;
  problem.units = {12};
  const Values other = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5};
  problem.cells = {mean_cell(twelve), mean_cell(other), mean_cell(twelve)};
  problem.contrasts = {{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}};
  const stats::ContrastEstimates all(problem, {});
  const auto& own = *all.estimates()[0].interval;
  const auto one = all.jointly(std::vector<std::size_t>{0});
  const auto twin = all.jointly(std::vector<std::size_t>{0, 2});
  const auto two = all.jointly(std::vector<std::size_t>{0, 1});
  CHECK(one[0].interval->low == own.low);
  CHECK(*one[0].p_value == *all.estimates()[0].p_value);
  CHECK(twin[0].interval->low == twin[1].interval->low);
  CHECK(twin[0].interval->low == Approx(own.low).epsilon(0.02));  // a copy adds next to nothing
  CHECK(two[0].interval->low < own.low - 0.05);
  // Bonferroni's is the widest that two can need.
  const stats::ContrastEstimates bonferroni(problem, {.level = 0.975});
  CHECK(two[0].interval->low >= bonferroni.estimates()[0].interval->low - 1e-6);
}

TEST_CASE("a wild member does not widen what is said of a tame one", "[stats]") {
  stats::ContrastProblem problem;
  problem.units = {12};
  problem.cells = {mean_cell(twelve), mean_cell({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1e6, -3e6})};
  problem.contrasts = {{{0, 1.0}}, {{1, 1.0}}};
  const stats::ContrastEstimates all(problem, {});
  const auto both = all.jointly(std::vector<std::size_t>{0, 1});
  const auto& own = *all.estimates()[0].interval;
  CHECK(both[0].interval->high - both[0].interval->low < 1.3 * (own.high - own.low));
}
