#include "clock-auction/game.hpp"

AGON_PLUGIN("clock-auction", "0.1.0", &clock_auction::enter)
