#include "english-auction/strategies.hpp"

#include <fmt/format.h>

#include <agon/game.hpp>
#include <algorithm>
#include <array>
#include <cctype>

#include "english-auction/messages.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/settings.hpp"

namespace english_auction {

std::optional<agon::Money> Rule::bid(const BidView& view, int max_bids) {
  if (view.my_bids >= max_bids) return std::nullopt;
  agon::Money bid = view.start_price;
  if (view.leading_bid) {
    // The published code raises by the exact share and bids its whole dollars; so the budget is
    // compared before anything is cut off. In hundredths of a cent, a percentage is exact.
    const std::int64_t next = view.leading_bid->cents * 100 + view.start_price.cents * view.markup;
    if (next > view.budget.cents * 100) return std::nullopt;
    // Where the leading bid has cents, whole dollars may fall short of the least raise.
    bid = std::max(agon::major(next / 10000), view.minimum);
  }
  if (bid > view.budget) return std::nullopt;
  return bid;
}

void Rule::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return question.decline();
  *bid = raise_or_withdraw(Rule::bid(*view, params_.max_bids));
}

namespace {

/// An item as a candidate for purchase.
struct Candidate {
  std::int64_t cost = 0;
  std::int64_t gain = 0;  ///< cap - cost; at least 0 if it is worth its cost
  bool counts = true;     ///< for the bidder's desire
};

/// Whether an item counts for the bidder's desire.
template <class View>
bool is_counted(const View& view, std::string_view item) {
  return view.desire != Desire::specific_items ||
         std::find(view.wanted.begin(), view.wanted.end(), item) != view.wanted.end();
}

/// A lot for which the bidder pays `most` at most. It is expected to cost its start price and the
/// premium, or `most` where that lies between the two.
template <class View>
Candidate expected(const View& view, const Lot& lot, agon::Money most, int premium) {
  const std::int64_t cost =
      std::min(lot.price.cents * (100 + premium) / 100, std::max(most, lot.price).cents);
  return {cost, most.cents - cost, is_counted(view, lot.item)};
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
  const agon::Money least = least_bid(view);
  const auto at = [&](std::size_t i) -> Candidate {
    if (i == 0)
      return {least.cents, (cap(view.start_price, view.estimate) - least).cents,
              is_counted(view, view.item)};
    const Lot& lot = view.later[i - 1];
    return expected(view, lot, cap(lot.price, lot.estimate), params_.premium);
  };
  if (!is_bought(0, 1 + view.later.size(), at, view.budget.cents, view.desire)) return std::nullopt;
  return least;
}

Plan ValueCap::plan(const PlanView& view) const {
  const auto at = [&](std::size_t i) {
    const Lot& lot = view.items[i];
    return expected(view, lot, cap(lot.price, lot.estimate), params_.premium);
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

std::string ValueCap::rivals(const BeliefView& view) {
  std::vector<std::pair<std::string_view, std::optional<agon::Money>>> went;  // in order of bids
  for (const Move& move : view.moves) {
    if (move.bidder == view.me) continue;
    const auto at = std::find_if(went.begin(), went.end(),
                                 [&](const auto& w) { return w.first == move.bidder; });
    auto& rival = at == went.end() ? went.emplace_back(move.bidder, std::nullopt) : *at;
    if (move.bid) rival.second = std::max(rival.second.value_or(*move.bid), *move.bid);
  }
  std::string text;
  for (const auto& [bidder, most] : went)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", bidder,
                        most ? "bid up to " + money_text(*most) : std::string("made no bid"));
  return text.empty() ? text : fmt::format("For {}: {}.", view.sale.item, text);
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
  } else if (NotedBelief* noted = question.answer<NotedBelief>()) {
    const BeliefView* view = question.view<BeliefView>();
    if (view == nullptr) return question.decline();
    Belief now = ValueCap::belief(*view);
    *noted = {ValueCap::rivals(*view), now.remaining_budget, std::move(now.total_profits),
              std::move(now.winning_bids)};
  } else {
    question.decline();
  }
}

void Shill::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return question.decline();
  *bid = raise_or_withdraw(drive_up(*view, params_.share));
}

void Spiteful::answer(agon::Question& question) const {
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return buyer_.answer(question);
  const std::optional<agon::Money> bought = buyer_.buy(*view);
  *bid = raise_or_withdraw(bought ? bought : drive_up(*view, push_));
}

namespace {

/// Empty if a seat is after that; else the reason why an agent that is cannot play.
std::string needs(const Settings& settings, Desire desire, std::string_view name) {
  for (const Bidder& bidder : bidders_at_seats(settings))
    if (bidder.desire == desire) return {};
  return fmt::format(
      "it bids for {0}, and no bidder is after that: set `desires`, or the desire of "
      "a bidder, to {0}",
      name);
}

std::string why_no_shill(const Settings& settings) {
  return needs(settings, Desire::shill, "shill");
}
std::string why_no_spite(const Settings& settings) {
  return needs(settings, Desire::spite, "spite");
}

constexpr std::string_view kOffer =
    "Let us take turns: in the order in which we say so, each of us has an item, and the others "
    "leave it alone.";

/// A remark is an offer if it has these words, by any speaker.
bool offers_turns(std::string_view text) {
  constexpr std::string_view kWords = "take turns";
  return std::search(text.begin(), text.end(), kWords.begin(), kWords.end(), [](char a, char b) {
           return std::tolower(static_cast<unsigned char>(a)) == b;
         }) != text.end();
}

}  // namespace

std::vector<std::string_view> Ring::members(std::span<const Remark> talk) {
  std::vector<std::string_view> all;
  for (const Remark& remark : talk)
    if (offers_turns(remark.text) && std::find(all.begin(), all.end(), remark.bidder) == all.end())
      all.push_back(remark.bidder);
  return all;
}

std::string_view Ring::turn(std::span<const Remark> talk, int number) {
  const std::vector<std::string_view> all = members(talk);
  if (all.size() < 2) return {};
  return all[static_cast<std::size_t>(number - 1) % all.size()];
}

void Ring::answer(agon::Question& question) const {
  if (Message* message = question.answer<Message>()) {
    const TalkView* view = question.view<TalkView>();
    if (view == nullptr) return question.decline();
    const std::vector<std::string_view> all = members(view->talk);
    const auto& limits = question.limits();
    const bool fits = std::all_of(limits.begin(), limits.end(), [](const agon::LimitData& limit) {
      return static_cast<std::int64_t>(kOffer.size()) <= limit.hi;
    });
    const bool said = std::find(all.begin(), all.end(), view->me) != all.end();
    message->text = said || view->desire == Desire::shill ? "" : fits ? kOffer : "Take turns.";
    return;
  }
  Bid* bid = question.answer<Bid>();
  const BidView* view = question.view<BidView>();
  if (bid == nullptr || view == nullptr) return buyer_.answer(question);
  const std::vector<std::string_view> all = members(view->talk);
  const bool is_in = std::find(all.begin(), all.end(), view->me) != all.end();
  const std::string_view whose = turn(view->talk, view->number);
  if (keeps_ && is_in && !whose.empty() && whose != view->me)
    bid->move = Withdraw{};
  else
    buyer_.answer(question);
}

void ReserveShare::answer(agon::Question& question) const {
  // Further bids only add to the price.
  if (Conduct* conduct = question.answer<Conduct>()) return void(conduct->action = GoOn{});
  PutUp* put_up = question.answer<PutUp>();
  const PutUpView* view = question.view<PutUpView>();
  if (put_up == nullptr || view == nullptr) return question.decline();
  const auto within = [&](agon::Money amount) {
    return std::clamp(whole_dollars(amount), view->lowest, view->highest);
  };
  put_up->start_price = within({view->price.cents * params_.start / 100});
  if (view->reserve == Reserve::none) return void(put_up->reserve = {});
  put_up->reserve =
      within(std::max(agon::Money{view->estimate.cents * params_.reserve / 100}, view->cost));
}

agon::Money Brisk::step(const ConductView& view) const {
  const agon::Money to_go = agon::Money{view.estimate.cents * near_ / 100} - view.leading_bid;
  if (to_go.cents <= 0) return view.lowest;
  return std::clamp(whole_dollars({to_go.cents / 2}), view.lowest, view.highest);
}

void Brisk::answer(agon::Question& question) const {
  Conduct* conduct = question.answer<Conduct>();
  const ConductView* view = question.view<ConductView>();
  if (conduct == nullptr || view == nullptr) return seller_.answer(question);
  if (const agon::Money wanted = step(*view); wanted != view->step)
    conduct->action = ChangeStep{wanted};
  else
    conduct->action = GoOn{};
}

namespace {

constexpr std::array<std::string_view, 1> kBids{"bidder"}, kSells{"seller"};

void add_bidders(agon::Registry& registry) {
  registry.add(agon::agent<Rule>(
      {.id = "rule",
       .game = "english-auction",
       .doc = "Bids the start price, then raises by the least amount, at most max_bids times an "
              "item and while the money lasts. Ignores values, estimates and desires.",
       .source = "Chen et al. 2023 (AucArena), section 4 and published code"}));
  registry.add(agon::agent<ValueCap>(
      {.id = "value-cap",
       .game = "english-auction",
       .doc =
           "Raises by the least amount, never above a share of its own estimate (the start price "
           "where it has none), and only for items that it would buy with the money it has left: "
           "those with the most expected profit a dollar, or the cheapest ones if only their "
           "number counts. Answers the questions for plans and beliefs truthfully. Says nothing "
           "where bidders may talk. After spite it also bids for what it does not mean to buy, and "
           "above its value; as a shill it bids for all, up to a share of its estimate."}));
  registry.add(agon::agent<Shill>(
      {.id = "shill",
       .game = "english-auction",
       .doc = "Drives prices up: raises by the least amount, on any item, up to a share of its "
              "estimate, and leaves then, so that buyers pay more than that. What no buyer wants "
              "at that price it wins itself. Looks at no plan of its own, and says nothing. For "
              "auctions with a bidder after `shill`.",
       .roles = kBids,
       .check = agon::hook<&why_no_shill>}));
  registry.add(agon::agent<Spiteful>(
      {.id = "spiteful",
       .game = "english-auction",
       .doc = "Buys as value-cap does, and bids for all that it does not mean to buy up to a share "
              "of its estimate too, so that its rivals pay more.",
       .source = "the motive: Morgan, Steiglitz and Reis 2003, The Spite Motive and Equilibrium "
                 "Behavior in Auctions; the rule is our own",
       .roles = kBids,
       .check = agon::hook<&why_no_spite>}));
  registry.add(agon::agent<Ring>(
      {.id = "ring",
       .game = "english-auction",
       .doc = "Offers to take turns where bidders may talk. With all who have said so too it "
              "leaves each item to one of them, in turn; on its own items, without talk, and with "
              "nobody to take turns with it bids as value-cap does. Who says \"take turns\", a "
              "model or a person too, is taken at its word.",
       .source = "bid rotation, as in the economics of bidding rings; the scheme is our own"}));
}

}  // namespace

void add_strategies(agon::Registry& registry) {
  add_bidders(registry);
  registry.add(agon::agent<ReserveShare>(
      {.id = "reserve-share",
       .game = "english-auction",
       .doc = "A seller: starts each item at a share of what it is listed at, and sells it for no "
              "less than a share of its estimate, as far as the settings let it.",
       .roles = kSells}));
  registry.add(agon::agent<Brisk>(
      {.id = "brisk",
       .game = "english-auction",
       .doc =
           "A seller that hurries: sets start prices and reserves as reserve-share does. In the "
           "middle of the bidding it sets the least raise to half the way from the leading bid to "
           "a share of its estimate, and to the usual one from there on. It ends no bidding, as "
           "further bids only add to the price, and says nothing. For auctions with `seller_acts`.",
       .roles = kSells}));
}

}  // namespace english_auction
