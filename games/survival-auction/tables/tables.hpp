#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace survival_auction {

// One table a function; add_tables() registers them all.

/// Survival rounds of ways of reasoning against each other.
[[nodiscard]] agon::PaperTable survival_rounds(const agon::PlayedMatches& matches);
/// Survival rounds of deeper levels.
[[nodiscard]] agon::PaperTable survival_rounds_by_depth(const agon::PlayedMatches& matches);
/// Adaption index of everybody against everybody.
[[nodiscard]] agon::PaperTable survival_adaption(const agon::PlayedMatches& matches);

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

}  // namespace survival_auction
