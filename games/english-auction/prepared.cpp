#include "english-auction/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "english-auction/items.hpp"

namespace english_auction {

namespace {

int index_of(const std::vector<Item>& items, std::string_view name) {
  const auto at =
      std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return at == items.end() ? -1 : static_cast<int>(at - items.begin());
}

int index_of(const std::vector<Bidder>& bidders, std::string_view name) {
  const auto at = std::find_if(bidders.begin(), bidders.end(),
                               [&](const Bidder& bidder) { return bidder.name == name; });
  return at == bidders.end() ? -1 : static_cast<int>(at - bidders.begin());
}

std::string check_bidder(const Bidder& bidder, const std::vector<Item>& items) {
  if (bidder.desire == Desire::specific_items && bidder.wanted.empty())
    return fmt::format("{} wants specific items, but `wanted` names none", bidder.name);
  if (bidder.desire != Desire::specific_items && !bidder.wanted.empty())
    return fmt::format("{} has `wanted` items, but not the desire specific_items", bidder.name);
  for (const std::string& name : bidder.wanted)
    if (index_of(items, name) < 0)
      return fmt::format("{} wants \"{}\", which is not for sale", bidder.name, name);
  return {};
}

std::string check_order(const Settings& settings, const std::vector<Item>& items) {
  if (settings.order.size() > items.size())
    return fmt::format("`order` names {} places, but {} items are for sale", settings.order.size(),
                       items.size());
  for (std::size_t i = 0; i < settings.order.size(); ++i) {
    const std::string& name = settings.order[i];
    if (name == "*") continue;
    if (index_of(items, name) < 0)
      return fmt::format("`order` names \"{}\", which is not for sale", name);
    if (std::count(settings.order.begin(), settings.order.end(), name) > 1)
      return fmt::format("`order` names \"{}\" twice", name);
  }
  return {};
}

std::string check_items(const std::vector<Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == "*")
      return "an item is called \"*\", which in `order` stands for any item: give it another name";
    if (index_of(items, items[i].name) != static_cast<int>(i))
      return fmt::format("two items are called \"{}\"", items[i].name);
  }
  return {};
}

std::string names_of(const std::vector<Item>& items) {
  std::string text;
  for (const Item& item : items) text += (text.empty() ? "" : ", ") + item.name;
  return text;
}

std::string check_values(const Settings& settings, const std::vector<Item>& items,
                         const std::vector<Bidder>& bidders) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const GivenValue& given : settings.given_values) {
    if (index_of(bidders, given.bidder) < 0)
      return fmt::format("`given_values` names \"{}\", who does not bid", given.bidder);
    if (index_of(items, given.item) < 0)
      return fmt::format("`given_values` has a value of \"{}\" for {}, which is not for sale: {}",
                         given.item, given.bidder, names_of(items));
    if (!seen.emplace(given.bidder, given.item).second)
      return fmt::format("`given_values` has two values of {} for {}", given.item, given.bidder);
  }
  return {};
}

std::string check_ties(const Settings& settings, const std::vector<Item>& items,
                       const std::vector<Bidder>& bidders) {
  std::set<std::pair<std::string_view, int>> seen;
  for (const TieWinner& tie : settings.tie_winners) {
    if (index_of(items, tie.item) < 0)
      return fmt::format("`tie_winners` names \"{}\", which is not for sale", tie.item);
    if (index_of(bidders, tie.winner) < 0)
      return fmt::format("`tie_winners` names \"{}\", who does not bid", tie.winner);
    if (tie.round > settings.most_rounds)
      return fmt::format("`tie_winners` has round {} of {}, but there are at most {} (most_rounds)",
                         tie.round, tie.item, settings.most_rounds);
    if (!seen.emplace(tie.item, tie.round).second)
      return fmt::format("`tie_winners` has two winners for round {} of {}", tie.round, tie.item);
  }
  return {};
}

}  // namespace

std::string check(const Settings& settings) {
  const std::vector<Item> items = items_for_sale(settings);
  if (std::string problem = check_items(items); !problem.empty()) return problem;
  if (!settings.everyone.name.empty())
    return "`everyone` has a name, and all seats cannot have the same: name them in `bidders`";
  if (settings.own_account && settings.guide_bids)
    return "own_account keeps the true budget from bidders, and guide_bids states it as the limit "
           "of a bid: set guide_bids to false";
  const std::vector<Bidder> bidders = bidders_at_seats(settings);
  if (bidders.size() < 2) return "an auction needs at least two bidders";
  for (std::size_t i = 0; i < bidders.size(); ++i) {
    if (index_of(bidders, bidders[i].name) != static_cast<int>(i))
      return fmt::format("two bidders are called \"{}\"", bidders[i].name);
    if (std::string problem = check_bidder(bidders[i], items); !problem.empty()) return problem;
  }
  if (settings.desires.size() > bidders.size())
    return fmt::format("`desires` has {} entries, but {} bid", settings.desires.size(),
                       bidders.size());
  if (std::all_of(bidders.begin(), bidders.end(), [](const Bidder& b) {
        return b.desire == Desire::shill || b.desire == Desire::absent;
      }))
    return "all bidders are shills or absent, and nobody is left to buy";
  if (settings.seller && index_of(bidders, kSellerName) >= 0)
    return fmt::format(
        "a bidder is called \"{}\", as the seller at the table is: give it another "
        "name",
        kSellerName);
  if (settings.seller && bidders.size() >= agon::kMaxSeats)
    return fmt::format("{} bidders and a seller are more than the {} seats of a table",
                       bidders.size(), agon::kMaxSeats);
  if (std::string problem = check_values(settings, items, bidders); !problem.empty())
    return problem;
  if (std::string problem = check_ties(settings, items, bidders); !problem.empty()) return problem;
  return check_order(settings, items);
}

Prepared prepare(const Settings& settings) {
  Prepared p;
  p.items = items_for_sale(settings);
  p.war = {settings.markup, settings.discount, settings.most_discounts, settings.most_rounds, 0};
  const std::vector<Bidder> bidders = bidders_at_seats(settings);
  for (const Bidder& bidder : bidders) {
    const int seat = static_cast<int>(p.bidders.size());
    PreparedBidder& b = p.bidders.emplace_back();
    b.settings = bidder;
    b.sees_estimates = settings.show_estimates || bidder.planning != Planning::none;
    for (std::size_t i = 0; i < p.items.size(); ++i) {
      if (!is_wanted(bidder, p.items[i])) continue;
      b.wants |= std::uint64_t{1} << i;
      b.wanted.push_back(p.items[i].name);
    }
    if (bidder.desire == Desire::absent) p.war.absent |= 1U << seat;
    if (bidder.learning) p.learners.push_back(seat);
    if (bidder.planning != Planning::none) p.planners.push_back(seat);
    if (bidder.planning == Planning::adaptive) p.replanners.push_back(seat);
    if (bidder.beliefs) p.believers.push_back(seat);
  }
  p.pinned.assign(p.items.size(), -1);
  for (std::size_t i = 0; i < settings.order.size(); ++i)
    p.pinned[i] = index_of(p.items, settings.order[i]);
  for (int i = 0; i < static_cast<int>(p.items.size()); ++i)
    if (std::find(p.pinned.begin(), p.pinned.end(), i) == p.pinned.end()) p.loose.push_back(i);
  for (const TieWinner& tie : settings.tie_winners)
    p.ties.push_back({index_of(p.items, tie.item), tie.round - 1, index_of(bidders, tie.winner)});
  for (std::size_t b = 0; b < bidders.size(); ++b)
    for (const Item& item : p.items) p.values.push_back(item.value);
  p.given.assign(p.values.size(), false);
  for (const GivenValue& given : settings.given_values) {
    const std::size_t at =
        static_cast<std::size_t>(index_of(bidders, given.bidder)) * p.items.size() +
        static_cast<std::size_t>(index_of(p.items, given.item));
    p.values[at] = given.value;
    p.given[at] = true;
  }
  p.draws_values = settings.value_spread > 0;
  p.is_private = p.draws_values || !settings.given_values.empty();
  for (std::size_t b = 0; b < bidders.size(); ++b)
    for (std::size_t i = 0; i < p.items.size(); ++i)
      p.bidders[b].estimates.push_back(
          estimate(p.values[b * p.items.size() + i], bidders[b].overestimate));
  p.yardsticks = yardsticks(settings, p.items, bidders, p.values);
  return p;
}

}  // namespace english_auction
