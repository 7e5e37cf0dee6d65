#pragma once

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

using auction_values::Plan;
using auction_values::Reflection;

}  // namespace clock_auction
