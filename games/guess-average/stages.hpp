#pragma once

#include <agon/table.hpp>

#include "guess-average/telling.hpp"

/// What the game asks and says.
namespace guess_average {

inline constexpr agon::Stage<"pick", Pick, Turn> kPick{"Choose your number for this round.",
                                                       "every player still in, all at once", &tell};

inline constexpr agon::Event<"round", Round> kRound{"a round is over", &tell};
inline constexpr agon::Event<"out", Out> kOut{"a player is out", &tell};

using Table = agon::Table<kPick, kRound, kOut>;

}  // namespace guess_average
