#include <agon/analysis/statistics.hpp>
#include <agon/error.hpp>
#include <cmath>
#include <vector>

#include "catch.hpp"

namespace {
using Values = std::vector<double>;
}

TEST_CASE("a mean over blocks: Student's t from the spread over blocks", "[stats]") {
  agon::Sample sample;
  CHECK(sample.empty());
  CHECK(std::isnan(sample.mean(0.95).value));
  sample.add("a", 1);
  sample.add("a", 3);
  sample.add("b", 2);
  // Two blocks are too few for an interval.
  CHECK(sample.mean(0.95).value == Approx(2));
  CHECK(std::isnan(sample.mean(0.95).low));
  sample.add("c", 6);
  sample.add("c", std::nan(""));
  const agon::Figure mean = sample.mean(0.95);
  // By hand: rests -2, -1, 3 around 3; error sqrt(3/2 * 14) / 4; t(2, 0.975) = 4.302653.
  CHECK(mean.value == Approx(3));
  CHECK(mean.n == 4);
  CHECK(mean.low == Approx(3 - 4.929307).margin(1e-5));
  CHECK(mean.high == Approx(3 + 4.929307).margin(1e-5));
}

TEST_CASE("a ratio of sums weighs its blocks", "[stats]") {
  agon::Sample sample;
  sample.add("a", 1, 10);
  sample.add("b", 3, 10);
  sample.add("c", 5, 40);
  const agon::Figure rate = sample.mean(0.9);
  // 9 of 60: rests -0.5, 1.5, -1; error sqrt(3/2 * 3.5) / 60; t(2, 0.95) = 2.919986.
  CHECK(rate.value == Approx(0.15));
  CHECK(rate.n == 60);
  CHECK(rate.high - rate.value == Approx(2.919986 * std::sqrt(5.25) / 60).epsilon(1e-6));
}

TEST_CASE("where all blocks say the same there is no interval", "[stats]") {
  agon::Sample sample;
  for (const char* block : {"a", "b", "c", "d"}) sample.add(block, 0.1);
  CHECK(sample.mean(0.95).value == Approx(0.1));
  CHECK(std::isnan(sample.mean(0.95).low));
}

TEST_CASE("a difference of two samples is that of the blocks that both have", "[stats]") {
  agon::Sample a, b;
  // Ratios of a: 4, 9, 20; of b: 3, 7, 17; the differences 1, 2, 3.
  a.add("x", 40, 10);
  a.add("y", 4);
  a.add("y", 14);
  a.add("z", 20);
  a.add("alone", 1000);
  b.add("x", 3);
  b.add("y", 14, 2);
  b.add("z", 17);
  b.add("empty", 0, 0);
  b.add("other", -1000);
  const agon::Figure difference = a.minus(b, 0.95);
  CHECK(difference.value == Approx(2));
  CHECK(difference.n == 3);
  // t(2, 0.975) = 4.302653 errors of 1 / sqrt(3), however far apart the blocks are themselves.
  CHECK(difference.high - difference.value == Approx(4.302653 / std::sqrt(3)).epsilon(1e-6));
  CHECK(b.minus(a, 0.95).value == Approx(-2));
  CHECK(std::isnan(b.minus(a, 0.95).low) == false);
  CHECK(a.minus(a, 0.95).value == 0);
  CHECK(std::isnan(a.minus(a, 0.95).low));
  CHECK(std::isnan(a.minus(agon::Sample(), 0.95).value));
}

TEST_CASE("shares: Wilson's interval for one value a block", "[stats]") {
  agon::Sample sample;
  for (int i = 0; i < 10; ++i) sample.add(std::to_string(i), i < 8 ? 1 : 0);
  const agon::Figure share = sample.share(0.95);
  CHECK(share.value == Approx(0.8));
  CHECK(share.n == 10);
  CHECK(share.low == Approx(0.49016).margin(1e-5));
  CHECK(share.high == Approx(0.94332).margin(1e-5));

  agon::Sample never;
  for (int i = 0; i < 10; ++i) never.add(std::to_string(i), 0);
  CHECK(never.share(0.95).low == 0);
  CHECK(never.share(0.95).high == Approx(0.27754).margin(1e-5));

  // With several values a block they are no independent trials.
  sample.add("0", 1);
  CHECK(sample.share(0.95).low == Approx(std::max(0.0, sample.mean(0.95).low)));
  CHECK(sample.share(0.95).high == Approx(std::min(1.0, sample.mean(0.95).high)));
}

TEST_CASE("Welch's test of the textbook samples", "[stats]") {
  // Two samples of equal size and unlike spread, as the reference article on the test has them.
  const Values a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                 21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
  const Values b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                 24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4};
  const agon::TTest test = agon::welch(a, b);
  CHECK(test.t == Approx(-2.46).margin(0.005));
  CHECK(test.degrees == Approx(25.0).margin(0.05));
  CHECK(test.p == Approx(0.021).margin(0.0005));
  CHECK(agon::welch(b, a).t == Approx(-test.t));
  CHECK(std::isnan(agon::welch(Values{1}, b).t));
  CHECK(std::isnan(agon::welch(Values{1, 1}, Values{2, 2}).p));
}

TEST_CASE("rank correlation of the textbook pairs", "[stats]") {
  // Ten pairs of a score and hours of television: rho = -29/165.
  const Values x{106, 100, 86, 101, 99, 103, 97, 113, 112, 110};
  const Values y{7, 27, 2, 50, 28, 29, 20, 12, 6, 17};
  const agon::RankCorrelation found = agon::rank_correlation(x, y);
  CHECK(found.rho == Approx(-29.0 / 165));
  CHECK(found.p == Approx(0.627188).margin(1e-5));
  CHECK(found.n == 10);
  CHECK(std::isnan(agon::rank_correlation(Values{1, 1}, Values{1, 2}).rho));
  CHECK_THROWS_AS(agon::rank_correlation(x, Values{1}), agon::Error);
}

TEST_CASE("spread: mean, deviation and the five numbers of a box", "[stats]") {
  const agon::Spread s = agon::spread(Values{9, 4, 5, 2, 7, 4});
  CHECK(s.n == 6);
  CHECK(s.mean == Approx(31.0 / 6));
  CHECK(s.deviation == Approx(std::sqrt((191 - 961.0 / 6) / 5)));
  CHECK(s.standard_error == Approx(s.deviation / std::sqrt(6.0)));
  CHECK(s.low == 2);
  CHECK(s.lower_quartile == 4);
  CHECK(s.median == 4.5);
  CHECK(s.upper_quartile == 6.5);
  CHECK(s.high == 9);
  CHECK(std::isnan(agon::spread(Values{}).mean));
  CHECK(std::isnan(agon::spread(Values{3}).deviation));
  CHECK(agon::spread(Values{3}).median == 3);
}

TEST_CASE("histogram: equal parts, the last one closed", "[stats]") {
  CHECK(agon::histogram(Values{0, 1.9, 2, 4, 9.99, 10, -1, 11, std::nan("")}, 0, 10, 5) ==
        Values{2, 1, 1, 0, 2});
  // Values on edges that have no exact binary form fall into the part that begins there.
  Values tenths;
  for (int i = 0; i < 10; ++i) tenths.push_back(i / 10.0);
  CHECK(agon::histogram(tenths, 0, 1, 10) == Values(10, 1.0));
  CHECK(agon::histogram(Values{1}, 1, 1, 2) == Values{0, 0});
  CHECK(agon::histogram(Values{1}, 0, 1, 0).empty());
}

TEST_CASE("kernel density with Scott's bandwidth", "[stats]") {
  // Two values at -1 and 1: bandwidth sqrt(2) * 2^(-1/5) = 1.231144.
  CHECK(agon::density(Values{-1, 1}, Values{0}).front() == Approx(0.232988).margin(1e-6));
  Values at;
  for (int i = 0; i <= 2000; ++i) at.push_back(-10 + i * 0.01);
  double area = 0;
  for (const double d : agon::density(Values{-1, 0.5, 1, 1}, at)) area += d * 0.01;
  CHECK(area == Approx(1).margin(1e-6));
  CHECK(agon::density(Values{2, 2}, Values{2}) == Values{0});
}

TEST_CASE("TrueSkill of a match of two strangers", "[stats]") {
  // As the published model has it: 29.396 and 20.604, both with 7.171.
  const auto after = agon::trueskill(std::vector<agon::Skill>(2), Values{1, 0});
  REQUIRE(after.size() == 2);
  CHECK(after[0].mu == Approx(29.3958).margin(1e-3));
  CHECK(after[1].mu == Approx(20.6042).margin(1e-3));
  CHECK(after[0].sigma == Approx(7.1715).margin(1e-3));
  CHECK_THROWS_AS(agon::trueskill(std::vector<agon::Skill>(2), Values{1}), agon::Error);
}
