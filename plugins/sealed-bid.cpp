#include "sealed-bid/game.hpp"

AGON_PLUGIN("sealed-bid", "0.1.0", &sealed_bid::enter)
