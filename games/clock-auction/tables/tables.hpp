#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace clock_auction {

/// At which price bidders leave a rising clock, by value.
[[nodiscard]] agon::PaperTable exits_by_value(const agon::PlayedMatches& matches);

/// Adds the table that compares clocks with the sealed second price (arXiv:2507.09083, Table 1),
/// and the game's own.
void add_tables(agon::Registry& registry);

}  // namespace clock_auction
