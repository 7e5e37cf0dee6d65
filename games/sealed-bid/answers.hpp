#pragma once

#include <agon/describe.hpp>
#include <string>

namespace sealed_bid {

/// A sealed bid, in whole units of money.
struct Bid {
  int bid = 0;
};
AGON_DESCRIBE(Bid, (bid, "what you bid: a whole number", agon::at_least(0)))

/// How a bidder means to bid in the next round, whatever its value will be.
struct Plan {
  std::string plan;
};
AGON_DESCRIBE(Plan, (plan, "your plan, in a few sentences", agon::length(1, 4000)))

/// What a bidder takes from the last round.
struct Reflection {
  std::string lesson;
};
AGON_DESCRIBE(Reflection, (lesson, "what you take from the last round", agon::length(1, 4000)))

}  // namespace sealed_bid
