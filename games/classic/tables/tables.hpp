#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace classic {

/// Tables 5 to 8 of the game-theory paper: rates of equilibria in the ten games.
void add_result_tables(agon::Registry& registry);
/// The figures of its section 6, but for Golden Balls.
void add_figures(agon::Registry& registry);
/// Golden Balls, section 6.7.
[[nodiscard]] agon::TableCard golden_balls_table();

}  // namespace classic
