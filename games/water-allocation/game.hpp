#pragma once

#include <agon/game.hpp>

namespace water_allocation {

/// The Water Allocation Challenge: residents of a town in drought bid for each day's water, pay
/// what they bid and try to stay alive (Alympics, arXiv 2311.03220).
agon::Game game();

/// Adds the game and its strategies.
void enter(agon::Registry& registry);

}  // namespace water_allocation
