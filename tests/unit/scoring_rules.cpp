// Scoring rules: known values, and that nobody does better by than by what they hold to be so.
#include "stats/scoring_rules.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"

namespace {

using namespace agon::stats;

/// What a forecast scores on average where the truth has this probability.
template <class Rule>
double expected(double truth, const Rule& rule) {
  return truth * rule(true) + (1 - truth) * rule(false);
}

/// The expected score of an interval for a number that is uniform from 0 to 1.
double interval_loss(double low, double high, double level) {
  double sum = 0;
  constexpr int kPoints = 10'000;
  for (int i = 0; i < kPoints; ++i)
    sum += interval_score(low, high, level, (i + 0.5) / kPoints) / kPoints;
  return sum;
}

}  // namespace

TEST_CASE("scoring rules have the values of the textbook") {
  CHECK(brier_score(0.7, true) == Approx(0.09));
  CHECK(brier_score(0.7, false) == Approx(0.49));
  CHECK(brier_score(std::vector{0.5, 0.3, 0.2}, 0) == Approx(0.25 + 0.09 + 0.04));
  CHECK(brier_score(std::vector{0.5, 0.3, 0.2}, 2) == Approx(0.25 + 0.09 + 0.64));
  CHECK(log_score(1) == 0);
  CHECK(log_score(0.5) == Approx(std::log(2)));
  CHECK(log_score(0) == Approx(-std::log(kLeastForecast)));
  CHECK(interval_score(2, 5, 0.9, 3) == Approx(3));
  CHECK(interval_score(2, 5, 0.9, 1) == Approx(3 + 20));
  CHECK(interval_score(2, 5, 0.9, 5.5) == Approx(3 + 10));
}

TEST_CASE("the true probability has the best expected score") {
  for (const double truth : {0.05, 0.3, 0.5, 0.9}) {
    const auto brier = [&](double said) {
      return expected(truth, [&](bool yes) { return brier_score(said, yes); });
    };
    const auto log = [&](double said) {
      return expected(truth, [&](bool yes) { return log_score(yes ? said : 1 - said); });
    };
    const auto both = [&](double said) {
      return expected(truth, [&](bool yes) {
        return brier_score(std::vector{said, 1 - said}, yes ? 0 : 1);
      });
    };
    for (double said = 0.01; said < 1; said += 0.01) {
      if (std::abs(said - truth) < 1e-9) continue;
      CHECK(brier(said) > brier(truth));
      CHECK(log(said) > log(truth));
      CHECK(both(said) > both(truth));
    }
  }
}

TEST_CASE("the quantiles are the best interval") {
  const double best = interval_loss(0.05, 0.95, 0.9);
  for (const double off : {-0.04, -0.02, 0.02, 0.04}) {
    CHECK(interval_loss(0.05 + off, 0.95, 0.9) > best);
    CHECK(interval_loss(0.05, 0.95 + off, 0.9) > best);
  }
  CHECK(interval_loss(0.25, 0.75, 0.5) < interval_loss(0.05, 0.95, 0.5));
}
