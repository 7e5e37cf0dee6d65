#include <agon/plugin.hpp>

#include "water-allocation/game.hpp"

AGON_PLUGIN("water-allocation", "0.1.0", &water_allocation::enter)
