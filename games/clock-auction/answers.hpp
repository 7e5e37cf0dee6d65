#pragma once

#include <agon/describe.hpp>
#include <string>

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

/// How a bidder means to play the next round, whatever its value will be.
struct Plan {
  std::string plan;
};
AGON_DESCRIBE(Plan, (plan, "your plan, in a few sentences", agon::length(1, 4000)))

/// What a bidder takes from the last round.
struct Reflection {
  std::string lesson;
};
AGON_DESCRIBE(Reflection, (lesson, "what you take from the last round", agon::length(1, 4000)))

}  // namespace clock_auction
