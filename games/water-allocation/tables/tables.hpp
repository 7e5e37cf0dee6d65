#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace water_allocation {

/// Adds the tables of Alympics: who survives; the lowest winning bids.
void add_tables(agon::Registry& registry);

/// The lowest winning bid of each day, over games.
[[nodiscard]] agon::PaperTable daily_prices(const agon::PlayedMatches& matches);
/// The mean over days of its median.
[[nodiscard]] agon::PaperTable mean_of_medians(const agon::PlayedMatches& matches);

}  // namespace water_allocation
