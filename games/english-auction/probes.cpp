#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>

#include "english-auction/play.hpp"

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

std::string list_of(std::span<const std::string_view> items) {
  if (items.empty()) return "no item";
  return fmt::format("{}", fmt::join(items, ", "));
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
    if (const auto said = belief.winning_bids.find(name); said != belief.winning_bids.end())
      if (count(is_self, !same_items(said->second, standing.items)))
        corrections->push_back(fmt::format("{} won {} so far", is_self ? "you have" : name + " has",
                                           list_of(standing.items)));
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

}  // namespace english_auction

// What bidders are asked besides bids: tips, plans and beliefs. None of it changes the auction.

namespace english_auction {

Mind& Match::mind(int seat) {
  // Made for all seats at once, so that none moves while a view points into it.
  if (minds_.empty()) {
    minds_.resize(static_cast<std::size_t>(seats_));
    for (int s = 0; s < seats_; ++s) {
      Mind& fresh = minds_[static_cast<std::size_t>(s)];
      fresh.belief.remaining_budget = bidder(s).settings.budget;
      restate(fresh, {names_.data(), static_cast<std::size_t>(seats_)});
    }
  }
  return minds_[static_cast<std::size_t>(seat)];
}

template <class View>
void Match::show_account(View& view, int seat) const {
  if (account(seat).belief_answers == 0) return;
  const Mind& mine = minds_[static_cast<std::size_t>(seat)];
  view.account_budget = mine.belief.remaining_budget;
  view.account = mine.standings;
}
template void Match::show_account(BidView&, int) const;

std::span<const std::string> Match::tips(int seat) const {
  if (minds_.empty()) return {};
  return minds_[static_cast<std::size_t>(seat)].tips;
}

void Match::learn() {
  War::SeatList seats;
  for (const int seat : prepared_.learners)
    if (std::optional<Memo> memo = table_.carried<Memo>(seat)) {
      seats.push_back(seat);
      mind(seat).past_log = std::move(memo->log);
      mind(seat).past_tips = std::move(memo->learnings);
    }
  if (seats.empty()) return;
  const auto answers = table_.probe_all(seats, kLearn, [&](int seat) {
    return agon::asking<Tips>(agon::view([this, seat] {
      return LearnView{mind(seat).past_log, mind(seat).past_tips};
    }));
  });
  for (std::size_t k = 0; k < seats.size(); ++k)
    if (answers[k]) mind(seats[k]).tips = answers[k]->tips;
}

template <class Probe>
void Match::plan(const Probe& probe, std::span<const int> seats, int place) {
  if (seats.empty()) return;
  const std::span<const std::string_view> names =
      std::span(in_order_).subspan(static_cast<std::size_t>(place));
  const auto answers = table_.probe_all(seats, probe, [&](int seat) {
    return agon::asking<Plan>(agon::view([this, place, seat] {
                                PlanView view;
                                view.budget = account(seat).budget;
                                view.desire = bidder(seat).settings.desire;
                                view.wanted = bidder(seat).wanted;
                                view.items = lots(seat, place);
                                view.sales = sales_;
                                view.profit = account(seat).profit;
                                view.items_won = account(seat).items_won;
                                view.markup = settings_.markup;
                                show_account(view, seat);
                                view.tips = tips(seat);
                                view.spite = spite(seat);
                                return view;
                              }),
                              agon::keys(&Plan::priorities, names));
  });
  for (std::size_t k = 0; k < seats.size(); ++k)
    if (answers[k]) take_plan(*answers[k], seats[k], place);
}

void Match::plan() {
  plan(kPlan, prepared_.planners, 0);
}

void Match::replan(int place) {
  plan(kReplan, prepared_.replanners, place);
}

void Match::take_plan(const Plan& plan, int seat, int place) {
  bool changed = false;
  for (int p = place; p < items_; ++p) {
    Lot& mine = lot(seat, p);
    const int priority = plan.priorities.at(std::string(mine.item));
    changed = changed || mine.priority != priority;
    mine.priority = priority;
    if (place == 0)
      mind(seat).first_plan[static_cast<std::size_t>(item_at(p))] =
          static_cast<std::int8_t>(priority);
  }
  mind(seat);  // priorities are looked up once a mind exists
  ++account(seat).plans;
  if (place > 0 && changed) ++account(seat).plan_changes;
}

std::vector<TrueStanding> Match::true_standings() const {
  std::vector<TrueStanding> truth;
  for (int seat = 0; seat < seats_; ++seat) {
    TrueStanding& standing = truth.emplace_back();
    standing.bidder = name(seat);
    standing.profit = account(seat).profit;
    for (int i = 0; i < items_; ++i)
      if (result(i).winner == seat) standing.items.push_back(item(i).name);
  }
  return truth;
}

BeliefView Match::belief_view(int place, int seat) {
  const Mind& mine = mind(seat);
  BeliefView view;
  view.sale = sale_to(seat, place);
  view.won = result(item_at(place)).winner == seat;
  view.moves = moves_;
  view.last_budget = mine.belief.remaining_budget;
  view.last_standings = mine.standings;
  view.corrections = mine.corrections;
  view.tips = mine.tips;
  view.me = name(seat);
  view.private_values = prepared_.is_private;
  return view;
}

void Match::believe(int place) {
  const std::span<const std::string_view> names(names_.data(), static_cast<std::size_t>(seats_));
  // Where values are private nobody can know what others made of their purchases.
  const auto known = [&](int seat) {
    return prepared_.is_private ? names.subspan(static_cast<std::size_t>(seat), 1) : names;
  };
  War::SeatList pending = prepared_.believers;
  std::vector<TrueStanding> truth;
  for (int check = 0; !pending.empty(); ++check) {
    auto answers = table_.probe_all(pending, kBelief, [&](int seat) {
      return agon::asking<Belief>(
          agon::view([this, place, seat] { return belief_view(place, seat); }),
          agon::keys(&Belief::total_profits, known(seat)),
          agon::keys(&Belief::winning_bids, names));
    });
    War::SeatList again;
    for (std::size_t k = 0; k < pending.size(); ++k) {
      if (!answers[k]) continue;
      const int seat = pending[k];
      Account& mine = account(seat);
      Belief& belief = mind(seat).next_belief.emplace(*std::move(answers[k]));
      ++mine.belief_answers;
      if (check == settings_.belief_checks) continue;  // taken as it is
      if (truth.empty()) truth = true_standings();
      std::vector<std::string>& corrections = mind(seat).corrections;
      corrections.clear();
      const BeliefErrors errors =
          check_belief(belief, name(seat), mine.budget, truth, &corrections);
      mine.self_errors += errors.self_errors;
      mine.self_total += errors.self_total;
      mine.others_errors += errors.others_errors;
      mine.others_total += errors.others_total;
      table_.note(kBeliefChecked, [&] {
        return BeliefChecked{name(seat),           item(item_at(place)).name, check + 1,
                             errors.budget_wrong,  errors.self_errors,        errors.self_total,
                             errors.others_errors, errors.others_total};
      });
      if (errors.any() && bidder(seat).settings.correct_beliefs) again.push_back(seat);
    }
    pending = again;
  }
  for (Mind& mine : minds_) {
    if (!mine.next_belief) continue;
    mine.belief = *std::move(mine.next_belief);
    mine.next_belief.reset();
    restate(mine, names);
    mine.corrections.clear();
  }
}

}  // namespace english_auction
