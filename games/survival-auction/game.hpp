#pragma once

#include <agon/game.hpp>

namespace survival_auction {

/// The Survival Auction Game: equal residents bid for the one ration of water a day (K-Level
/// Reasoning, arXiv 2402.01521; after the water game of Alympics).
agon::Game game();

/// Adds the game, its strategies and its tables.
void enter(agon::Registry& registry);

}  // namespace survival_auction
