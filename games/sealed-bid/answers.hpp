#pragma once

#include "shared/auction-values/rounds.hpp"

namespace sealed_bid {

/// A sealed bid, in whole units of money.
struct Bid {
  int bid = 0;
};
AGON_DESCRIBE(Bid, (bid, "what you bid: a whole number", agon::at_least(0)))

using auction_values::Plan;
using auction_values::Reflection;

}  // namespace sealed_bid
