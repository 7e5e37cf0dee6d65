#include "english-auction/prepared.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "english-auction/settings.hpp"

namespace english_auction {

std::string bid_problem(const BidMoment& moment, agon::Money budget, agon::Money bid) {
  if (bid > budget)
    return fmt::format("{} is more than the {} that you have left", money_text(bid),
                       money_text(budget));
  if (bid < moment.start_price)
    return fmt::format("{} is below the start price of {}", money_text(bid),
                       money_text(moment.start_price));
  if (bid < moment.minimum())
    return fmt::format("{} is too little: a bid must be at least {} above the leading bid of {}",
                       money_text(bid), money_text(moment.step), money_text(*moment.leading_bid));
  return {};
}

War::SeatList War::asked() const {
  SeatList list;
  for (int seat = 0; seat < seats_; ++seat)
    if (seat != leader_ && ((out_ | rules_.absent) >> seat & 1U) == 0) list.push_back(seat);
  return list;
}

void War::bid(int seat, agon::Money amount) {
  ++bids_;
  if (amount < best_) return;
  if (amount > best_) tied_.clear();
  best_ = amount;
  tied_.push_back(seat);
}

War::Verdict War::close(int winner) {
  const int bids = std::exchange(bids_, 0);
  const bool first = !moment_.leading_bid;
  const int index = round_++;
  if (bids > 0) {
    leader_ = winner;
    moment_.leading_bid = best_;
  }
  best_ = {-1};
  tied_.clear();
  if (leader_ < 0) {
    // Nobody has ever bid, so every round so far was one offer at one price.
    if (!rules_.discount || index >= rules_.most_discounts || round_ >= rules_.most_rounds)
      return Verdict::unsold;
    moment_.start_price = halved(moment_.start_price);
    moment_.step = increment(moment_.start_price, rules_.markup);
    out_ = 0;
    return Verdict::reopened;
  }
  if (bids == 0 || (first && bids == 1)) return Verdict::sold;
  capped_ = round_ >= rules_.most_rounds;
  return capped_ ? Verdict::sold : Verdict::goes_on;
}

namespace {

/// At least what the purchases from `from` on can gain with `money`: the last one bought in part.
/// `sorted` is in order of falling gain per cost.
std::int64_t bound(std::span<const Purchase> sorted, std::size_t from, std::int64_t money) {
  std::int64_t gain = 0;
  for (std::size_t i = from; i < sorted.size(); ++i) {
    if (sorted[i].cost > money) return gain + sorted[i].gain * money / sorted[i].cost + 1;
    money -= sorted[i].cost;
    gain += sorted[i].gain;
  }
  return gain;
}

std::int64_t greedy(std::span<const Purchase> sorted, std::int64_t money) {
  std::int64_t gain = 0;
  for (const Purchase& p : sorted)
    if (p.cost <= money) money -= p.cost, gain += p.gain;
  return gain;
}

}  // namespace

std::int64_t best_gain(std::span<const Purchase> purchases, std::int64_t budget) {
  std::vector<Purchase> sorted;
  for (const Purchase& p : purchases)
    if (p.gain > 0 && p.cost <= budget) sorted.push_back(p);
  std::sort(sorted.begin(), sorted.end(), [](const Purchase& a, const Purchase& b) {
    // Cross-multiplied, so that free purchases come first without a division by zero.
    const std::int64_t left = a.gain * b.cost;
    const std::int64_t right = b.gain * a.cost;
    if (left != right) return left > right;
    return a.gain != b.gain ? a.gain > b.gain : a.cost < b.cost;
  });
  std::int64_t best = greedy(sorted, budget);
  std::vector<Purchase> front{{0, 0}};  // rising cost, rising gain
  std::vector<Purchase> next;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    next.clear();
    std::size_t with = 0;
    std::size_t without = 0;
    while (with < front.size() || without < front.size()) {
      const bool take_without =
          without < front.size() &&
          (with == front.size() || front[without].cost <= front[with].cost + sorted[i].cost);
      Purchase state = front[take_without ? without++ : with++];
      if (!take_without) state.cost += sorted[i].cost, state.gain += sorted[i].gain;
      if (state.cost > budget) continue;
      best = std::max(best, state.gain);
      if (!next.empty() && state.gain <= next.back().gain) continue;
      if (state.gain + bound(sorted, i + 1, budget - state.cost) <= best) continue;
      if (!next.empty() && next.back().cost == state.cost) next.pop_back();
      next.push_back(state);
    }
    front.swap(next);
    if (front.empty()) break;
  }
  return best;
}

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
        // A bidder that stays outside may see its rivals buy all that their money can, at start
        // prices.
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

std::string check_values(const Settings& settings, const std::vector<Item>& items,
                         const std::vector<Bidder>& bidders) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const GivenValue& given : settings.given_values) {
    if (index_of(bidders, given.bidder) < 0)
      return fmt::format("`given_values` names \"{}\", who does not bid", given.bidder);
    if (index_of(items, given.item) < 0) {
      std::vector<std::string_view> names;
      std::ranges::transform(items, std::back_inserter(names), &Item::name);
      return fmt::format("`given_values` has a value of \"{}\" for {}, which is not for sale: {}",
                         given.item, given.bidder, fmt::join(names, ", "));
    }
    if (!seen.emplace(given.bidder, given.item).second)
      return fmt::format("`given_values` has two values of {} for {}", given.item, given.bidder);
  }
  return {};
}

/// Settings of accounts do nothing where nobody gives any.
std::string check_accounts(const Settings& settings, const std::vector<Bidder>& bidders) {
  if (std::any_of(bidders.begin(), bidders.end(),
                  [](const Bidder& b) { return b.beliefs && b.desire != Desire::absent; }))
    return {};
  for (const auto& [name, value] :
       {std::pair("sum_up", settings.sum_up), std::pair("check_prices", settings.check_prices)})
    if (value.value_or(false))
      return fmt::format(
          "`{}` is true, and no bidder is asked how the auction stands: set `beliefs` of a bidder "
          "to "
          "true",
          name);
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
  if (settings.seller_acts.value_or(false) && !settings.seller)
    return "`seller_acts` is true, and no seller sits at the table: set `seller` to true too";
  if (std::string problem = check_accounts(settings, bidders); !problem.empty()) return problem;
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
