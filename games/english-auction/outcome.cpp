#include <algorithm>
#include <cmath>

#include "english-auction/match.hpp"

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

/// How an auction ends: what is told and kept of each bidder, and what is measured.
class Ending {
 public:
  Ending(Auction& auction, const Minds& minds) : auction_(auction), minds_(minds) {}

  /// What bidders planned for each item, and what they did.
  void note_engagement();
  /// Tells each bidder its report and keeps `log`, the bidding as a text; those who learn take it
  /// along.
  void hand_over_memos(const std::string& log);
  [[nodiscard]] agon::Outcome outcome() const;

 private:
  [[nodiscard]] std::string note_reports();
  /// A bidder's report, with its purchases in `won`, which is empty at first.
  [[nodiscard]] Report report(int seat, agon::InlineList<Sale, kMaxItems>& won) const;
  [[nodiscard]] SeatMetrics seat_metrics(int seat) const;
  [[nodiscard]] MatchMetrics match_metrics() const;
  [[nodiscard]] double score(int seat) const;
  /// What buyers paid minus what the items cost the seller.
  [[nodiscard]] agon::Money seller_gain() const;
  [[nodiscard]] agon::Money rivals_profit(int seat) const;
  /// How winners took turns, over the items that buyers won.
  void measure_rotation(MatchMetrics& m) const;

  Auction& auction_;
  const Minds& minds_;
};

void Ending::note_engagement() {
  for (int seat = 0; seat < auction_.seats; ++seat)
    for (int place = 0; place < auction_.items; ++place)
      auction_.table.note(kEngagement, [&] {
        const int i = auction_.item_at(place);
        Engagement event;
        event.bidder = auction_.name(seat);
        event.item = auction_.item(i).name;
        if (const Mind* const mine = minds_.said_by(seat)) {
          const int first = mine->first_plan[static_cast<std::size_t>(i)];
          const int held = mine->held_plan[static_cast<std::size_t>(i)];
          if (first != 0) event.initial_priority = first;
          if (held != 0) event.current_priority = held;
        }
        event.bids = auction_.account(seat).bids_for[static_cast<std::size_t>(i)];
        event.won = auction_.result(i).winner == seat;
        return event;
      });
}

Report Ending::report(int seat, agon::InlineList<Sale, kMaxItems>& won) const {
  for (int place = 0; place < auction_.items; ++place)
    if (auction_.result(auction_.item_at(place)).winner == seat)
      won.push_back(auction_.sale_to(seat, place));
  const Account& mine = auction_.account(seat);
  return {auction_.name(seat), auction_.bidder(seat).settings.budget, mine.budget, mine.profit,
          won};
}

std::string Ending::note_reports() {
  // Reports are private: each bidder hears its own, the record has them all in the log.
  std::string all;
  for (int seat = 0; seat < auction_.seats; ++seat) {
    agon::InlineList<Sale, kMaxItems> won;
    auction_.table.tell(seat, kReport, [&] {
      const Report told = report(seat, won);
      all += report_text(told);
      return told;
    });
  }
  return all;
}

void Ending::hand_over_memos(const std::string& log) {
  const std::string reports = note_reports();
  auction_.table.note(kLog, [&] { return AuctionLog{log + "\n" + reports}; });
  for (const int seat : auction_.prepared.learners) {
    agon::InlineList<Sale, kMaxItems> won;
    const std::span<const std::string> learnt = minds_.tips(seat);
    auction_.table.carry(seat,
                         Memo{log, report_text(report(seat, won)), {learnt.begin(), learnt.end()}});
  }
}

double Ending::score(int seat) const {
  const Account& mine = auction_.account(seat);
  switch (auction_.bidder(seat).settings.desire) {
    case Desire::profit:
    case Desire::absent:
      return static_cast<double>(mine.profit.cents);
    case Desire::items:
      return kScoreOfItem * mine.items_won;
    case Desire::specific_items:
      return kScoreOfItem * mine.wanted_won;
    case Desire::spite:
      return std::round(static_cast<double>(mine.profit.cents) -
                        auction_.bidder(seat).settings.spite / 100.0 *
                            static_cast<double>(rivals_profit(seat).cents));
    case Desire::shill:
      break;
  }
  return static_cast<double>(seller_gain().cents);
}

agon::Money Ending::seller_gain() const {
  agon::Money gain;
  for (int i = 0; i < auction_.items; ++i)
    if (const Result& r = auction_.result(i); r.winner >= 0 && !auction_.is_shill(r.winner))
      gain += r.price - cost_of(auction_.item(i), auction_.settings);
  return gain;
}

agon::Money Ending::rivals_profit(int seat) const {
  agon::Money sum;
  for (int other = 0; other < auction_.seats; ++other)
    if (other != seat) sum += auction_.account(other).profit;
  return {sum.cents / (auction_.seats - 1)};
}

agon::Outcome Ending::outcome() const {
  agon::Outcome outcome(auction_.table.seats());
  const auto profit = [&](int seat) {
    return seat < auction_.seats ? auction_.account(seat).profit : seller_gain();
  };
  for (int seat = 0; seat < auction_.table.seats(); ++seat) {
    const bool bids = seat < auction_.seats;
    const Anchors& anchors =
        bids ? auction_.yard().bidders[static_cast<std::size_t>(seat)] : auction_.yard().seller;
    outcome.seat(seat, {.score = bids ? score(seat) : static_cast<double>(seller_gain().cents),
                        .disagreement = anchors.disagreement,
                        .ideal = anchors.ideal});
    int rank = 1;
    for (int other = 0; other < auction_.table.seats(); ++other)
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

SeatMetrics Ending::seat_metrics(int seat) const {
  const Account& mine = auction_.account(seat);
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
  for (int i = 0; i < auction_.items; ++i) {
    m.items_bid_for += mine.bids_for[static_cast<std::size_t>(i)] > 0 ? 1 : 0;
    const Result& r = auction_.result(i);
    if (r.winner == seat || r.closed || r.to_beat > mine.budget) continue;
    m.missed = std::max(m.missed, auction_.thought_value(seat, i) - r.to_beat);
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
  m.tips = static_cast<int>(minds_.tips(seat).size());
  m.messages = mine.messages;
  m.rivals_profit = rivals_profit(seat);
  if (mine.plans == 0) return m;
  const Mind& thoughts = *minds_.said_by(seat);
  const auto follow = [&](const std::array<std::int8_t, kMaxItems>& plan, auto deed) {
    agon::InlineList<int, kMaxItems> priorities;
    agon::InlineList<int, kMaxItems> deeds;
    for (int i = 0; i < auction_.items; ++i) {
      if (plan[static_cast<std::size_t>(i)] == 0) continue;
      priorities.push_back(plan[static_cast<std::size_t>(i)]);
      deeds.push_back(deed(i));
    }
    return rank_correlation(priorities, deeds);
  };
  const auto bids = [&](int i) { return int{mine.bids_for[static_cast<std::size_t>(i)]}; };
  const auto wins = [&](int i) { return auction_.result(i).winner == seat ? 1 : 0; };
  m.initial_plan_bids = follow(thoughts.first_plan, bids);
  m.initial_plan_wins = follow(thoughts.first_plan, wins);
  m.current_plan_bids = follow(thoughts.held_plan, bids);
  m.current_plan_wins = follow(thoughts.held_plan, wins);
  return m;
}

MatchMetrics Ending::match_metrics() const {
  MatchMetrics m = auction_.totals;
  m.value_best = auction_.yard().best_value;
  m.efficiency = ratio(m.value_sold.cents, m.value_best.cents);
  m.price_to_value = ratio(m.revenue.cents, m.value_sold.cents);
  m.surplus = m.value_sold - m.revenue;
  for (int seat = 0; seat < auction_.seats; ++seat) {
    m.total_bids += auction_.account(seat).answers;
    m.failed_bids += auction_.account(seat).failed;
    m.forced_withdrawals += auction_.account(seat).forced;
    m.messages += auction_.account(seat).messages;
  }
  m.seller_gain = seller_gain();
  m.competitive_revenue = auction_.yard().competitive;
  m.shortfall = m.competitive_revenue - m.revenue;
  m.revenue_to_competitive = ratio(m.revenue.cents, m.competitive_revenue.cents);
  m.uncontested_share = ratio(m.uncontested, m.items_sold);
  measure_rotation(m);
  return m;
}

void Ending::measure_rotation(MatchMetrics& m) const {
  std::array<int, agon::kMaxSeats> wins{};
  int sales = 0, changes = 0, last = -1;
  for (int place = 0; place < auction_.items; ++place) {
    const int winner = auction_.result(auction_.item_at(place)).winner;
    if (winner < 0 || auction_.is_shill(winner)) continue;
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

}  // namespace

agon::Outcome conclude(Auction& auction, const Minds& minds, const std::string& log) {
  Ending ending(auction, minds);
  ending.note_engagement();
  ending.hand_over_memos(log);
  return ending.outcome();
}

}  // namespace english_auction
