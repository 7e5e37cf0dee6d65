#pragma once

#include <agon/telling.hpp>
#include <span>
#include <string_view>

#include "clock-auction/game.hpp"
#include "shared/auction-values/rounds.hpp"

namespace clock_auction {

/// Whether a bidder goes on, while the price rises.
struct Stay {
  bool stay = false;
};
AGON_DESCRIBE(Stay, (stay, "true: stay in at this price; false: leave for the rest of the round"))

/// Whether a bidder takes the item, while the price falls.
struct Take {
  bool take = false;
};
AGON_DESCRIBE(Take, (take, "true: take the item at this price; false: wait for a lower one"))

/// Likewise, with what the published program asks for beside the action.
struct WrittenStay {
  std::string plan;
  bool stay = false;
  std::string reflection;
};
AGON_DESCRIBE(WrittenStay,
              (plan, "how you mean to play this round, in a few words", agon::length(0, 4000)),
              (stay, "true: stay in at this price; false: leave for the rest of the round"),
              (reflection, "what you think of that, in a few words", agon::length(0, 4000)))

/// Whether a bidder takes the item, while the price falls, likewise.
struct WrittenTake {
  std::string plan;
  bool take = false;
  std::string reflection;
};
AGON_DESCRIBE(WrittenTake,
              (plan, "how you mean to play this round, in a few words", agon::length(0, 4000)),
              (take, "true: take the item at this price; false: wait for a lower one"),
              (reflection, "what you think of that, in a few words", agon::length(0, 4000)))

using auction_values::Plan;
using auction_values::Reflection;

/// A price that has been called: what all may know of it.
struct Called {
  int cycle = 0;
  int price = 0;
  int left = 0;
};
AGON_DESCRIBE(Called, (cycle, "which call of this round, from 1"), (price, "the price"),
              (left, "how many bidders left at it"))

/// An earlier round, as one bidder saw it.
struct PastRound {
  int round = 0;
  int value = 0;
  std::optional<int> exit;
  bool won = false;
  std::optional<int> price;
  int profit = 0;
  int total = 0;
};
AGON_DESCRIBE(PastRound, (round, "number of the round"), (value, "what the item was worth to you"),
              (exit, "the price at which you left; null: you did not"),
              (won, "whether you got the item"),
              (price, "what the item was sold for; null: unsold"),
              (profit, "what the round brought you"),
              (total, "your profit of all rounds up to then"))

/// What a bidder sees at a price of a rising clock.
struct StayView {
  int round = 0;
  int rounds = 0;
  int cycle = 0;
  int price = 0;
  int next_price = 0;
  int value = 0;
  std::span<const std::string_view> opponents;
  std::span<const Called> transcript;
  std::span<const PastRound> history;
};
AGON_DESCRIBE(StayView, (round, "number of the round"), (rounds, "how many rounds there are"),
              (cycle, "which call of this round, from 1"), (price, "the price now"),
              (next_price, "the price at the next call, if the round goes on"),
              (value, "what the item is worth to you"), (opponents, "the bidders against you"),
              (transcript, "the calls of this round up to now; a blind clock shows none"),
              (history, "the rounds before, first to last"))

/// What a bidder sees at a price of a falling clock.
struct TakeView {
  int round = 0;
  int rounds = 0;
  int price = 0;
  std::optional<int> next_price;
  int start_price = 0;
  int value = 0;
  auction_values::ValueModel values = auction_values::ValueModel::independent;
  auction_values::Span own_range{};
  std::span<const std::string_view> opponents;
  std::span<const PastRound> history;
};
AGON_DESCRIBE(TakeView, (round, "number of the round"), (rounds, "how many rounds there are"),
              (price, "the price now"),
              (next_price,
               "the price at the next call, if nobody takes this one; null: this is "
               "the last call"),
              (start_price, "the price at which this round began"),
              (value, "what the item is worth to you"),
              (values, "how the bidders' values come about"),
              (own_range, "least and most of what is drawn for each bidder alone"),
              (opponents, "the bidders against you"), (history, "the rounds before, first to last"))

/// What a bidder sees when asked for a plan.
struct PlanView {
  int round = 0;
  int rounds = 0;
  int words = 0;
  int total = 0;
  std::span<const PastRound> history;
};
AGON_DESCRIBE(PlanView, (round, "number of the round to come"),
              (rounds, "how many rounds there are"), (words, "about how long the plan should be"),
              (total, "your profit so far"), (history, "the rounds before, first to last"))

/// What a bidder sees when asked what it learned.
struct ReflectView {
  PastRound last;
  int words = 0;
  std::span<const Called> transcript;
};
AGON_DESCRIBE(ReflectView, (last, "how the last round went for you"),
              (words, "about how long the answer should be"),
              (transcript, "its calls; a blind clock shows none"))

/// Record only: the values of a round.
struct ValuesDrawn {
  int round = 0;
  std::optional<int> common;
  auction_values::PerBidder values;
};
AGON_DESCRIBE(ValuesDrawn, (round, "number of the round"),
              (common, "the part that all values share; null: none, or values were given"),
              (values, "each bidder's value, by seat"))

/// A call of a rising clock is over; with a blind clock this is for the record only.
struct CallOver {
  int round = 0;
  int cycle = 0;
  int price = 0;
  int left = 0;
};
AGON_DESCRIBE(CallOver, (round, "number of the round"), (cycle, "which call, from 1"),
              (price, "the price"), (left, "how many bidders left at it"))

/// Record only: how a round ended.
struct Sold {
  int round = 0;
  std::optional<std::string_view> winner;
  std::optional<int> price;
  int tied = 0;
  agon::InlineList<std::optional<int>, auction_values::kMaxBidders> exits;
};
AGON_DESCRIBE(Sold, (round, "number of the round"), (winner, "who won; null: nobody"),
              (price, "what was paid; null: unsold"),
              (tied, "how many the winner was drawn from, if it was not given; 1: no draw"),
              (exits, "the price at which each bidder left, by seat; null: it did not"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const PastRound& past, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene);
[[nodiscard]] std::string tell(const CallOver& call, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Sold& sold, const agon::Scene& scene);
[[nodiscard]] std::string tell(const StayView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TakeView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PlanView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReflectView& view, const agon::Scene& scene);
///@}

}  // namespace clock_auction
