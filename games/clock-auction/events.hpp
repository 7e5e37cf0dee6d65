#pragma once

#include <string_view>

#include "clock-auction/views.hpp"

namespace clock_auction {

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

}  // namespace clock_auction
