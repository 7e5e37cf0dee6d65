#pragma once

#include <agon/plugin.hpp>

namespace bargaining {

/// Adds the tables of Xia et al. 2024.
void enter_tables(agon::Registry& registry);

}  // namespace bargaining
