#include "english-auction/yardsticks.hpp"

#include <algorithm>

#include "english-auction/items.hpp"
#include "english-auction/knapsack.hpp"

namespace english_auction {

namespace {

/// The two highest values that some bidders have for an item.
struct Top {
  agon::Money first{-1};
  agon::Money second{-1};

  void add(agon::Money value) {
    if (value > first)
      second = first, first = value;
    else
      second = std::max(second, value);
  }
};

}  // namespace

bool is_buyer(const Bidder& bidder, const Item& item) {
  return bidder.desire != Desire::shill && bidder.budget >= item.price;
}

agon::Money cost_of(const Item& item, const Settings& settings) {
  return {item.value.cents * settings.seller_cost / 100};
}

std::int64_t best_alone(const Bidder& bidder, const std::vector<Item>& items) {
  std::vector<Purchase> purchases;
  for (const Item& item : items) {
    std::int64_t gain = 1;
    if (bidder.desire == Desire::specific_items && !is_wanted(bidder, item)) gain = 0;
    if (bidder.desire != Desire::items && bidder.desire != Desire::specific_items)
      gain = (item.value - item.price).cents;
    purchases.push_back({item.price.cents, gain});
  }
  return best_gain(purchases, bidder.budget.cents);
}

Yardsticks yardsticks(const Settings& settings, const std::vector<Item>& items,
                      const std::vector<Bidder>& bidders, std::span<const agon::Money> values) {
  const auto value = [&](std::size_t bidder, std::size_t item) {
    return values[bidder * items.size() + item];
  };
  Yardsticks y;
  agon::Money money;  // of all buyers
  for (const Bidder& bidder : bidders)
    if (bidder.desire != Desire::shill) money += bidder.budget;
  std::vector<Purchase> all;
  agon::Money gain_at_most;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Top top;
    for (std::size_t b = 0; b < bidders.size(); ++b)
      if (is_buyer(bidders[b], items[i])) top.add(value(b, i));
    all.push_back({items[i].price.cents, std::max(top.first, agon::Money{0}).cents});
    const agon::Money cost = cost_of(items[i], settings);
    gain_at_most += std::max(top.first - cost, agon::Money{0});
    if (top.first < items[i].price) continue;
    y.competitive += std::max(top.second, items[i].price);
  }
  y.best_value = {best_gain(all, money.cents)};
  y.competitive = std::min(y.competitive, money);
  gain_at_most = std::min(gain_at_most, money);
  y.seller = {0, static_cast<double>(gain_at_most.cents)};
  for (std::size_t b = 0; b < bidders.size(); ++b) {
    std::vector<Item> own = items;
    for (std::size_t i = 0; i < items.size(); ++i) own[i].value = value(b, i);
    Anchors mine{0, static_cast<double>(best_alone(bidders[b], own))};
    switch (bidders[b].desire) {
      case Desire::profit:
      case Desire::absent:
        break;
      case Desire::items:
      case Desire::specific_items:
        mine.ideal *= kScoreOfItem;
        break;
      case Desire::spite: {
        // Whoever stays outside may see its rivals buy all that their money can, at start prices.
        std::vector<Purchase> theirs;
        agon::Money budgets;
        for (std::size_t r = 0; r < bidders.size(); ++r)
          if (r != b) budgets += bidders[r].budget;
        for (std::size_t i = 0; i < items.size(); ++i) {
          Top top;
          for (std::size_t r = 0; r < bidders.size(); ++r)
            if (r != b) top.add(value(r, i));
          theirs.push_back({items[i].price.cents, (top.first - items[i].price).cents});
        }
        mine.disagreement = -static_cast<double>(best_gain(theirs, budgets.cents)) *
                            bidders[b].spite / (100.0 * static_cast<double>(bidders.size() - 1));
        break;
      }
      case Desire::shill:
        mine = y.seller;
        break;
    }
    y.bidders.push_back(mine);
  }
  return y;
}

}  // namespace english_auction
