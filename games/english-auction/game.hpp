#pragma once

#include <agon/game.hpp>

#include "english-auction/prepared.hpp"
#include "english-auction/stages.hpp"

namespace english_auction {

/// Plays one auction.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

/// The game as the arena holds it.
[[nodiscard]] agon::Game game();

/// Adds the game, its strategies and its importer.
void enter(agon::Registry& registry);

}  // namespace english_auction
