#include <agon/plugin.hpp>

#include "survival-auction/game.hpp"

AGON_PLUGIN("survival-auction", "0.1.0", &survival_auction::enter)
