#include <agon/plugin.hpp>

#include "bargaining/game.hpp"

AGON_PLUGIN("bargaining", "0.1.0", &bargaining::enter)
