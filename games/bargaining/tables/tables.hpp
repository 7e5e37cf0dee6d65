#pragma once

#include <agon/plugin.hpp>

namespace bargaining {

/// Adds the tables of Xia et al. 2024.
void add_tables(agon::Registry& registry);

}  // namespace bargaining
