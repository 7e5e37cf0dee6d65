#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>

namespace ebay {

// One table a function; add_tables() registers them all.

/// On which day the final winning bid fell: a column a treatment, a row a day.
[[nodiscard]] agon::PaperTable final_bid_histogram(const agon::PlayedMatches& matches);
/// The same, added up.
[[nodiscard]] agon::PaperTable final_bid_distribution(const agon::PlayedMatches& matches);
/// Price, revenue and what goes with it, treatment by treatment.
[[nodiscard]] agon::PaperTable revenue(const agon::PlayedMatches& matches);
/// Welch's t-tests of every two treatments.
[[nodiscard]] agon::PaperTable treatment_tests(const agon::PlayedMatches& matches);

/// The most that bidders told their proxy by value, in any auction.
[[nodiscard]] agon::PaperTable maxima_by_value(const agon::PlayedMatches& matches);

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

}  // namespace ebay
