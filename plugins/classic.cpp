#include <agon/plugin.hpp>

#include "classic/game.hpp"

AGON_PLUGIN("classic", "0.1.0", &classic::enter)
