#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classic/views.hpp"

namespace classic {

/// Why a negotiation ended.
enum class TalkEnd : std::uint8_t { halted, out_of_rounds };
AGON_DESCRIBE_ENUM(TalkEnd, (halted, "a player halted it"),
                   (out_of_rounds, "the last round is over"))

/// A negotiation is over; an action follows.
struct TalkEnded {
  int step = 0;
  int round = 0;
  TalkEnd why = TalkEnd::out_of_rounds;
};
AGON_DESCRIBE(TalkEnded, (step, "before which move, from 1"), (round, "the last round"),
              (why, "why it ended"))

/// How the game ended.
struct Ended {
  std::vector<std::string_view> actions;
  std::span<const double> payoffs;
};
AGON_DESCRIBE(Ended,
              (actions,
               "the actions: of each player at once, or one after another; in repeated play empty, "
               "as each period told its own"),
              (payoffs, "what each player gets; in repeated play as it counts"))

/// For the record: which game it was.
struct Played {
  std::string_view game;
  double scale = 1;
};
AGON_DESCRIBE(Played, (game, "its name"), (scale, "what payoffs were multiplied by"))

}  // namespace classic
