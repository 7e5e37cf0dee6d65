#pragma once

#include <agon/plugin.hpp>

namespace agon::agents {

/// Adds the agents that play any game.
void enter(Registry& registry);

}  // namespace agon::agents
