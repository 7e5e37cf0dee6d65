#pragma once

#include <agon/table.hpp>

#include "guess-average/answers.hpp"

/// What the game asks and says.
namespace guess_average {

inline constexpr agon::Stage<"pick", Pick, Turn> kPick{"Choose your number for this round.",
                                                       "every player still in, all at once"};

inline constexpr agon::Event<"round", Round> kRound{"a round is over"};
inline constexpr agon::Event<"out", Out> kOut{"a player is out"};

using Table = agon::Table<kPick, kRound, kOut>;

}  // namespace guess_average
