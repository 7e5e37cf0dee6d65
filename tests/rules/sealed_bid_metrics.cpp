// Every metric of sealed bids by figures worked out by hand, and comparisons where they turn.

#include "sealed_bid_support.hpp"
#include "shared/auction-values/equilibrium.hpp"

using namespace sealed_bid_test;
using agon::test::check_all_metrics;
using agon::test::undefined;

namespace {

std::vector<std::string> bids(const std::vector<int>& amounts) {
  std::vector<std::string> answers;
  for (const int n : amounts) answers.push_back(R"({"bid": )" + std::to_string(n) + "}");
  return answers;
}

}  // namespace

TEST_CASE("sealed bids: all metrics of two rounds with the first price") {
  // Charles wins both, once at his value. In equilibrium all bid two thirds of theirs.
  const auto played = ScriptedMatch(the_auction(), R"({"rounds": 2, "payment": "first_price",
                          "given": [{"values": [60, 30, 90]}, {"values": [30, 90, 60]}]})")
                          .seat(0, bids({40, 32}))
                          .seat(1, bids({31, 45}))
                          .seat(2, bids({90, 59}))
                          .play();
  check_all_metrics(played, 0,
                    {{"rounds", 2},
                     {"value_sum", 90},
                     {"value_squares", 3600 + 900},
                     {"bid_sum", 72},
                     {"bid_squares", 1600 + 1024},
                     {"value_bid_sum", 2400 + 960},
                     {"overbids", 1},
                     {"underbids", 1},
                     {"error_sum", 20 + 2},
                     {"squares_above", 4},
                     {"squares_below", 400},
                     {"lost", 2},
                     {"lost_error_sum", 22},
                     {"lost_error_squares", 404},
                     {"benchmark_sum", 40 + 20},
                     {"benchmark_error_sum", 0 + 12},
                     {"mean_error", 11},
                     {"r_squared", 1 - 404.0 / 32},
                     {"smad", 20}});
  check_all_metrics(played, 1,
                    {{"rounds", 2},
                     {"value_sum", 120},
                     {"value_squares", 900 + 8100},
                     {"bid_sum", 76},
                     {"bid_squares", 961 + 2025},
                     {"value_bid_sum", 930 + 4050},
                     {"near_bids", 1},
                     {"overbids", 1},
                     {"underbids", 1},
                     {"error_sum", 1 + 45},
                     {"squares_above", 1},
                     {"squares_below", 2025},
                     {"lost", 2},
                     {"lost_near", 1},
                     {"lost_error_sum", 46},
                     {"lost_error_squares", 2026},
                     {"benchmark_sum", 20 + 60},
                     {"benchmark_error_sum", 11 + 15},
                     {"near_share", 0.5},
                     {"mean_error", 23},
                     {"r_squared", 1 - 2026.0 / 98},
                     {"smad", 32.5}});
  check_all_metrics(played, 2,
                    {{"profit", 1},
                     {"rounds", 2},
                     {"wins", 2},
                     {"paid", 149},
                     {"value_sum", 150},
                     {"value_squares", 8100 + 3600},
                     {"bid_sum", 149},
                     {"bid_squares", 8100 + 3481},
                     {"value_bid_sum", 8100 + 3540},
                     {"exact_bids", 1},
                     {"near_bids", 2},
                     {"underbids", 1},
                     {"error_sum", 1},
                     {"squares_below", 1},
                     {"benchmark_sum", 60 + 40},
                     {"benchmark_error_sum", 30 + 19},
                     {"exact_share", 0.5},
                     {"near_share", 1},
                     {"mean_error", 0.5},
                     {"r_squared", 1 - 1 / 480.5},
                     {"smad", 49}});
  check_all_metrics(played, -1,
                    {{"rounds", 2},
                     {"revenue_sum", 149},
                     {"revenue", 74.5},
                     {"efficient", 1},
                     {"efficiency", 0.5},
                     {"best_value_sum", 180},
                     {"second_value_sum", 120},
                     {"winner_value_sum", 150},
                     {"surplus_share", 150.0 / 180},
                     {"worth_sum", 150},
                     {"bidder_profit", 1},
                     {"exact_share", 1.0 / 6},
                     {"near_share", 3.0 / 6},
                     {"overbid_share", 2.0 / 6},
                     {"underbid_share", 3.0 / 6},
                     {"mean_error", 69.0 / 6},
                     {"smad", 100 * 87.0 / 240}});
  CHECK(played.outcome[0].ideal == 90);
  CHECK(played.outcome[1].ideal == 120);
  CHECK(played.outcome[2].ideal == 150);
}

TEST_CASE("sealed bids: with a common value nobody has the highest one") {
  const auto played =
      play("first_price", {48, 62, 72}, {48, 58, 71},
           R"("values": "common", "given": [{"values": [48, 62, 72], "common": 53}])");
  check_all_metrics(played, -1,
                    {{"rounds", 1},
                     {"revenue_sum", 71},
                     {"revenue", 71},
                     {"efficient", undefined},
                     {"efficiency", undefined},
                     {"best_value_sum", undefined},
                     {"second_value_sum", undefined},
                     {"winner_value_sum", undefined},
                     {"surplus_share", undefined},
                     {"worth_sum", 53},
                     {"bidder_profit", -18},
                     {"losses", 1},
                     {"exact_share", 1.0 / 3},
                     {"near_share", 2.0 / 3},
                     {"underbid_share", 2.0 / 3},
                     {"mean_error", 5.0 / 3},
                     {"smad", undefined}});
  // Of this the equilibrium is not known.
  CHECK(std::isnan(played.metric("benchmark_sum", 0)));
  CHECK(std::isnan(played.metric("benchmark_error_sum", 0)));
}

TEST_CASE("sealed bids: who pays more than it is worth has lost, who breaks even has not") {
  const auto losses = [](const std::string& payment, const std::vector<int>& bids) {
    const auto played = play(payment, {50, 40, 30}, bids);
    return std::vector<double>{played.metric("losses"), played.metric("losses", 0),
                               played.metric("losses", 1), played.metric("losses", 2)};
  };
  using Losses = std::vector<double>;
  // The match counts rounds that the winner won at a loss.
  CHECK(losses("first_price", {49, 20, 10}) == Losses{0, 0, 0, 0});
  CHECK(losses("first_price", {50, 20, 10}) == Losses{0, 0, 0, 0});
  CHECK(losses("first_price", {51, 20, 10}) == Losses{1, 1, 0, 0});
  // Where all pay, losers lose whatever they bid, down to 1.
  CHECK(losses("all_pay", {50, 0, 1}) == Losses{0, 0, 0, 1});
  CHECK(losses("all_pay", {51, 20, 0}) == Losses{1, 1, 1, 0});
}

TEST_CASE("sealed bids: equal scores share the better rank") {
  const auto ranks = [](const std::vector<int>& values, const std::vector<int>& bids) {
    const auto played = play("first_price", values, bids);
    return std::vector<int>{played.outcome[0].rank, played.outcome[1].rank, played.outcome[2].rank};
  };
  using Ranks = std::vector<int>;
  CHECK(ranks({93, 56, 5}, {74, 56, 4}) == Ranks{1, 2, 2});  // 19, 0, 0
  CHECK(ranks({93, 56, 5}, {93, 56, 4}) == Ranks{1, 1, 1});  // 0, 0, 0
  CHECK(ranks({93, 56, 5}, {94, 56, 4}) == Ranks{3, 1, 1});  // -1, 0, 0
}

TEST_CASE("sealed bids: the winner would have preferred a bid one above the second") {
  const auto better = [](int highest) {
    return told(play("first_price", {90, 70, 50}, {highest, 56, 21}), 0).at("better_bid");
  };
  CHECK(better(58) == 57);
  CHECK(better(57).is_null());  // that is what it bid
}

TEST_CASE(
    "sealed bids: with a common value the equilibrium reckons with having the best estimate") {
  using namespace auction_values;
  // Values 0, 1, 2 and errors -1, 0, 1 are all as likely. Seen 1, the value is 0, 1 or 2 with an
  // error of 1, 0 or -1; below those lie 5/6, 3/6 and 1/6 of the others' errors, halves of ties.
  Contest contest;
  contest.format = agon::theory::SealedBid::second_price;
  contest.model = ValueModel::common;
  contest.common = {0, 2};
  contest.own = {-1, 1};
  contest.bidders = 3;
  CHECK(*equilibrium_bid(contest, 1) == Approx((0 * 5 + 1 * 3 + 2 * 1) / 9.0).epsilon(1e-12));
  contest.bidders = 4;
  CHECK(*equilibrium_bid(contest, 1) == Approx((0 * 25 + 1 * 9 + 2 * 1) / 35.0).epsilon(1e-12));
  // With one rival alone, all that is possible weighs the same.
  contest.bidders = 2;
  CHECK(*equilibrium_bid(contest, 1) == Approx(1).epsilon(1e-12));
  // At the ends less is possible.
  CHECK(*equilibrium_bid(contest, -1) == 0);
  CHECK(*equilibrium_bid(contest, 0) == Approx(0.5).epsilon(1e-12));
  CHECK(*equilibrium_bid(contest, 3) == 2);
}
