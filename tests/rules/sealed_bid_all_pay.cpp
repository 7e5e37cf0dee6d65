// The all-pay equilibrium of whole money: no deviation gains, by exact expectation.

#include <algorithm>
#include <cmath>

#include "sealed_bid_support.hpp"
#include "shared/auction-values/equilibrium.hpp"

using namespace sealed_bid_test;
using auction_values::AllPayAuction;
using auction_values::AllPayEquilibrium;

namespace {

/// How often another bidder bids each number, from how often each of its values does.
std::vector<double> bids_of(const AllPayAuction& auction, const AllPayEquilibrium& found) {
  std::vector<double> bids(static_cast<std::size_t>(auction.highest_bid) + 2);
  double before = 0;
  for (std::size_t b = 0; b <= found.thresholds().size(); ++b) {
    const double up_to = b < found.thresholds().size() ? found.thresholds()[b] : 1;
    bids.at(b) = up_to - before;
    before = up_to;
  }
  return bids;
}

/// The chance to win with `bid` by its definition: over how many of the others bid the same, with
/// the rest below, one of the tied is drawn.
double chance_to_win(const std::vector<double>& bids, std::size_t bid, int bidders) {
  double below = 0;
  for (std::size_t b = 0; b < bid; ++b) below += bids[b];
  double sum = 0, ways = 1;
  for (int tied = 0; tied < bidders; ++tied) {
    sum += ways * std::pow(bids[bid], tied) * std::pow(below, bidders - 1 - tied) / (tied + 1);
    ways = ways * (bidders - 1 - tied) / (tied + 1);
  }
  return sum;
}

/// The most that any value gains by any other bid.
double best_deviation(const AllPayAuction& auction, const AllPayEquilibrium& found) {
  const std::vector<double> bids = bids_of(auction, found);
  std::vector<double> win;
  for (std::size_t b = 0; b < bids.size(); ++b)
    win.push_back(chance_to_win(bids, b, auction.bidders));
  double most = 0;
  for (int value = auction.values[0]; value <= auction.values[1]; ++value) {
    double best = 0, own = 0;
    for (int b = 0; b <= auction.highest_bid; ++b)
      best = std::max(best, value * win[static_cast<std::size_t>(b)] - b);
    // Its own bids: each up to where its dice make the next one.
    const auto& thresholds = found.thresholds();
    const int values = auction.values[1] - auction.values[0] + 1;
    double from = 0;
    for (auto b = static_cast<std::size_t>(found.bid(value, 0)); from < 1; ++b) {
      const double to =
          b < thresholds.size()
              ? std::clamp(thresholds[b] * values - (value - auction.values[0]), from, 1.0)
              : 1.0;
      if (to - from > 1e-9) CHECK(found.bid(value, (from + to) / 2) == static_cast<int>(b));
      own += (to - from) * (value * win[b] - static_cast<double>(b));
      from = to;
    }
    most = std::max(most, best - own);
  }
  return most;
}

}  // namespace

TEST_CASE("all-pay: no value gains more than a ten-thousandth by any other bid") {
  const AllPayAuction grids[] = {{{0, 99}, 0, 99}, {{0, 20}, 0, 20},  {{20, 60}, 0, 60},
                                 {{0, 9}, 0, 9},   {{0, 99}, 0, 200}, {{0, 40}, 0, 10},
                                 {{5, 5}, 0, 5},   {{1, 2}, 0, 2},    {{0, 30}, 0, 0}};
  for (AllPayAuction auction : grids) {
    for (auction.bidders = 2; auction.bidders <= 6; ++auction.bidders) {
      INFO(auction.values[0] << " to " << auction.values[1] << ", at most " << auction.highest_bid
                             << ", " << auction.bidders << " bidders");
      const auto found = AllPayEquilibrium::find(auction);
      REQUIRE(found);
      CHECK(found->gain() <= auction_values::kAllPayGain * auction.values[1]);
      CHECK(best_deviation(auction, *found) < 1e-4);
    }
  }
}

TEST_CASE("all-pay: what leaves a deviation that gains more is no equilibrium") {
  // Two bidders with hundreds of values: where the search does not come near enough, it says so.
  for (const AllPayAuction& auction :
       {AllPayAuction{{0, 500}, 2, 500}, {{50, 400}, 2, 200}, {{1, 500}, 2, 1000}}) {
    const auto found = AllPayEquilibrium::find(auction);
    if (!found) continue;
    CHECK(found->gain() <= auction_values::kAllPayGain * auction.values[1]);
    CHECK(best_deviation(auction, *found) <= 2 * auction_values::kAllPayGain * auction.values[1]);
  }
}

TEST_CASE("all-pay: equilibria that are known") {
  // Three who all value 2 bid 0 or 1, evenly: 0 wins a third of a quarter of the time, 1 wins
  // 1/4 + 1/4 + 1/12, and each brings 1/6.
  const auto three = AllPayEquilibrium::find({{2, 2}, 3, 2});
  REQUIRE(three);
  CHECK(three->thresholds()[0] == Approx(0.5).margin(1e-6));
  CHECK(three->thresholds()[1] == Approx(1).margin(1e-6));
  // Values of 0 bid nothing, whatever their chance; and whoever values more never bids less.
  const auto found = AllPayEquilibrium::find({{0, 99}, 3, 99});
  REQUIRE(found);
  CHECK(found->bid(0, 0.999999) == 0);
  int before = 0;
  for (int value = 0; value <= 99; ++value) {
    CHECK(found->bid(value, 0) >= before);
    before = found->bid(value, 0.999999);
  }
  // Near (n-1)/n v^n / 99^(n-1), the equilibrium of values and bids without gaps.
  CHECK(found->bid(99, 0.5) == Approx(66).margin(1.5));
  CHECK(found->bid(50, 0.5) == Approx(2.0 / 3 * 50 * 50 * 50 / 99 / 99).margin(1.5));
}

TEST_CASE("all-pay: the shipped bidder draws its bids as the equilibrium says") {
  // 2 000 rounds: the mean bid of the three, against the exact one.
  const auto found = AllPayEquilibrium::find({{0, 20}, 3, 20});
  REQUIRE(found);
  double mean = 0, squares = 0;
  const std::vector<double> bids = bids_of({{0, 20}, 3, 20}, *found);
  for (std::size_t b = 0; b < bids.size(); ++b) {
    mean += bids[b] * static_cast<double>(b);
    squares += bids[b] * static_cast<double>(b * b);
  }
  const sealed_bid::EquilibriumBid bidder({});
  const auto played = play_all(bidder, 3,
                               R"("plan": false, "reflect": false, "rounds": 1000,
                                  "own_range": [0, 20], "payment": "all_pay")");
  double sum = 0;
  for (int seat = 0; seat < 3; ++seat) sum += played.metric("bid_sum", seat);
  const double error = std::sqrt((squares - mean * mean) / 3000);
  CHECK(std::abs(sum / 3000 - mean) < 4 * error);
  CHECK(error < 0.2);
}

TEST_CASE("all-pay: a grid whose equilibrium is not worked out is refused with a way out") {
  const auto why = [](int top, const char* payment) {
    sealed_bid::Settings settings;
    settings.own_range = {0, top};
    settings.payment =
        payment[0] == 'a' ? sealed_bid::Payment::all_pay : sealed_bid::Payment::first_price;
    return sealed_bid::EquilibriumBid::why_not(settings);
  };
  CHECK(why(99, "all").empty());
  CHECK(why(990, "all").empty());
  CHECK(why(1001, "all").find("set own_range") != std::string::npos);
  CHECK(why(1001, "first").empty());
}
