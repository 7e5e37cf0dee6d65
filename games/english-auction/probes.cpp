#include <fmt/format.h>

#include <algorithm>

#include "english-auction/match.hpp"

namespace english_auction {

namespace {

bool same_items(const std::vector<Won>& said, std::span<const std::string_view> truth) {
  for (const Won& won : said)
    if (std::find(truth.begin(), truth.end(), won.item) == truth.end()) return false;
  for (const std::string_view item : truth)
    if (std::none_of(said.begin(), said.end(), [&](const Won& won) { return won.item == item; }))
      return false;
  return true;
}

/// Of the same items: have they the true prices, as far as these count?
bool same_prices(const std::vector<Won>& said, const TrueStanding& truth) {
  for (std::size_t i = 0; i < truth.prices.size(); ++i)
    for (const Won& won : said)
      if (won.item == truth.items[i] && won.price != truth.prices[i]) return false;
  return true;
}

std::string list_of(const TrueStanding& truth) {
  if (truth.items.empty()) return "no item";
  std::string text;
  for (std::size_t i = 0; i < truth.items.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", truth.items[i]);
    if (!truth.prices.empty()) text += " for " + money_text(truth.prices[i]);
  }
  return text;
}

std::vector<TrueStanding> true_standings(const Auction& auction) {
  const bool prices = auction.settings.check_prices.value_or(false);
  std::vector<TrueStanding> truth;
  for (int seat = 0; seat < auction.seats; ++seat) {
    TrueStanding& standing = truth.emplace_back();
    standing.bidder = auction.name(seat);
    standing.profit = auction.account(seat).profit;
    for (int i = 0; i < auction.items; ++i) {
      if (auction.result(i).winner != seat) continue;
      standing.items.push_back(auction.item(i).name);
      if (prices) standing.prices.push_back(auction.result(i).price);
    }
  }
  return truth;
}

}  // namespace

BeliefErrors check_belief(const Belief& belief, std::string_view self, agon::Money budget,
                          std::span<const TrueStanding> truth,
                          std::vector<std::string>* corrections) {
  BeliefErrors errors;
  const auto count = [&](bool is_self, bool wrong) {
    (is_self ? errors.self_total : errors.others_total) += 1;
    (is_self ? errors.self_errors : errors.others_errors) += wrong ? 1 : 0;
    return wrong && corrections != nullptr;
  };
  errors.budget_wrong = belief.remaining_budget != budget;
  if (count(true, errors.budget_wrong))
    corrections->push_back(fmt::format("you have {} left, not {}", money_text(budget),
                                       money_text(belief.remaining_budget)));
  for (const TrueStanding& standing : truth) {
    const std::string name(standing.bidder);
    const bool is_self = standing.bidder == self;
    if (const auto said = belief.total_profits.find(name); said != belief.total_profits.end())
      if (count(is_self, said->second != standing.profit))
        corrections->push_back(fmt::format(
            "{} is {}, not {}", is_self ? "your total profit" : "the total profit of " + name,
            money_text(standing.profit), money_text(said->second)));
    if (const auto said = belief.winning_bids.find(name); said != belief.winning_bids.end()) {
      const bool items = same_items(said->second, standing.items);
      const bool prices = !items || same_prices(said->second, standing);
      (is_self ? errors.self_price_errors : errors.others_price_errors) += prices ? 0 : 1;
      if (count(is_self, !items || !prices))
        corrections->push_back(fmt::format("{} won {} so far", is_self ? "you have" : name + " has",
                                           list_of(standing)));
    }
  }
  return errors;
}

void restate(Mind& mind, std::span<const std::string_view> bidders) {
  mind.standings.clear();
  for (const std::string_view bidder : bidders) {
    Standing& standing = mind.standings.emplace_back();
    standing.bidder = bidder;
    const std::string name(bidder);
    if (const auto at = mind.belief.total_profits.find(name); at != mind.belief.total_profits.end())
      standing.profit = at->second;
    if (const auto at = mind.belief.winning_bids.find(name); at != mind.belief.winning_bids.end())
      standing.won = at->second;
  }
}

Mind& Minds::mind(int seat) {
  // Made for all seats at once, so that none moves while a view points into it.
  if (minds_.empty()) {
    minds_.resize(static_cast<std::size_t>(auction_.seats));
    for (int s = 0; s < auction_.seats; ++s) {
      Mind& fresh = minds_[static_cast<std::size_t>(s)];
      fresh.belief.remaining_budget = auction_.bidder(s).settings.budget;
      restate(fresh, auction_.names());
    }
  }
  return minds_[static_cast<std::size_t>(seat)];
}

void Minds::learn() {
  War::SeatList seats;
  for (const int seat : auction_.prepared.learners)
    if (std::optional<Memo> memo = auction_.table.carried<Memo>(seat)) {
      seats.push_back(seat);
      mind(seat).past_log = std::move(memo->log);
      mind(seat).past_tips = std::move(memo->learnings);
    }
  if (seats.empty()) return;
  const auto answers = auction_.table.probe_all(seats, kLearn, [&](int seat) {
    return agon::asking<Tips>(agon::view([this, seat] {
      return LearnView{mind(seat).past_log, mind(seat).past_tips};
    }));
  });
  for (std::size_t k = 0; k < seats.size(); ++k)
    if (answers[k]) mind(seats[k]).tips = answers[k]->tips;
}

template <class Probe>
void Minds::ask_for_plans(const Probe& probe, std::span<const int> seats, int place) {
  if (seats.empty()) return;
  const std::span<const std::string_view> names = auction_.items_from(place);
  const auto answers = auction_.table.probe_all(seats, probe, [&](int seat) {
    return agon::asking<Plan>(agon::view([this, place, seat] {
                                PlanView view;
                                view.budget = auction_.account(seat).budget;
                                view.desire = auction_.bidder(seat).settings.desire;
                                view.wanted = auction_.bidder(seat).wanted;
                                view.items = auction_.lots(seat, place);
                                view.sales = auction_.sales;
                                view.profit = auction_.account(seat).profit;
                                view.items_won = auction_.account(seat).items_won;
                                view.markup = auction_.settings.markup;
                                show_account(view, seat);
                                view.tips = tips(seat);
                                view.spite = auction_.spite(seat);
                                return view;
                              }),
                              agon::keys(&Plan::priorities, names));
  });
  for (std::size_t k = 0; k < seats.size(); ++k)
    if (answers[k]) take_plan(*answers[k], seats[k], place);
}

void Minds::plan() {
  ask_for_plans(kPlan, auction_.prepared.planners, 0);
}

void Minds::replan(int place) {
  ask_for_plans(kReplan, auction_.prepared.replanners, place);
}

void Minds::hold_plans(int place) {
  for (int seat = 0; seat < auction_.seats && !minds_.empty(); ++seat)
    mind(seat).held_plan[static_cast<std::size_t>(auction_.item_at(place))] =
        static_cast<std::int8_t>(auction_.lot(seat, place).priority.value_or(0));
}

void Minds::take_plan(const Plan& plan, int seat, int place) {
  bool changed = false;
  for (int p = place; p < auction_.items; ++p) {
    Lot& mine = auction_.lot(seat, p);
    const int priority = plan.priorities.at(std::string(mine.item));
    changed = changed || mine.priority != priority;
    mine.priority = priority;
    if (place == 0)
      mind(seat).first_plan[static_cast<std::size_t>(auction_.item_at(p))] =
          static_cast<std::int8_t>(priority);
  }
  mind(seat);  // priorities are looked up once a mind exists
  ++auction_.account(seat).plans;
  if (place > 0 && changed) ++auction_.account(seat).plan_changes;
}

BeliefView Minds::belief_view(int place, std::span<const Move> moves, int seat) {
  const Mind& mine = mind(seat);
  BeliefView view;
  view.sale = auction_.sale_to(seat, place);
  view.won = auction_.result(auction_.item_at(place)).winner == seat;
  view.moves = moves;
  view.last_budget = mine.belief.remaining_budget;
  view.last_standings = mine.standings;
  view.corrections = mine.corrections;
  view.tips = mine.tips;
  view.me = auction_.name(seat);
  view.private_values = auction_.prepared.is_private;
  view.rivals = mine.rivals;
  return view;
}

bool Minds::holds(int seat, int place, int check, std::span<const TrueStanding> truth) {
  Account& account = auction_.account(seat);
  Mind& mine = mind(seat);
  mine.corrections.clear();
  const std::string_view name = auction_.name(seat);
  const BeliefErrors errors =
      check_belief(*mine.next_belief, name, account.budget, truth, &mine.corrections);
  account.self_errors += errors.self_errors;
  account.self_total += errors.self_total;
  account.others_errors += errors.others_errors;
  account.others_total += errors.others_total;
  auction_.table.note(kBeliefChecked, [&] {
    const Item& item = auction_.item(auction_.item_at(place));
    return BeliefChecked{name,
                         item.name,
                         check + 1,
                         errors.budget_wrong,
                         errors.self_errors,
                         errors.self_total,
                         errors.others_errors,
                         errors.others_total};
  });
  if (auction_.settings.check_prices.value_or(false))
    auction_.table.note(kPricesChecked, [&] {
      return PricesChecked{name, auction_.item(auction_.item_at(place)).name, check + 1,
                           errors.self_price_errors, errors.others_price_errors};
    });
  return !errors.any();
}

namespace {

void keep(Mind& mind, Belief&& said) {
  mind.next_belief = std::move(said);
}

void keep(Mind& mind, NotedBelief&& said) {
  mind.next_belief =
      Belief{said.remaining_budget, std::move(said.total_profits), std::move(said.winning_bids)};
  mind.next_rivals = std::move(said.rivals);
}

}  // namespace

template <class Probe>
War::SeatList Minds::ask_for_beliefs(const Probe& probe, const War::SeatList& seats, int place,
                                     std::span<const Move> moves) {
  using Said = typename Probe::Answer;
  const std::span<const std::string_view> names = auction_.names();
  // Where values are private nobody can know what others made of their purchases.
  const auto known = [&](int seat) {
    return auction_.prepared.is_private ? names.subspan(static_cast<std::size_t>(seat), 1) : names;
  };
  auto answers = auction_.table.probe_all(seats, probe, [&](int seat) {
    return agon::asking<Said>(
        agon::view([this, place, moves, seat] { return belief_view(place, moves, seat); }),
        agon::keys(&Said::total_profits, known(seat)), agon::keys(&Said::winning_bids, names));
  });
  War::SeatList answered;
  for (std::size_t k = 0; k < seats.size(); ++k) {
    if (!answers[k]) continue;
    keep(mind(seats[k]), *std::move(answers[k]));
    ++auction_.account(seats[k]).belief_answers;
    answered.push_back(seats[k]);
  }
  return answered;
}

void Minds::believe(int place, std::span<const Move> moves) {
  War::SeatList pending = auction_.prepared.believers;
  std::vector<TrueStanding> truth;
  for (int check = 0; !pending.empty(); ++check) {
    const War::SeatList answered = auction_.settings.sum_up.value_or(false)
                                       ? ask_for_beliefs(kSumUp, pending, place, moves)
                                       : ask_for_beliefs(kBelief, pending, place, moves);
    pending.clear();
    for (const int seat : answered) {
      if (check == auction_.settings.belief_checks) continue;  // taken as it is
      if (truth.empty()) truth = true_standings(auction_);
      if (!holds(seat, place, check, truth) && auction_.bidder(seat).settings.correct_beliefs)
        pending.push_back(seat);
    }
  }
  for (Mind& mine : minds_) {
    if (!mine.next_belief) continue;
    mine.belief = *std::move(mine.next_belief);
    mine.next_belief.reset();
    mine.rivals = std::move(mine.next_rivals);
    mine.next_rivals.clear();
    restate(mine, auction_.names());
    mine.corrections.clear();
  }
}

}  // namespace english_auction
