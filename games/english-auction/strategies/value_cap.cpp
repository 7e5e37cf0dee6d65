#include "english-auction/strategies/value_cap.hpp"

#include <algorithm>

namespace english_auction {

namespace {

/// An item as a candidate for purchase.
struct Candidate {
  std::int64_t cost = 0;
  std::int64_t gain = 0;  ///< cap - cost; at least 0 if it is worth its cost
  bool counts = true;     ///< for the bidder's desire
};

bool is_wanted(std::span<const std::string_view> wanted, std::string_view item) {
  return std::find(wanted.begin(), wanted.end(), item) != wanted.end();
}

/// Would `a` be bought before `b`? For a number of items the cheaper one, else the one with more
/// gain a dollar. Equal ones go in order of sale, which the caller adds.
bool before(const Candidate& a, const Candidate& b, Desire desire) {
  // As doubles: amounts far beyond any auction's must not overflow, and ties are for the caller.
  if (desire != Desire::items && desire != Desire::specific_items)
    return static_cast<double>(a.gain) * static_cast<double>(b.cost) >
           static_cast<double>(b.gain) * static_cast<double>(a.cost);
  return a.cost < b.cost;
}

bool is_candidate(const Candidate& c) {
  return c.counts && c.gain >= 0;
}

/// Is candidate `which` bought when the money goes to the candidates in order, best first, each
/// that still fits? The candidates are few, so the order is found without storing it.
template <class At>
bool is_bought(std::size_t which, std::size_t n, At at, std::int64_t money, Desire desire) {
  const Candidate mine = at(which);
  if (!is_candidate(mine) || mine.cost > money) return false;
  // Only what comes earlier in the order can take this one's money.
  std::uint64_t done = 0;
  for (;;) {
    std::size_t best = n;
    Candidate first;
    for (std::size_t i = 0; i < n; ++i) {
      if ((done >> i & 1U) != 0) continue;
      const Candidate c = at(i);
      if (!is_candidate(c)) continue;
      if (best == n || before(c, first, desire)) best = i, first = c;
    }
    if (best == which) return mine.cost <= money;
    if (best == n) return false;
    done |= std::uint64_t{1} << best;
    if (first.cost <= money) money -= first.cost;
  }
}

}  // namespace

agon::Money ValueCap::cap(agon::Money start_price, std::optional<agon::Money> estimate) const {
  if (!estimate) return start_price;
  return agon::Money{estimate->cents * params_.share / 100} - params_.margin;
}

agon::Money least_bid(const BidView& view) {
  return std::max(view.minimum, view.reserve.value_or(view.minimum));
}

std::optional<agon::Money> drive_up(const BidView& view, int share) {
  const agon::Money thought = view.estimate.value_or(view.start_price);
  const agon::Money most{thought.cents * share / 100};
  if (view.minimum > most || view.minimum > view.budget) return std::nullopt;
  return view.minimum;
}

std::optional<agon::Money> ValueCap::bid(const BidView& view) const {
  if (view.desire == Desire::shill) return drive_up(view, params_.shill_share);
  const std::optional<agon::Money> bought = buy(view);
  if (bought || view.desire != Desire::spite) return bought;
  return drive_up(view, params_.spite_share);
}

std::optional<agon::Money> ValueCap::buy(const BidView& view) const {
  const auto at = [&](std::size_t i) {
    Candidate c;
    if (i == 0) {
      c.cost = least_bid(view).cents;
      c.gain = (cap(view.start_price, view.estimate) - least_bid(view)).cents;
      c.counts = view.desire != Desire::specific_items || is_wanted(view.wanted, view.item);
    } else {
      const Lot& lot = view.later[i - 1];
      const agon::Money most = cap(lot.price, lot.estimate);
      // Later items are expected to cost more than their start prices, but never more than the cap.
      c.cost = std::min(lot.price.cents * (100 + params_.premium) / 100,
                        std::max(most, lot.price).cents);
      c.gain = most.cents - c.cost;
      c.counts = view.desire != Desire::specific_items || is_wanted(view.wanted, lot.item);
    }
    return c;
  };
  if (!is_bought(0, 1 + view.later.size(), at, view.budget.cents, view.desire)) return std::nullopt;
  return least_bid(view);
}

Plan ValueCap::plan(const PlanView& view) const {
  const auto at = [&](std::size_t i) {
    const Lot& lot = view.items[i];
    const agon::Money most = cap(lot.price, lot.estimate);
    Candidate c;
    c.cost =
        std::min(lot.price.cents * (100 + params_.premium) / 100, std::max(most, lot.price).cents);
    c.gain = most.cents - c.cost;
    c.counts = view.desire != Desire::specific_items || is_wanted(view.wanted, lot.item);
    return c;
  };
  Plan plan;
  for (std::size_t i = 0; i < view.items.size(); ++i) {
    int priority = 1;
    if (is_candidate(at(i))) priority = 2;
    if (is_bought(i, view.items.size(), at, view.budget.cents, view.desire)) priority = 3;
    plan.priorities.emplace(view.items[i].item, priority);
  }
  return plan;
}

Belief ValueCap::belief(const BeliefView& view) {
  Belief belief;
  belief.remaining_budget = view.last_budget;
  for (const Standing& standing : view.last_standings) {
    const std::string name(standing.bidder);
    if (!view.private_values || name == view.me) belief.total_profits[name] = standing.profit;
    belief.winning_bids[name] = {standing.won.begin(), standing.won.end()};
  }
  if (!view.sale.winner) return belief;
  const std::string winner(*view.sale.winner);
  if (view.sale.value) belief.total_profits[winner] += *view.sale.value - *view.sale.price;
  belief.winning_bids[winner].push_back({std::string(view.sale.item), *view.sale.price});
  if (view.won) belief.remaining_budget -= *view.sale.price;
  return belief;
}

void ValueCap::answer(agon::Question& question) const {
  if (Bid* bid = question.answer<Bid>()) {
    const BidView* view = question.view<BidView>();
    if (view == nullptr) return question.decline();
    *bid = raise_or_withdraw(ValueCap::bid(*view));
  } else if (Plan* plan = question.answer<Plan>()) {
    if (const PlanView* view = question.view<PlanView>())
      *plan = ValueCap::plan(*view);
    else
      question.decline();
  } else if (Belief* belief = question.answer<Belief>()) {
    if (const BeliefView* view = question.view<BeliefView>())
      *belief = ValueCap::belief(*view);
    else
      question.decline();
  } else {
    question.decline();
  }
}

agon::AgentCard value_cap_card() {
  return agon::agent<ValueCap>(
      {.id = "value-cap",
       .game = "english-auction",
       .doc =
           "Raises by the least amount, never above a share of its own estimate (the start "
           "price where it has none), and only for items that it would buy with the money it "
           "has left: those with the most expected "
           "profit a dollar, or the cheapest ones if only their number counts. Answers the "
           "questions for plans and beliefs truthfully. Says nothing where bidders may talk. "
           "After spite it also bids for what it does not mean to buy, and above its value; as a "
           "shill it bids for all, up to a share of its estimate."});
}

}  // namespace english_auction
