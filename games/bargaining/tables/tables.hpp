#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>
#include <string_view>

#include "shared/published.hpp"

namespace bargaining {

/// A table of published.json.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

/// Adds the tables of Xia et al. 2024.
void add_tables(agon::Registry& registry);

/// How the buyer's normalised profits are spread, and how many buyers beat sellers.
[[nodiscard]] agon::PaperTable normalised_profits(const agon::PlayedMatches& matches);
/// What each buyer gets of each seller.
[[nodiscard]] agon::PaperTable buyers_by_sellers(const agon::PlayedMatches& matches);
/// What is bargained over: categories; prices and costs.
[[nodiscard]] agon::PaperTable product_categories(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable product_prices(const agon::PlayedMatches& matches);
/// Offers of both sides, turn by turn, in any session.
[[nodiscard]] agon::PaperTable offer_ladders(const agon::PlayedMatches& matches);

}  // namespace bargaining
