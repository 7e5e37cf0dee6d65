#pragma once

#include <string>
#include <vector>

#include "english-auction/settings.hpp"

namespace english_auction {

/// What a seller at the table is called.
inline constexpr std::string_view kSellerName = "Seller";

/// The 26 items of AucArena's published pool (Chen et al. 2023, section 4 and code), in order.
/// Cheap ones start at 1000 dollars and are worth 2000, expensive ones at 5000 and 10,000.
[[nodiscard]] std::vector<Item> item_pool();

/// What is for sale: the settings' own items, or those of the arena.
[[nodiscard]] std::vector<Item> items_for_sale(const Settings& settings);

/// The bidders, one a seat, with their names filled in.
[[nodiscard]] std::vector<Bidder> bidders_at_seats(const Settings& settings);

/// Is the item among those that the bidder wants?
[[nodiscard]] bool is_wanted(const Bidder& bidder, const Item& item);

}  // namespace english_auction
