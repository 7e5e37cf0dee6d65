#include <agon/plugin.hpp>

#include "deal-or-no-deal/game.hpp"

AGON_PLUGIN("deal-or-no-deal", "0.1.0", &deal_or_no_deal::enter)
