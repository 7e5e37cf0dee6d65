#pragma once

#include <agon/inline_list.hpp>
#include <agon/limits.hpp>
#include <span>
#include <vector>

#include "english-auction/settings.hpp"

namespace english_auction {

/// 0 and 1 of a seat's normalised score, in cents.
struct Anchors {
  double disagreement = 0;
  double ideal = 0;
};

/// What an auction is held against. It follows from settings and values, never from play. Buyers
/// of an item are the bidders that are no shills and have the money for its start price.
struct Yardsticks {
  agon::InlineList<Anchors, agon::kMaxSeats> bidders;
  Anchors seller;
  /// Most true value that all buyers' budgets together can buy at start prices, each item by the
  /// buyer to whom it is worth most.
  agon::Money best_value;
  /// What buyers pay if each goes up to its own value: for each item the second highest of their
  /// values, or the start price if that is more, where one of them would buy it at all; at most all
  /// their budgets together.
  agon::Money competitive;
};

/// Scores are shown with two decimals, since most are amounts in cents; so an item counts as 1.00
/// where a bidder wants items rather than profit.
inline constexpr int kScoreOfItem = 100;

/// What things are worth to whom: `values` has a row a bidder, with what each item, as listed, is
/// worth to it.
[[nodiscard]] Yardsticks yardsticks(const Settings& settings, const std::vector<Item>& items,
                                    const std::vector<Bidder>& bidders,
                                    std::span<const agon::Money> values);

/// The best that a bidder alone can reach at start prices: the largest surplus (in cents) that its
/// budget can buy, or the largest number of items, or of wanted items.
[[nodiscard]] std::int64_t best_alone(const Bidder& bidder, const std::vector<Item>& items);

/// Does the bidder count among those who may buy the item? A shill does not, nor who never has the
/// money for it.
[[nodiscard]] bool is_buyer(const Bidder& bidder, const Item& item);

/// What an item costs whoever sells it.
[[nodiscard]] agon::Money cost_of(const Item& item, const Settings& settings);

}  // namespace english_auction
