#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace sealed_bid {

// One table of arXiv:2507.09083 a function; add_tables() registers them all.

/// Bids and revenue by payment.
[[nodiscard]] agon::PaperTable formats(const agon::PlayedMatches& matches);
/// The same of everything that was varied as a check.
[[nodiscard]] agon::PaperTable robustness(const agon::PlayedMatches& matches);
/// The second price under seven ways to tell it.
[[nodiscard]] agon::PaperTable interventions(const agon::PlayedMatches& matches);
/// The winner's curse.
[[nodiscard]] agon::PaperTable common_values(const agon::PlayedMatches& matches);
/// Revenue and efficiency of clocks and sealed bids.
[[nodiscard]] agon::PaperTable revenues(const agon::PlayedMatches& matches);
/// Planning and reflecting against fields of rule bidders.
[[nodiscard]] agon::PaperTable by_field(const agon::PlayedMatches& matches);

/// Bids by value beside the equilibrium, in any rounds.
[[nodiscard]] agon::PaperTable bids_by_value(const agon::PlayedMatches& matches);

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

}  // namespace sealed_bid
