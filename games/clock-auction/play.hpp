#pragma once

#include <agon/describe.hpp>
#include <agon/table.hpp>
#include <optional>

#include "clock-auction/game.hpp"
#include "clock-auction/messages.hpp"

/// What the game asks and says.
namespace clock_auction {

inline constexpr agon::Probe<"plan", Plan, PlanView> kPlan{
    "Before the first round, not knowing your value yet: plan how you will play.",
    "everybody, if plans are asked for", agon::Purpose::plan, &tell};
inline constexpr agon::Probe<"replan", Plan, PlanView> kReplan{
    "Before a later round, not knowing your value yet: plan how you will play it.",
    "everybody, if plans are asked for", agon::Purpose::replan, &tell};
inline constexpr agon::Stage<"stay", Stay, StayView> kStay{
    "Stay in at the price that is called, or leave for the rest of the round.",
    "every bidder still in, all at once, with a rising clock", &tell};
inline constexpr agon::Stage<"take", Take, TakeView> kTake{
    "Take the item at the price that is called, or wait for a lower one.",
    "every bidder, all at once, with a falling clock", &tell};
inline constexpr agon::Stage<"stay-written", WrittenStay, StayView> kStayWritten{
    "Stay in at the price that is called, or leave for the rest of the round, with your plan and "
    "what you think of it.",
    "as `stay`, where plans and reflections are written with every action", &tell};
inline constexpr agon::Stage<"take-written", WrittenTake, TakeView> kTakeWritten{
    "Take the item at the price that is called, or wait for a lower one, with your plan and what "
    "you think of it.",
    "as `take`, where plans and reflections are written with every action", &tell};
inline constexpr agon::Probe<"reflect", Reflection, ReflectView> kReflect{
    "After a round: what would have come of playing otherwise, and what do you learn?",
    "everybody, if lessons are asked for, but not after the last round", agon::Purpose::learn,
    &tell};

inline constexpr agon::Note<"values", ValuesDrawn> kValues{"the values of a round", &tell};
inline constexpr agon::Event<"call", CallOver> kCall{"a call of a rising clock is over", &tell};
inline constexpr agon::Note<"call", CallOver> kBlindCall{"a call of a blind clock is over", &tell};
inline constexpr agon::Note<"sold", Sold> kSold{"how a round ended", &tell};
inline constexpr agon::PrivateEvent<"outcome", PastRound> kOutcome{"how a round ended for the seat",
                                                                   &tell};

using Table = agon::Table<kPlan, kReplan, kStay, kTake, kStayWritten, kTakeWritten, kReflect,
                          kValues, kCall, kBlindCall, kSold, kOutcome>;

/// What is measured of one seat: sums over the rounds, so that tables can pool them, and shares.
/// An exit counts where the bidder left and did not win; of the winner it is not known how far it
/// would have gone. It is held against the bidder's value, or the price of the clock that comes
/// nearest to it; who stays in at the last price of a rising clock leaves at that.
struct SeatMetrics {
  int profit = 0;
  int rounds = 0;
  int wins = 0;
  int paid = 0;
  int losses = 0;
  int value_sum = 0;
  int exits = 0;
  int exact_exits = 0;
  int near_exits = 0;
  int early_exits = 0;
  int late_exits = 0;
  int error_sum = 0;
  double error_squares = 0;
  int forced = 0;
  std::optional<double> truthful_share;
  std::optional<double> mean_error;
  int plans = 0;
  int plan_words = 0;
  int actions = 0;
  int reflections = 0;
  int reflection_words = 0;
};
AGON_DESCRIBE(
    SeatMetrics,
    (profit, "value less price, over the rounds won", agon::Better::higher, agon::unit("currency")),
    (rounds, "rounds played", agon::at_least(1)),
    (wins, "rounds won", agon::at_least(0), agon::Better::higher),
    (paid, "what was paid in all", agon::at_least(0), agon::unit("currency")),
    (losses, "rounds won at a price above the value", agon::at_least(0), agon::Better::lower),
    (value_sum, "sum of the values", agon::at_least(0), agon::unit("currency")),
    (exits, "rounds not won in which the price is known at which the bidder left",
     agon::at_least(0)),
    (exact_exits,
     "of these: left at its value, or where the clock starts above or stops below it, "
     "there",
     agon::at_least(0)),
    (near_exits, "of these: left within one step of its value", agon::at_least(0),
     agon::Better::higher),
    (early_exits, "of these: left below its value", agon::at_least(0)),
    (late_exits, "of these: left above its value", agon::at_least(0), agon::Better::lower),
    (error_sum, "sum over these of how far from the value it left", agon::at_least(0),
     agon::Better::lower, agon::unit("currency")),
    (error_squares, "sum of its squares", agon::at_least(0), agon::Better::lower),
    (forced, "rounds in which it left because no attempt to answer was legal", agon::at_least(0),
     agon::Better::lower),
    (truthful_share, "left within one step of its value / exits", agon::range(0, 1),
     agon::Better::higher),
    (mean_error, "how far from its value it left, on average", agon::at_least(0),
     agon::Better::lower, agon::unit("currency")),
    (plans, "plans written, before a round or with an action", agon::at_least(0)),
    (plan_words, "words in them", agon::at_least(0)),
    (actions, "answers at the clock", agon::at_least(0)),
    (reflections, "reflections written, after a round or with an action", agon::at_least(0)),
    (reflection_words, "words in them", agon::at_least(0)))

/// What is measured of the match as a whole.
struct MatchMetrics {
  int rounds = 0;
  int sold = 0;
  int revenue_sum = 0;
  double revenue = 0;
  int efficient = 0;
  double efficiency = 0;
  int best_value_sum = 0;
  int second_value_sum = 0;
  int winner_value_sum = 0;
  std::optional<double> surplus_share;
  int calls = 0;
  int tied = 0;
  int exits = 0;
  int near_exits = 0;
  int error_sum = 0;
  std::optional<double> truthful_share;
  std::optional<double> mean_error;
};
AGON_DESCRIBE(MatchMetrics, (rounds, "rounds played", agon::at_least(1)),
              (sold, "rounds in which the item was sold", agon::at_least(0)),
              (revenue_sum, "what the seller got in all", agon::at_least(0),
               agon::unit("currency")),
              (revenue, "what the seller got a round", agon::at_least(0), agon::unit("currency")),
              (efficient, "rounds won by a bidder with the highest value", agon::at_least(0),
               agon::Better::higher),
              (efficiency, "these / rounds", agon::range(0, 1), agon::Better::higher),
              (best_value_sum, "sum of the highest values: all that could be shared out",
               agon::at_least(0), agon::unit("currency")),
              (second_value_sum,
               "sum of the second highest values: what truthful bidders pay with a rising clock",
               agon::at_least(0), agon::unit("currency")),
              (winner_value_sum, "sum of the winners' values", agon::at_least(0),
               agon::Better::higher, agon::unit("currency")),
              (surplus_share, "the winners' values / the highest values", agon::range(0, 1),
               agon::Better::higher),
              (calls, "prices called", agon::at_least(1)),
              (tied, "rounds whose winner was drawn from several, or given", agon::at_least(0)),
              (exits, "exits of bidders who did not win", agon::at_least(0)),
              (near_exits, "of these within one step of the value", agon::at_least(0),
               agon::Better::higher),
              (error_sum, "sum over these of how far from the value they left", agon::at_least(0),
               agon::Better::lower, agon::unit("currency")),
              (truthful_share, "exits within one step of the value / exits", agon::range(0, 1),
               agon::Better::higher, agon::source("arXiv:2507.09083, Table 1")),
              (mean_error, "how far from the value they left, on average", agon::at_least(0),
               agon::Better::lower, agon::unit("currency")))

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace clock_auction
