#pragma once

#include <agon/plugin.hpp>

namespace clock_auction {

/// Adds the table that compares clocks with the sealed second price (arXiv:2507.09083, Table 1).
void add_tables(agon::Registry& registry);

}  // namespace clock_auction
