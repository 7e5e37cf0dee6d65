#pragma once

#include <agon/describe.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <optional>

#include "sealed-bid/messages.hpp"
#include "sealed-bid/settings.hpp"

/// What the game asks and says.
namespace sealed_bid {

inline constexpr agon::Probe<"plan", Plan, PlanView> kPlan{
    "Before the first round, not knowing your value or estimate yet: plan how you will bid.",
    "everybody, if plans are asked for", agon::Purpose::plan, &tell};
inline constexpr agon::Probe<"replan", Plan, PlanView> kReplan{
    "Before a later round, not knowing your value or estimate yet: plan how you will bid in it.",
    "everybody, if plans are asked for", agon::Purpose::replan, &tell};
inline constexpr agon::Stage<"bid", Bid, BidView> kBid{"Make your sealed bid.",
                                                       "everybody, all at once", &tell};
inline constexpr agon::Probe<"reflect", Reflection, ReflectView> kReflect{
    "After a round: what would have come of another bid, and what do you learn from it?",
    "everybody, if lessons are asked for, but not after the last round", agon::Purpose::learn,
    &tell};

inline constexpr agon::Note<"values", ValuesDrawn> kValues{"the values of a round", &tell};
inline constexpr agon::Note<"sold", Sold> kSold{"how a round ended", &tell};
inline constexpr agon::PrivateEvent<"outcome", PastRound> kOutcome{"how a round ended for the seat",
                                                                   &tell};

using Table = agon::Table<kPlan, kReplan, kBid, kReflect, kValues, kSold, kOutcome>;

/// What is measured of one seat: sums over the rounds, so that tables can pool them, and shares.
/// Errors are differences of a bid and what the bidder saw: its value or its estimate.
struct SeatMetrics {
  int profit = 0;
  int rounds = 0;
  int wins = 0;
  int losses = 0;
  int paid = 0;
  double value_sum = 0;
  double value_squares = 0;
  double bid_sum = 0;
  double bid_squares = 0;
  double value_bid_sum = 0;
  int exact_bids = 0;
  int near_bids = 0;
  int overbids = 0;
  int underbids = 0;
  double error_sum = 0;
  double squares_above = 0;
  double squares_below = 0;
  int lost = 0;
  int lost_near = 0;
  double lost_error_sum = 0;
  double lost_error_squares = 0;
  std::optional<double> benchmark_sum;
  std::optional<double> benchmark_error_sum;
  int forced = 0;
  double exact_share = 0;
  double near_share = 0;
  double mean_error = 0;
  std::optional<double> r_squared;
  std::optional<double> smad;
};
AGON_DESCRIBE(
    SeatMetrics,
    (profit, "worth less payment, over all rounds", agon::Better::higher, agon::unit("currency")),
    (rounds, "rounds played", agon::at_least(1)), (wins, "rounds won", agon::at_least(0)),
    (losses, "rounds that ended with a negative profit", agon::at_least(0), agon::Better::lower),
    (paid, "what was paid in all", agon::at_least(0), agon::unit("currency")),
    (value_sum, "sum of the values", agon::unit("currency")),
    (value_squares, "sum of their squares", agon::at_least(0)),
    (bid_sum, "sum of the bids", agon::at_least(0), agon::unit("currency")),
    (bid_squares, "sum of their squares", agon::at_least(0)),
    (value_bid_sum, "sum of the products of value and bid"),
    (exact_bids, "bids of exactly the value", agon::at_least(0)),
    (near_bids, "bids at most 1 away from the value", agon::at_least(0)),
    (overbids, "bids above the value", agon::at_least(0)),
    (underbids, "bids below the value", agon::at_least(0)),
    (error_sum, "sum of the distances of bid and value", agon::at_least(0), agon::unit("currency")),
    (squares_above, "sum of the squared errors of the bids above the value", agon::at_least(0)),
    (squares_below, "sum of the squared errors of the bids below the value", agon::at_least(0)),
    (lost, "rounds not won", agon::at_least(0)),
    (lost_near, "of these: bids at most 1 away from the value", agon::at_least(0)),
    (lost_error_sum, "sum over these of the distances of bid and value", agon::at_least(0),
     agon::unit("currency")),
    (lost_error_squares, "sum of the squares of these", agon::at_least(0)),
    (benchmark_sum, "sum of the equilibrium bids; undefined where none is known", agon::at_least(0),
     agon::unit("currency")),
    (benchmark_error_sum, "sum of the distances of bid and equilibrium bid", agon::at_least(0),
     agon::Better::lower, agon::unit("currency")),
    (forced, "bids of 0 because no attempt to answer was legal", agon::at_least(0),
     agon::Better::lower),
    (exact_share, "bids of exactly the value / rounds", agon::range(0, 1),
     agon::source("arXiv:2507.09083, Table 1: truthful with the second price")),
    (near_share, "bids at most 1 away from the value / rounds", agon::range(0, 1)),
    (mean_error, "distance of bid and value, on average", agon::at_least(0),
     agon::unit("currency")),
    (r_squared,
     "1 - squared errors of the bids as estimates of the values / squared deviations of the bids "
     "from their mean; undefined if all bids are the same",
     agon::at_most(1), agon::source("arXiv:2507.09083, the table of interventions")),
    (smad, "distance of bid and equilibrium bid, in percent of the equilibrium bid, over sums",
     agon::at_least(0), agon::Better::lower, agon::unit("percent")))

/// What is measured of the match as a whole.
struct MatchMetrics {
  int rounds = 0;
  std::int64_t revenue_sum = 0;
  double revenue = 0;
  std::optional<int> efficient;
  std::optional<double> efficiency;
  std::optional<int> best_value_sum;
  std::optional<int> second_value_sum;
  std::optional<int> winner_value_sum;
  std::optional<double> surplus_share;
  int worth_sum = 0;
  std::int64_t bidder_profit = 0;
  int losses = 0;
  int tied = 0;
  double exact_share = 0;
  double near_share = 0;
  double overbid_share = 0;
  double underbid_share = 0;
  double mean_error = 0;
  std::optional<double> smad;
};
AGON_DESCRIBE(
    MatchMetrics, (rounds, "rounds played", agon::at_least(1)),
    (revenue_sum, "what all bidders paid in all", agon::at_least(0), agon::unit("currency")),
    (revenue, "what all bidders paid a round", agon::at_least(0), agon::unit("currency")),
    (efficient, "rounds won by a bidder with the highest value; undefined for a common value",
     agon::at_least(0), agon::Better::higher),
    (efficiency, "these / rounds", agon::range(0, 1), agon::Better::higher),
    (best_value_sum, "sum of the highest values: all that could be shared out", agon::at_least(0),
     agon::unit("currency")),
    (second_value_sum,
     "sum of the second highest values: what truthful bidders pay with the "
     "second price",
     agon::at_least(0), agon::unit("currency")),
    (winner_value_sum, "sum of the winners' values", agon::at_least(0), agon::Better::higher,
     agon::unit("currency")),
    (surplus_share, "the winners' values / the highest values", agon::range(0, 1),
     agon::Better::higher),
    (worth_sum, "sum of what the items were worth to those who won them", agon::at_least(0),
     agon::unit("currency")),
    (bidder_profit, "profit of all bidders together", agon::Better::higher, agon::unit("currency")),
    (losses, "rounds that the winner won at a loss", agon::at_least(0), agon::Better::lower),
    (tied, "rounds whose winner was drawn from several, or given", agon::at_least(0)),
    (exact_share, "bids of exactly the value / bids", agon::range(0, 1)),
    (near_share, "bids at most 1 away from the value / bids", agon::range(0, 1)),
    (overbid_share, "bids above the value / bids", agon::range(0, 1)),
    (underbid_share, "bids below the value / bids", agon::range(0, 1)),
    (mean_error, "distance of bid and value, on average", agon::at_least(0),
     agon::unit("currency")),
    (smad, "distance of bid and equilibrium bid, in percent of the equilibrium bid, over sums",
     agon::at_least(0), agon::Better::lower, agon::unit("percent")))

/// What follows from the settings alone and is shared by all their matches.
struct Prepared {
  auction_values::Span seen{};    ///< least and most that a bidder can see
  std::vector<double> benchmark;  ///< equilibrium bid at each of these; empty: none is known
  int highest_bid = 0;
};

Prepared prepare(const Settings& settings);

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace sealed_bid
