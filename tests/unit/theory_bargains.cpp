#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <limits>

#include "catch.hpp"

using namespace agon::theory;

namespace {

using Indices = std::vector<std::size_t>;

}  // namespace

TEST_CASE("theory: the Nash bargain has the largest product of gains") {
  const std::vector<PayoffPair> points{{10, 0}, {7, 4}, {6, 5}, {5, 6}, {0, 10}};
  CHECK(nash_bargains(points, {0, 0}) == Indices{2, 3});
  CHECK(nash_bargains(points, {2, 0}) == Indices{1, 2});  // 5 * 4 and 4 * 5 over 3 * 6
  CHECK(nash_bargains(points, {5, 0}) == Indices{1});     // 2 * 4 over 1 * 5
  CHECK(nash_bargains(points, {10, 0}).empty());          // nothing is better for both
  // What leaves one of them as it was is no bargain.
  CHECK(nash_bargains(std::vector<PayoffPair>{{2, 9}}, {2, 3}).empty());
  CHECK(nash_bargains(std::vector<PayoffPair>{{9, 3}}, {2, 3}).empty());
  CHECK(nash_bargains(std::vector<PayoffPair>{{3, 4}}, {2, 3}) == Indices{0});
  CHECK(nash_bargains({}, {0, 0}).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(nash_bargains(points, {nan, 0}), agon::Error);
  CHECK_THROWS_AS(nash_bargains(std::vector<PayoffPair>{{1, nan}}, {0, 0}), agon::Error);
}

TEST_CASE("theory: products that tie as written tie, whatever their doubles") {
  CHECK(0.3 * 0.1 != 0.1 * 0.1 * 3);
  CHECK(nash_bargains(std::vector<PayoffPair>{{0.3, 0.1}, {0.03, 1}}, {0, 0}) == Indices{0, 1});
  CHECK(nash_bargains(std::vector<PayoffPair>{{0.3, 0.3}, {0.2, 0.4}}, {0.1, 0.2}) ==
        Indices{0, 1});
}

TEST_CASE("theory: envy-free is when nobody would swap") {
  CHECK(envy_free(std::vector<std::vector<double>>{{5, 5}, {4, 6}}));
  CHECK_FALSE(envy_free(std::vector<std::vector<double>>{{4, 5}, {4, 6}}));
  CHECK(envy_free(std::vector<std::vector<double>>{{3, 2, 1}, {0, 0, 0}, {1, 1, 1}}));
  CHECK_THROWS_AS(envy_free(std::vector<std::vector<double>>{{4, 5}}), agon::Error);
}

TEST_CASE("theory: equilibrium bids of the sealed formats") {
  CHECK(equilibrium_bid(SealedBid::first_price, 73, 3, 99) == Approx(48.667).margin(0.001));
  CHECK(equilibrium_bid(SealedBid::second_price, 73, 3, 99) == 73);
  CHECK(equilibrium_bid(SealedBid::third_price, 40, 3, 99) == 80);
  CHECK(equilibrium_bid(SealedBid::third_price, 40, 5, 99) == Approx(160.0 / 3));
  CHECK(equilibrium_bid(SealedBid::all_pay, 99, 3, 99) == Approx(66));
  CHECK(equilibrium_bid(SealedBid::all_pay, 49.5, 3, 99) == Approx(66.0 / 8));
  CHECK(equilibrium_bid(SealedBid::all_pay, 49.5, 2, 99) == Approx(99.0 / 8));
  CHECK(equilibrium_bid(SealedBid::first_price, 0, 2, 1) == 0);
  CHECK_THROWS_AS(equilibrium_bid(SealedBid::third_price, 1, 2, 99), agon::Error);
  CHECK_THROWS_AS(equilibrium_bid(SealedBid::first_price, 1, 1, 99), agon::Error);
  CHECK_THROWS_AS(equilibrium_bid(SealedBid::first_price, 100, 2, 99), agon::Error);
  CHECK_THROWS_AS(equilibrium_bid(SealedBid::first_price, -1, 2, 99), agon::Error);
  CHECK_THROWS_AS(equilibrium_bid(SealedBid::first_price, 0, 2, 0), agon::Error);
}
