#include <agon/plugin.hpp>

#include "guess-average/game.hpp"

AGON_PLUGIN("guess-average", "0.1.0", &guess_average::enter)
