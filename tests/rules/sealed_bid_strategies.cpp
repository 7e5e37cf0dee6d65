// Equilibrium bidders against theory: revenue, efficiency, and that no bid does better.

#include <algorithm>

#include "sealed_bid_support.hpp"
#include "shared/auction-values/equilibrium.hpp"

using namespace sealed_bid_test;
using agon::theory::SealedBid;

namespace {

struct Revenue {
  double mean = 0;
  double error = 0;  ///< standard error of the mean
};

/// Revenue of equilibrium bidders with values of 0 to `top`; the mean over matches.
Revenue revenue(const std::string& payment, int top, int matches, int rounds) {
  const sealed_bid::EquilibriumBid bidder({});
  double sum = 0, squares = 0;
  for (int luck = 1; luck <= matches; ++luck) {
    const auto played = play_all(bidder, 3,
                                 R"("plan": false, "reflect": false, "rounds": )" +
                                     std::to_string(rounds) + R"(, "own_range": [0, )" +
                                     std::to_string(top) + R"(], "payment": ")" + payment + "\"",
                                 static_cast<std::uint64_t>(luck));
    const double mean = played.metric("revenue");
    sum += mean;
    squares += mean * mean;
  }
  const double mean = sum / matches;
  return {mean, std::sqrt((squares / matches - mean * mean) / (matches - 1))};
}

/// The mean of f over the rank-th highest of three even draws from 0 to `top`, exactly.
template <class F>
double mean_at_rank(int rank, int top, F f) {
  const double ways[] = {1, 3, 3};
  const auto at_most = [&](int v) {
    const double p = (v + 1.0) / (top + 1);
    double sum = 0;
    for (int above = 0; above < rank; ++above)
      sum += ways[above] * std::pow(1 - p, above) * std::pow(p, 3 - above);
    return sum;
  };
  double mean = 0;
  for (int v = 0; v <= top; ++v) mean += (at_most(v) - at_most(v - 1)) * f(v);
  return mean;
}

/// What the seller gets on average from three bidders in whole money.
double expected_revenue(SealedBid format, int top) {
  if (format == SealedBid::all_pay) {
    // Everybody's bid: how likely each of them goes beyond 0, 1, 2, ...
    double mean = 0;
    const auto found = auction_values::AllPayEquilibrium::find({{0, top}, 3, top});
    for (const double threshold : found.value().thresholds()) mean += 3 * (1 - threshold);
    return mean;
  }
  const auto bid = [&](int v) {
    return auction_values::whole_equilibrium_bid(
        {format, auction_values::ValueModel::independent, {}, {0, top}, 3}, v);
  };
  return mean_at_rank(static_cast<int>(format) + 1, top, bid);
}

}  // namespace

TEST_CASE("sealed bids: revenue of equilibrium bidders agrees with theory in all four formats") {
  const std::pair<const char*, SealedBid> formats[] = {{"first_price", SealedBid::first_price},
                                                       {"second_price", SealedBid::second_price},
                                                       {"third_price", SealedBid::third_price},
                                                       {"all_pay", SealedBid::all_pay}};
  // By calculus 49.5 in all formats, for values without gaps between 0 and 99.
  CHECK(expected_revenue(SealedBid::second_price, 99) == Approx(49.5));
  for (const auto& [name, format] : formats) {
    const double theory = expected_revenue(format, 99);
    CHECK(theory == Approx(49.5).margin(0.6));
    const Revenue got = revenue(name, 99, 100, 100);
    INFO(name << " " << got.mean << " +- " << got.error << ", theory " << theory);
    CHECK(std::abs(got.mean - theory) < 4 * got.error);
  }
}

TEST_CASE("revenue equivalence of the first and second price over 100 000 rounds", "[.long]") {
  // Ten times the steps of 0 to 99, so that whole money costs next to nothing.
  const Revenue first = revenue("first_price", 990, 1000, 100);
  const Revenue second = revenue("second_price", 990, 1000, 100);
  INFO(first.mean << " +- " << first.error << " against " << second.mean << " +- " << second.error);
  CHECK(std::abs(first.mean - second.mean) < 1.96 * std::hypot(first.error, second.error));
  CHECK(std::abs(second.mean - 495) < 4 * second.error);
}

TEST_CASE("sealed bids: equilibrium bids in closed form, over ranges that do not begin at 0") {
  using namespace auction_values;
  const auto bid = [](SealedBid format, Span own, int bidders, int seen) {
    return *equilibrium_bid({format, ValueModel::independent, {}, own, bidders}, seen);
  };
  CHECK(bid(SealedBid::first_price, {0, 99}, 3, 73) == Approx(146.0 / 3));
  CHECK(bid(SealedBid::all_pay, {0, 99}, 3, 99) == Approx(66));
  CHECK(bid(SealedBid::first_price, {10, 60}, 2, 30) == Approx(20));
  CHECK(bid(SealedBid::third_price, {10, 60}, 4, 30) == Approx(40));
  // Where all values are 10 to 60, the all-pay bid is what the second price makes one pay on
  // average: (1/50) * sum of 10..30 by calculus = 8.
  CHECK(bid(SealedBid::all_pay, {10, 60}, 2, 30) == Approx(8));
  CHECK_FALSE(
      equilibrium_bid({SealedBid::first_price, ValueModel::affiliated, {0, 20}, {0, 20}, 3}, 20));
  CHECK(*equilibrium_bid({SealedBid::second_price, ValueModel::affiliated, {0, 20}, {0, 20}, 3},
                         20) == 20);
}

TEST_CASE("sealed bids: values that are the same for all are bid in full") {
  for (const SealedBid format :
       {SealedBid::first_price, SealedBid::second_price, SealedBid::third_price})
    CHECK(auction_values::equilibrium_bid(
              {format, auction_values::ValueModel::independent, {}, {5, 5}, 3}, 5) == 5);
  // All pay: whoever bids the same each time can be outbid by a little.
  CHECK_FALSE(auction_values::equilibrium_bid(
      {SealedBid::all_pay, auction_values::ValueModel::independent, {}, {5, 5}, 3}, 5));
  const sealed_bid::EquilibriumBid bidder({});
  const auto played = play_all(bidder, 3, R"("rounds": 2, "own_range": [5, 5])");
  CHECK(played.metric("revenue") == 5);
}

TEST_CASE("sealed bids: with a common value the equilibrium bids below the estimate") {
  using namespace auction_values;
  const auto bid = [](int bidders, int seen) {
    return *equilibrium_bid(
        {SealedBid::second_price, ValueModel::common, {20, 79}, {-20, 20}, bidders}, seen);
  };
  // With one rival, who sees the same, the estimate is as good as it looks.
  CHECK(bid(2, 50) == Approx(50));
  for (int bidders = 3; bidders <= 6; ++bidders) CHECK(bid(bidders, 50) < bid(bidders - 1, 50));
  CHECK(bid(3, 0) == 20);
  CHECK(bid(3, 99) == 79);
  // So it wins without a loss on average, where truthful bidders lose.
  const std::string settings = R"("rounds": 1000, "values": "common")";
  const sealed_bid::EquilibriumBid careful({});
  const sealed_bid::Truthful naive({});
  CHECK(play_all(careful, 6, settings).metric("bidder_profit") > 0);
  CHECK(play_all(naive, 6, settings).metric("bidder_profit") < 0);
}

TEST_CASE("sealed bids: no other bid is better on average against equilibrium bidders") {
  // Exact over all values of two rivals on a small range, where ties are rare enough.
  using namespace auction_values;
  constexpr int kTop = 60;
  for (const SealedBid format : {SealedBid::first_price, SealedBid::second_price,
                                 SealedBid::third_price, SealedBid::all_pay}) {
    std::vector<double> bids;
    for (int v = 0; v <= kTop; ++v)
      bids.push_back(*equilibrium_bid({format, ValueModel::independent, {}, {0, kTop}, 3}, v));
    const auto gain = [&](double bid, int value) {
      double sum = 0;
      for (const double a : bids)
        for (const double b : bids) {
          const double high = std::max(a, b), low = std::min(a, b);
          const double wins = bid > high ? 1 : bid < high ? 0 : 0.5;
          const double pays = format == SealedBid::first_price    ? bid
                              : format == SealedBid::second_price ? high
                                                                  : low;
          sum += wins * value;
          sum -= format == SealedBid::all_pay ? bid : wins * pays;
        }
      return sum / static_cast<double>(bids.size() * bids.size());
    };
    for (const int value : {10, 35, 60}) {
      const double best = gain(bids[static_cast<std::size_t>(value)], value);
      for (int other = 0; other <= 2 * kTop; ++other)
        // The theory is that of values without gaps: a step of 1 in 60 is worth a little.
        CHECK(gain(other, value) < best + 0.75);
    }
  }
}
