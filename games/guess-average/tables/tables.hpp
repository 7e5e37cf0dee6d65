#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace guess_average {

// One table a function; add_tables() registers them all.

/// Win rates of ways of reasoning against each other.
[[nodiscard]] agon::PaperTable win_rates(const agon::PlayedMatches& matches);
/// Strategic depth in the first round.
[[nodiscard]] agon::PaperTable first_choices(const agon::PlayedMatches& matches);
/// Win rates of deeper levels.
[[nodiscard]] agon::PaperTable win_rates_by_depth(const agon::PlayedMatches& matches);
/// Win rates against programs.
[[nodiscard]] agon::PaperTable win_rates_against_programs(const agon::PlayedMatches& matches);
/// Win rates of other models against programs.
[[nodiscard]] agon::PaperTable win_rates_of_models(const agon::PlayedMatches& matches);
/// Adaption index of everybody against everybody.
[[nodiscard]] agon::PaperTable adaption(const agon::PlayedMatches& matches);

/// Numbers chosen round by round, in any match.
[[nodiscard]] agon::PaperTable choices_by_round(const agon::PlayedMatches& matches);

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

}  // namespace guess_average
