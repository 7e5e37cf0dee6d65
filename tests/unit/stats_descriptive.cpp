#include <agon/error.hpp>
#include <vector>

#include "catch.hpp"
#include "stats/resampling.hpp"
#include "stats/statistics.hpp"

namespace stats = agon::stats;
using Values = std::vector<double>;

TEST_CASE("resampling dice give the same numbers everywhere", "[stats]") {
  stats::ResamplingDice dice(1, 0);
  const std::vector<std::uint64_t> first = {dice.next(), dice.next(), dice.next()};
  // Written down once: a change of generator must be seen, as it moves every interval.
  CHECK(first == std::vector<std::uint64_t>{0x21a5715431dc4cc7ULL, 0xe1a26c101cc38752ULL,
                                            0xa001a4cd852412c8ULL});
  stats::ResamplingDice again(1, 0);
  CHECK(again.next() == first[0]);
  stats::ResamplingDice other_stream(1, 1);
  CHECK(other_stream.next() != first[0]);
  stats::ResamplingDice other_seed(2, 0);
  CHECK(other_seed.next() != first[0]);
}

TEST_CASE("below() is uniform and stays below", "[stats]") {
  stats::ResamplingDice dice(7);
  std::vector<std::size_t> seen(6, 0);
  for (int i = 0; i < 60000; ++i) ++seen.at(static_cast<std::size_t>(dice.below(6)));
  double chi_squared = 0;
  for (const std::size_t count : seen) {
    const double off = static_cast<double>(count) - 10000;
    chi_squared += off * off / 10000;
  }
  CHECK(chi_squared < 20.5);  // 0.999 of chi-squared with 5 degrees of freedom
  for (int i = 0; i < 100; ++i) CHECK(dice.below(1) == 0);
  // A range just above half of 2^64 rejects nearly every second word.
  const std::uint64_t huge = (1ULL << 63) + 1;
  std::size_t lower_half = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t drawn = dice.below(huge);
    REQUIRE(drawn < huge);
    lower_half += drawn < huge / 2 ? 1 : 0;
  }
  CHECK(lower_half > 4800);
  CHECK(lower_half < 5200);
}

TEST_CASE("shuffles reach every order equally often", "[stats]") {
  stats::ResamplingDice dice(3);
  std::vector<int> counts(6, 0);
  for (int i = 0; i < 6000; ++i) {
    std::vector<int> items = {0, 1, 2};
    dice.shuffle(std::span<int>(items));
    counts.at(static_cast<std::size_t>(items[0] * 2 + (items[1] > items[2] ? 1 : 0)))++;
  }
  for (const int count : counts) {
    CHECK(count > 880);
    CHECK(count < 1120);
  }
}

TEST_CASE("mean, deviation and quantiles of small samples", "[stats]") {
  CHECK_FALSE(stats::mean(Values{}));
  CHECK(*stats::mean(Values{1, 2, 6}) == 3);
  CHECK_FALSE(stats::standard_deviation(Values{4}));
  CHECK(*stats::standard_deviation(Values{2, 4, 4, 4, 5, 5, 7, 9}) ==
        Approx(2.138089935299395));  // sqrt(32 / 7)
  CHECK_FALSE(stats::quantile(Values{}, 0.5));
  CHECK(*stats::quantile(Values{3, 1, 2, 4}, 0.5) == 2.5);
  CHECK(*stats::quantile(Values{3, 1, 2, 4}, 0.25) == 1.75);
  CHECK(*stats::quantile(Values{3, 1, 2, 4}, 0) == 1);
  CHECK(*stats::quantile(Values{3, 1, 2, 4}, 1) == 4);
  CHECK(*stats::quantile(Values{5}, 0.9) == 5);
}

TEST_CASE("ranks with ties", "[stats]") {
  const Values scores = {10, 30, 20, 20, 5};
  CHECK(stats::competition_ranks(scores, stats::RankOrder::highest_first) ==
        std::vector<std::size_t>{4, 1, 2, 2, 5});
  CHECK(stats::competition_ranks(scores, stats::RankOrder::lowest_first) ==
        std::vector<std::size_t>{2, 5, 3, 3, 1});
  CHECK(stats::average_ranks(scores, stats::RankOrder::highest_first) == Values{4, 1, 2.5, 2.5, 5});
  CHECK(stats::average_ranks(Values{1, 1, 1}, stats::RankOrder::lowest_first) == Values{2, 2, 2});
}

TEST_CASE("Spearman's rho by hand", "[stats]") {
  // Squared rank differences 0, 1, 1, 0: rho = 1 - 6 * 2 / (4 * 15) = 0.8. Of the 24 orders, those
  // at +-0.8 or beyond: the identity, 3 neighbour swaps, and their reversals: 8.
  const auto four = stats::spearman(Values{1, 2, 3, 4}, Values{10, 30, 20, 40});
  CHECK(*four.rho == Approx(0.8));
  CHECK(four.exact);
  CHECK(*four.p_value == Approx(8.0 / 24));

  const auto perfect = stats::spearman(Values{1, 2, 3, 4, 5}, Values{5, 4, 3, 2, 1});
  CHECK(*perfect.rho == -1);
  CHECK(*perfect.p_value == Approx(2.0 / 120));

  // Average ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5 / sqrt(4.5 * 5).
  const auto tied = stats::spearman(Values{1, 2, 2, 3}, Values{1, 2, 3, 4});
  CHECK(*tied.rho == Approx(0.9486832980505138));

  CHECK_FALSE(stats::spearman(Values{1, 1, 1}, Values{1, 2, 3}).rho);
  CHECK_FALSE(stats::spearman(Values{1}, Values{1}).rho);
  CHECK_FALSE(stats::spearman(Values{1, 2}, Values{1, 2}).p_value);
  CHECK_THROWS_AS(stats::spearman(Values{1, 2}, Values{1}), agon::Error);
}

TEST_CASE("Spearman's p-value is exact up to nine pairs", "[stats]") {
  const Values nine = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto result = stats::spearman(nine, nine);
  CHECK(result.exact);
  CHECK(*result.p_value == Approx(2.0 / 362880));  // this order and its reversal, of 9!
  CHECK(*stats::spearman(Values{1, 2, 3}, Values{1, 2, 3}).p_value == Approx(2.0 / 6));
}

TEST_CASE("Spearman's p-value from t for longer lists", "[stats]") {
  const Values x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  const Values y = {2, 1, 4, 3, 6, 5, 8, 7, 10, 9};  // ten squared differences of 1
  const auto result = stats::spearman(x, y);
  CHECK(*result.rho == Approx(1 - 60.0 / 990));
  CHECK_FALSE(result.exact);
  // t = 0.939394 sqrt(8 / (1 - 0.882461)) = 7.7500 on 8 degrees of freedom. With 8 degrees the tail
  // has a closed form: with u = t / sqrt(8 + t^2), P = 1 - u (35 - 35 u^2 + 21 u^4 - 5 u^6) / 16.
  const double u = *result.rho;
  const double closed =
      1 - u * (35 - 35 * u * u + 21 * u * u * u * u - 5 * u * u * u * u * u * u) / 16;
  CHECK(*result.p_value == Approx(closed).epsilon(1e-6));
  CHECK(*stats::spearman(x, x).p_value == 0);
}
