#pragma once

#include <agon/game.hpp>

namespace sealed_bid {

/// Sealed-bid auctions of one item: first, second and third price and all-pay, with independent,
/// affiliated and common values (arXiv:2507.09083).
agon::Game game();

/// Adds the game, its strategies and tables.
void enter(agon::Registry& registry);

}  // namespace sealed_bid
