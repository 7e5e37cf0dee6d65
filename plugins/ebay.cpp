#include <agon/plugin.hpp>

#include "ebay/game.hpp"

AGON_PLUGIN("ebay", "0.1.0", &ebay::enter)
