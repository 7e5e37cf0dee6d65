#include <agon/error.hpp>
#include <cmath>
#include <vector>

#include "catch.hpp"
#include "stats/bootstrap.hpp"

namespace stats = agon::stats;
using Values = std::vector<double>;

namespace {

stats::Cell ratio_cell(Values numerator, Values denominator, std::size_t stratum = 0) {
  stats::Cell cell;
  cell.stratum = stratum;
  cell.blocks = cell.units = numerator.size();
  cell.terms = {{1, std::move(numerator), std::move(denominator)}};
  return cell;
}

stats::Cell mean_cell(Values values, std::size_t stratum = 0) {
  const Values ones(values.size(), 1.0);
  return ratio_cell(std::move(values), ones, stratum);
}

stats::BootstrapProblem single(stats::Cell cell) {
  stats::BootstrapProblem problem;
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
  const stats::StudentisedBootstrap bootstrap(single(mean_cell(twelve)), {});
  const auto& estimate = bootstrap.estimates().at(0);
  CHECK(*estimate.value == Approx(52.0 / 12));
  // squares sum to 296: variance (296 - 52^2 / 12) / 11
  CHECK(*estimate.standard_error == Approx(std::sqrt((296 - 52.0 * 52 / 12) / 11 / 12)));
  CHECK(estimate.note == stats::Note::none);
  REQUIRE(estimate.interval);
  CHECK(estimate.interval->low < *estimate.value);
  CHECK(estimate.interval->high > *estimate.value);
  CHECK(estimate.units == 12);
  // The mean is far from 0: no resample should come near t = 6.
  CHECK(*estimate.p_value < 0.01);
}

TEST_CASE("the linearised error of a ratio by hand", "[stats]") {
  // R = 12 / 24; residuals n - R d over twelve units, squares summed, times 12 / 11, over 24^2.
  const Values n = {0, 1, 2, 0, 1, 2, 0, 1, 2, 1, 1, 1};
  const Values d = {1, 2, 3, 1, 2, 3, 3, 2, 1, 2, 2, 2};
  const stats::StudentisedBootstrap bootstrap(single(ratio_cell(n, d)), {});
  const auto& estimate = bootstrap.estimates().at(0);
  CHECK(*estimate.value == 0.5);
  // residuals: -.5 0 .5 -.5 0 .5 -1.5 0 1.5 0 0 0: squares sum to 5.5
  CHECK(*estimate.standard_error == Approx(std::sqrt(12.0 / 11 * 5.5) / 24));
}

TEST_CASE("strata add their variances", "[stats]") {
  stats::BootstrapProblem problem;
  problem.units = {12, 12};
  Values scaled = twelve;
  for (double& value : scaled) value *= 2;
  problem.cells = {mean_cell(twelve, 0), mean_cell(scaled, 1)};
  problem.contrasts = {{{0, 1.0}}, {{1, 1.0}}, {{0, 0.5}, {1, 0.5}}};
  const stats::StudentisedBootstrap bootstrap(problem, {});
  const auto& e = bootstrap.estimates();
  CHECK(*e[1].value == Approx(2 * *e[0].value));
  CHECK(*e[1].standard_error == Approx(2 * *e[0].standard_error));
  CHECK(*e[2].value == Approx(1.5 * *e[0].value));
  CHECK(*e[2].standard_error == Approx(std::sqrt(1.25) * *e[0].standard_error));
  CHECK(e[2].units == 24);
}

TEST_CASE("the studentised interval is equivariant and repeatable", "[stats]") {
  stats::BootstrapOptions options;
  options.resamples = 999;
  const stats::StudentisedBootstrap plain(single(mean_cell(twelve)), options);
  Values moved = twelve;
  for (double& value : moved) value = 100 - 4 * value;
  const stats::StudentisedBootstrap mirror(single(mean_cell(moved)), options);
  const auto& a = *plain.estimates()[0].interval;
  const auto& b = *mirror.estimates()[0].interval;
  CHECK(b.low == Approx(100 - 4 * a.high));
  CHECK(b.high == Approx(100 - 4 * a.low));

  const stats::StudentisedBootstrap again(single(mean_cell(twelve)), options);
  CHECK(again.estimates()[0].interval->low == a.low);
  CHECK(again.estimates()[0].interval->high == a.high);
  options.seed = 5;
  const stats::StudentisedBootstrap reseeded(single(mean_cell(twelve)), options);
  CHECK(reseeded.estimates()[0].interval->low != a.low);
  CHECK(reseeded.estimates()[0].interval->low == Approx(a.low).margin(0.4));
}

TEST_CASE("a wider level gives a wider interval", "[stats]") {
  stats::BootstrapOptions options;
  options.level = 0.8;
  const stats::StudentisedBootstrap narrow(single(mean_cell(twelve)), options);
  options.level = 0.99;
  const stats::StudentisedBootstrap wide(single(mean_cell(twelve)), options);
  CHECK(wide.estimates()[0].interval->low < narrow.estimates()[0].interval->low);
  CHECK(wide.estimates()[0].interval->high > narrow.estimates()[0].interval->high);
}

TEST_CASE("no interval is made up where the data cannot give one", "[stats]") {
  SECTION("nine units are too few") {
    const stats::StudentisedBootstrap few(single(mean_cell({1, 2, 3, 4, 5, 6, 7, 8, 9})), {});
    CHECK(few.estimates()[0].note == stats::Note::too_few);
    CHECK(stats::describe(few.estimates()[0].note) == "too few");
    CHECK(*few.estimates()[0].value == 5);
    CHECK_FALSE(few.estimates()[0].interval);
  }
  SECTION("all units agree") {
    const stats::StudentisedBootstrap same(single(mean_cell(Values(20, 0.1))), {});
    CHECK(same.estimates()[0].note == stats::Note::no_variation);
    CHECK_FALSE(same.estimates()[0].interval);
  }
  SECTION("the pie is not positive") {
    const stats::StudentisedBootstrap none(single(ratio_cell(twelve, Values(12, 0.0))), {});
    CHECK(none.estimates()[0].note == stats::Note::undefined);
    CHECK_FALSE(none.estimates()[0].value);
  }
  SECTION("one unit differs: a third of the resamples lack it") {
    Values one(12, 0.0);
    one[3] = 1;
    const stats::StudentisedBootstrap lonely(single(mean_cell(one)), {});
    CHECK(lonely.estimates()[0].note == stats::Note::degenerate);
    CHECK_FALSE(lonely.estimates()[0].interval);
  }
  SECTION("most of the pie is in one unit") {
    Values pie(12, 0.0);
    pie[0] = 1;
    const stats::StudentisedBootstrap lump(single(ratio_cell(twelve, pie)), {});
    CHECK(lump.estimates()[0].note == stats::Note::degenerate);
    CHECK(lump.estimates()[0].degenerate > 3000);  // (11/12)^12 of 9999 is 3520
    CHECK(lump.estimates()[0].degenerate < 4000);
  }
  SECTION("options out of range") {
    CHECK_THROWS_AS(stats::StudentisedBootstrap(single(mean_cell(twelve)), {.level = 95}),
                    agon::Error);
    CHECK_THROWS_AS(stats::StudentisedBootstrap(single(mean_cell(twelve)), {.resamples = 0}),
                    agon::Error);
  }
}

TEST_CASE("simultaneous intervals are symmetric, wider, and shared by identical members",
          "[stats]") {
  stats::BootstrapProblem problem;
  problem.units = {12};
  Values other = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5};
  problem.cells = {mean_cell(twelve), mean_cell(other), mean_cell(twelve)};
  problem.contrasts = {{{0, 1.0}}, {{1, 1.0}}, {{2, 1.0}}};
  const stats::StudentisedBootstrap bootstrap(problem, {});
  const std::vector<std::size_t> alone = {0};
  const std::vector<std::size_t> twins = {0, 2};
  const std::vector<std::size_t> both = {0, 1};
  const auto one = bootstrap.simultaneous(alone);
  const auto twin = bootstrap.simultaneous(twins);
  const auto two = bootstrap.simultaneous(both);
  CHECK(twin[0]->low == one[0]->low);  // a copy adds nothing to the largest |t|
  CHECK(twin[1]->high == one[0]->high);
  CHECK(two[0]->low < one[0]->low);
  const double value = *bootstrap.estimates()[0].value;
  CHECK(two[0]->high - value == Approx(value - two[0]->low));
}

TEST_CASE("the bits of an interval are the same with every compiler", "[stats]") {
  // Sums, products, quotients and roots only: all of them exactly rounded on any IEEE machine.
  const stats::StudentisedBootstrap bootstrap(single(mean_cell(twelve)), {.resamples = 999});
  CHECK(bootstrap.estimates()[0].interval->low == 0x1.669d41711022ep+1);
  CHECK(bootstrap.estimates()[0].interval->high == 0x1.8bb0b1e2e3f35p+2);
}
