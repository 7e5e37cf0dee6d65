#pragma once

#include <agon/game.hpp>

namespace ebay {

/// One item in an online auction with proxy bidding over several days, with or without a soft close
/// and a hidden reserve (Learning from Synthetic Labs, arXiv:2507.09083).
agon::Game game();

/// Adds the game, its strategies and its tables.
void enter(agon::Registry& registry);

}  // namespace ebay
