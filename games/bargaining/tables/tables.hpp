#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/published.hpp"

namespace bargaining {

/// A table of published.json.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

/// Adds the tables of Xia et al. 2024.
void add_tables(agon::Registry& registry);

/// Who bargained under which budget.
struct Pair {
  std::string factor;  ///< of the list price, as the settings have it: "0.8"
  std::string buyer, seller;
  auto operator<=>(const Pair&) const = default;
};

/// Interests: mutual where C <= B, conflicting where C > B; and both together.
inline constexpr std::size_t kInterests = 3;
inline constexpr std::array<const char*, kInterests> kInterestNames{"mutual interest", "conflict",
                                                                    "all"};

/// Calls `each` with every session and who bargained in it.
void each_session(const agon::PlayedMatches& matches,
                  const std::function<void(const Pair&, const agon::PlayedMatch&)>& each);

/// What sessions about one product share: they are no independent observations.
[[nodiscard]] std::string product_of(const agon::PlayedMatch& match);

/// Gives `table` a column for each of them, in this order. Who is the same throughout stands in the
/// corner alone.
void name_columns(agon::PaperTable& table, const std::vector<Pair>& pairs);

/// Models on either side of the reference; and models alone and as narrators.
[[nodiscard]] agon::PaperTable models_by_side(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable narrators(const agon::PlayedMatches& matches);
/// How both sides' normalised profits are spread, and how many buyers beat sellers.
[[nodiscard]] agon::PaperTable normalised_profits(const agon::PlayedMatches& matches);
/// What each buyer gets of each seller.
[[nodiscard]] agon::PaperTable buyers_by_sellers(const agon::PlayedMatches& matches);
/// What is bargained over: categories; quartiles of prices and costs; how many products have which
/// price, and which cost over list price.
[[nodiscard]] agon::PaperTable product_categories(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable product_prices(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable price_classes(const agon::PlayedMatches& matches);
[[nodiscard]] agon::PaperTable cost_shares(const agon::PlayedMatches& matches);
/// Offers of both sides, turn by turn, in any session.
[[nodiscard]] agon::PaperTable offer_ladders(const agon::PlayedMatches& matches);

}  // namespace bargaining
