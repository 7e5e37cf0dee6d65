#include "english-auction/game.hpp"

AGON_PLUGIN("english-auction", "0.1.0", &english_auction::enter)
