#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <vector>

namespace deal_or_no_deal {

/// Table 9: how people fared, by how hard the instance is.
[[nodiscard]] agon::TableCard people_card();
/// Tables 10 to 13, 17 and 18: how negotiations went.
[[nodiscard]] std::vector<agon::TableCard> score_cards();
/// Tables 14 to 16: how well the other side's values were guessed.
[[nodiscard]] std::vector<agon::TableCard> estimate_cards();
/// Table 19: the game of whether to use the workflow.
[[nodiscard]] agon::TableCard meta_card();
/// What sides state of their values, and what comes of it.
[[nodiscard]] agon::TableCard deception_card();

/// What both sides got, beside the frontier, in any match.
[[nodiscard]] agon::PaperTable splits_and_frontier(const agon::PlayedMatches& matches);

/// Registers them all.
void add_tables(agon::Registry& registry);

/// Mean scores of Alice and Bob in the four cases: both use the workflow, Alice alone, Bob alone,
/// neither.
using MetaScores = std::array<std::array<double, 2>, 4>;
/// The pure equilibria of the game in which each side decides whether to use the workflow, as
/// positions in MetaScores, ascending. All scores are finite.
[[nodiscard]] std::vector<std::size_t> meta_equilibria(const MetaScores& scores);

}  // namespace deal_or_no_deal
