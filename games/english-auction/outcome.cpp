#include <algorithm>
#include <cmath>

#include "english-auction/play.hpp"

namespace english_auction {

namespace {

/// Twice the average rank of element i minus the mean: an exact integer.
int centred(std::span<const int> list, std::size_t i) {
  int below = 0;
  int above = 0;
  for (const int x : list) below += x<list[i], above += x> list[i];
  return below - above;
}

}  // namespace

std::optional<double> rank_correlation(std::span<const int> a, std::span<const int> b) {
  std::int64_t ab = 0;
  std::int64_t aa = 0;
  std::int64_t bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int64_t x = centred(a, i);
    const std::int64_t y = centred(b, i);
    ab += x * y, aa += x * x, bb += y * y;
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return static_cast<double>(ab) / std::sqrt(static_cast<double>(aa) * static_cast<double>(bb));
}

namespace {

std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void Match::note_engagement() {
  for (int seat = 0; seat < seats_; ++seat)
    for (int place = 0; place < items_; ++place)
      table_.note(kEngagement, [&] {
        const int i = item_at(place);
        Engagement event;
        event.bidder = name(seat);
        event.item = item(i).name;
        if (!minds_.empty()) {
          const Mind& mine = minds_[static_cast<std::size_t>(seat)];
          const int first = mine.first_plan[static_cast<std::size_t>(i)];
          const int held = mine.held_plan[static_cast<std::size_t>(i)];
          if (first != 0) event.initial_priority = first;
          if (held != 0) event.current_priority = held;
        }
        event.bids = bids_for(seat, i);
        event.won = result(i).winner == seat;
        return event;
      });
}

std::string Match::note_reports() {
  // Reports are private: each bidder hears its own, the record has them all in the log.
  std::string all;
  for (int seat = 0; seat < seats_; ++seat) {
    agon::InlineList<Sale, kMaxItems> won;
    table_.tell(seat, kReport, [&] {
      for (int place = 0; place < items_; ++place)
        if (result(item_at(place)).winner == seat) won.push_back(sale_to(seat, place));
      const Report report{name(seat), bidder(seat).settings.budget, account(seat).budget,
                          account(seat).profit, won};
      all += report_text(report);
      return report;
    });
  }
  return all;
}

void Match::hand_over_memos() {
  const std::string reports = note_reports();
  table_.note(kLog, [&] { return AuctionLog{log_.text() + "\n" + reports}; });
  for (const int seat : prepared_.learners) {
    agon::InlineList<Sale, kMaxItems> won;
    for (int place = 0; place < items_; ++place)
      if (result(item_at(place)).winner == seat) won.push_back(sale_to(seat, place));
    const Report report{name(seat), bidder(seat).settings.budget, account(seat).budget,
                        account(seat).profit, won};
    const std::span<const std::string> learnt = tips(seat);
    table_.carry(seat, Memo{log_.text(), report_text(report), {learnt.begin(), learnt.end()}});
  }
}

double Match::score(int seat) const {
  const Account& mine = account(seat);
  switch (bidder(seat).settings.desire) {
    case Desire::profit:
    case Desire::absent:
      return static_cast<double>(mine.profit.cents);
    case Desire::items:
      return kScoreOfItem * mine.items_won;
    case Desire::specific_items:
      return kScoreOfItem * mine.wanted_won;
    case Desire::spite:
      return std::round(static_cast<double>(mine.profit.cents) -
                        bidder(seat).settings.spite / 100.0 *
                            static_cast<double>(rivals_profit(seat).cents));
    case Desire::shill:
      break;
  }
  return static_cast<double>(seller_gain().cents);
}

agon::Money Match::seller_gain() const {
  agon::Money gain;
  for (int i = 0; i < items_; ++i)
    if (const Result& r = result(i); r.winner >= 0 && !is_shill(r.winner))
      gain += r.price - cost_of(item(i), settings_);
  return gain;
}

agon::Money Match::rivals_profit(int seat) const {
  agon::Money sum;
  for (int other = 0; other < seats_; ++other)
    if (other != seat) sum += account(other).profit;
  return {sum.cents / (seats_ - 1)};
}

agon::Outcome Match::outcome() const {
  agon::Outcome outcome(table_.seats());
  const auto profit = [&](int seat) {
    return seat < seats_ ? account(seat).profit : seller_gain();
  };
  for (int seat = 0; seat < table_.seats(); ++seat) {
    const bool bids = seat < seats_;
    const Anchors& anchors = bids ? yard().bidders[static_cast<std::size_t>(seat)] : yard().seller;
    outcome.seat(seat, {.score = bids ? score(seat) : static_cast<double>(seller_gain().cents),
                        .disagreement = anchors.disagreement,
                        .ideal = anchors.ideal});
    int rank = 1;
    for (int other = 0; other < table_.seats(); ++other)
      rank += profit(other) > profit(seat) ? 1 : 0;
    outcome[seat].rank = rank;
    SeatMetrics metrics;
    if (bids)
      metrics = seat_metrics(seat);
    else
      metrics.profit = seller_gain();
    outcome.seat_metrics(seat, metrics);
  }
  outcome.match_metrics(match_metrics());
  return outcome;
}

SeatMetrics Match::seat_metrics(int seat) const {
  const Account& mine = account(seat);
  SeatMetrics m;
  m.profit = mine.profit;
  m.items_won = mine.items_won;
  m.wanted_won = mine.wanted_won;
  m.spent = mine.spent;
  m.money_left = mine.budget;
  m.total_bids = mine.answers;
  m.failed_bids = mine.failed;
  m.failed_rate = ratio(mine.failed, mine.answers);
  m.forced_withdrawals = mine.forced;
  m.bids = mine.bids;
  for (int i = 0; i < items_; ++i) {
    m.items_bid_for += bids_for(seat, i) > 0 ? 1 : 0;
    const Result& r = result(i);
    if (r.winner == seat || r.to_beat > mine.budget) continue;
    m.missed = std::max(m.missed, thought_value(seat, i) - r.to_beat);
  }
  m.overpaid = mine.overpaid;
  m.regret = m.overpaid + m.missed;
  m.losses = mine.losses;
  m.plans = mine.plans;
  m.plan_changes = mine.plan_changes;
  m.belief_answers = mine.belief_answers;
  m.belief_self_errors = mine.self_errors;
  m.belief_self_total = mine.self_total;
  m.belief_self_rate = ratio(mine.self_errors, mine.self_total);
  m.belief_others_errors = mine.others_errors;
  m.belief_others_total = mine.others_total;
  m.belief_others_rate = ratio(mine.others_errors, mine.others_total);
  m.tips = static_cast<int>(tips(seat).size());
  m.messages = mine.messages;
  m.rivals_profit = rivals_profit(seat);
  if (mine.plans == 0) return m;
  const Mind& thoughts = minds_[static_cast<std::size_t>(seat)];
  const auto follow = [&](const std::array<std::int8_t, kMaxItems>& plan, auto deed) {
    agon::InlineList<int, kMaxItems> priorities;
    agon::InlineList<int, kMaxItems> deeds;
    for (int i = 0; i < items_; ++i) {
      if (plan[static_cast<std::size_t>(i)] == 0) continue;
      priorities.push_back(plan[static_cast<std::size_t>(i)]);
      deeds.push_back(deed(i));
    }
    return rank_correlation(priorities, deeds);
  };
  const auto bids = [&](int i) { return bids_for(seat, i); };
  const auto wins = [&](int i) { return result(i).winner == seat ? 1 : 0; };
  m.initial_plan_bids = follow(thoughts.first_plan, bids);
  m.initial_plan_wins = follow(thoughts.first_plan, wins);
  m.current_plan_bids = follow(thoughts.held_plan, bids);
  m.current_plan_wins = follow(thoughts.held_plan, wins);
  return m;
}

MatchMetrics Match::match_metrics() const {
  MatchMetrics m = totals_;
  m.value_best = yard().best_value;
  m.efficiency = ratio(m.value_sold.cents, m.value_best.cents);
  m.price_to_value = ratio(m.revenue.cents, m.value_sold.cents);
  m.surplus = m.value_sold - m.revenue;
  for (int seat = 0; seat < seats_; ++seat) {
    m.total_bids += account(seat).answers;
    m.failed_bids += account(seat).failed;
    m.forced_withdrawals += account(seat).forced;
    m.messages += account(seat).messages;
  }
  m.seller_gain = seller_gain();
  m.competitive_revenue = yard().competitive;
  m.shortfall = m.competitive_revenue - m.revenue;
  m.revenue_to_competitive = ratio(m.revenue.cents, m.competitive_revenue.cents);
  m.uncontested_share = ratio(m.uncontested, m.items_sold);
  measure_rotation(m);
  return m;
}

void Match::measure_rotation(MatchMetrics& m) const {
  std::array<int, agon::kMaxSeats> wins{};
  int sales = 0, changes = 0, last = -1;
  for (int place = 0; place < items_; ++place) {
    const int winner = result(item_at(place)).winner;
    if (winner < 0 || is_shill(winner)) continue;
    changes += sales > 0 && winner != last ? 1 : 0;
    ++sales;
    ++wins[static_cast<std::size_t>(winner)];
    last = winner;
  }
  int same = 0;  // ordered pairs of sales with one winner
  for (const int n : wins) same += n * (n - 1);
  m.rotation = ratio(changes, sales - 1);
  if (sales > 1) m.rotation_by_chance = 1 - *ratio(same, sales * (sales - 1));
}

}  // namespace english_auction
