#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace classic {

/// Adds the tables of the game-theory paper: tables 5 to 8, rates of equilibria in the ten games,
/// and those below.
void add_tables(agon::Registry& registry);
/// The figures of its section 6, but for Golden Balls.
void add_figures(agon::Registry& registry);
/// Golden Balls, section 6.7.
[[nodiscard]] agon::TableCard golden_balls_table();
/// Its curves over the jackpot.
[[nodiscard]] agon::TableCard figure_12_table();
/// Cooperation by period, of any game that is played again and again.
[[nodiscard]] agon::TableCard cooperation_by_period_table();

/// How often which action is chosen beside the equilibria, in games that are played once.
[[nodiscard]] agon::PaperTable action_frequencies(const agon::PlayedMatches& matches);
/// The same by period, of games that are played again and again.
[[nodiscard]] agon::PaperTable actions_by_period(const agon::PlayedMatches& matches);

}  // namespace classic
