#pragma once

#include <agon/game.hpp>

namespace classic {

/// The game as it is registered.
[[nodiscard]] agon::Game game();

/// What the plugin brings.
void enter(agon::Registry& registry);

}  // namespace classic
