#pragma once

#include <agon/game.hpp>

namespace clock_auction {

/// Auctions with a price clock: rising, with or without word of who leaves, and falling (the
/// experiments with language-model bidders that follow Li 2017).
agon::Game game();

/// Adds the game, its strategies and tables.
void enter(agon::Registry& registry);

}  // namespace clock_auction
