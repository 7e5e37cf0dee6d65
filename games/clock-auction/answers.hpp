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

}  // namespace clock_auction
