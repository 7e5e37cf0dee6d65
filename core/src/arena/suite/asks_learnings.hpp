#pragma once

#include <agon/game.hpp>

#include "settings/settings.hpp"

namespace agon {

/// Whether seats are asked what they have learnt in a match that stands alone: one match is played
/// at random to see it. True if that cannot be seen.
[[nodiscard]] bool asks_learnings(const Game& game, const Settings& settings);

}  // namespace agon
