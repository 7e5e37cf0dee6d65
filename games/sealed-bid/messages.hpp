#pragma once

#include <agon/telling.hpp>
#include <span>

#include "sealed-bid/settings.hpp"
#include "shared/auction-values/rounds.hpp"

namespace sealed_bid {

/// A sealed bid, in whole units of money.
struct Bid {
  int bid = 0;
};
AGON_DESCRIBE(Bid, (bid, "what you bid: a whole number", agon::at_least(0)))

using auction_values::Plan;
using auction_values::Reflection;

/// A round that is over, as one bidder saw it. Also told to that bidder alone.
struct PastRound {
  int round = 0;
  int value = 0;
  std::optional<int> common_value;
  int bid = 0;
  bool won = false;
  int paid = 0;
  int profit = 0;
  int total = 0;
  std::span<const int> bids;
  int price = 0;
  int winner_profit = 0;
  std::optional<int> better_bid;
};
AGON_DESCRIBE(
    PastRound, (round, "number of the round"), (value, "what you saw: your value or your estimate"),
    (common_value,
     "what the item turned out to be worth; null: values differ from bidder to "
     "bidder"),
    (bid, "what you bid"), (won, "whether you got the item"), (paid, "what you paid"),
    (profit, "what the round brought you"), (total, "your profit of all rounds up to then"),
    (bids, "all bids, highest first, without names"), (price, "what the winner paid"),
    (winner_profit, "what the winner gained"),
    (better_bid,
     "first price: one over the second highest bid, which would have won for less; null: none"))

/// What a bidder sees when it bids.
struct BidView {
  int round = 0;
  int rounds = 0;
  int value = 0;
  int highest_bid = 0;
  int total = 0;
  Payment payment = Payment::first_price;
  int bidders = 0;
  auction_values::ValueModel values = auction_values::ValueModel::independent;
  auction_values::Span common_range{};
  auction_values::Span own_range{};
  std::span<const PastRound> history;
};
AGON_DESCRIBE(BidView, (round, "number of the round"), (rounds, "how many rounds there are"),
              (value,
               "what the item is worth to you, or your estimate where it is worth the same "
               "to all"),
              (highest_bid, "the most that may be bid"), (total, "your profit so far"),
              (payment, "who pays what"), (bidders, "how many bid, you too"),
              (values, "how the bidders' values come about"),
              (common_range, "least and most of what is drawn once for all"),
              (own_range, "least and most of what is drawn for each bidder alone"),
              (history, "the rounds before, first to last"))

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
};
AGON_DESCRIBE(ReflectView, (last, "how the last round went for you"),
              (words, "about how long the answer should be"))

/// Record only: the values of a round.
struct ValuesDrawn {
  int round = 0;
  std::optional<int> common;
  auction_values::PerBidder values;
};
AGON_DESCRIBE(ValuesDrawn, (round, "number of the round"),
              (common,
               "the part that all values share, or the common value; null: none, or the "
               "values were given"),
              (values, "what each bidder sees, by seat"))

/// Record only: how a round ended.
struct Sold {
  int round = 0;
  std::string_view winner;
  int price = 0;
  int tied = 0;
  auction_values::PerBidder bids;
};
AGON_DESCRIBE(Sold, (round, "number of the round"), (winner, "who got the item"),
              (price, "what the winner paid"),
              (tied, "how many bid the most; over 1: the winner was drawn"),
              (bids, "the bids, by seat"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const PastRound& past, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ValuesDrawn& drawn, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Sold& sold, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BidView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PlanView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ReflectView& view, const agon::Scene& scene);
///@}

}  // namespace sealed_bid
