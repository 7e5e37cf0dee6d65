#pragma once

#include <agon/plugin.hpp>

namespace water_allocation {

/// Add the tables of Alympics: who survives; the lowest winning bids.
void enter_survivor_tables(agon::Registry& registry);
void enter_price_tables(agon::Registry& registry);

}  // namespace water_allocation
