#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace water_allocation {

/// Adds the tables of Alympics: who survives; the lowest winning bids; days; what personas change.
void add_tables(agon::Registry& registry);

/// The lowest winning bid of each day, over games.
[[nodiscard]] agon::PaperTable daily_prices(const agon::PlayedMatches& matches);
/// The mean over days of its median.
[[nodiscard]] agon::PaperTable mean_of_medians(const agon::PlayedMatches& matches);
/// Each resident's bids, health and money by day.
[[nodiscard]] agon::PaperTable daily_bids(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable daily_health(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable daily_balance(const agon::PlayedMatches& matches);
/// Expected supply (the paper's RSR) and the drawn one over the needs of those alive, by day.
[[nodiscard]] agon::PaperTable supply_ratio(const agon::PlayedMatches& matches);
/// What the judges of the paper gave.
[[nodiscard]] agon::PaperTable judges_ratings(const agon::PlayedMatches& matches);
/// The games of people, person by person.
[[nodiscard]] agon::PaperTable people_games(const agon::PlayedMatches& matches);
/// Games with personas less games without, in pairs of the same supply.
[[nodiscard]] agon::PaperTable persona_contrast(const agon::PlayedMatches& matches);

}  // namespace water_allocation
