#include "sealed-bid/play.hpp"

#include <algorithm>
#include <functional>

#include "sealed-bid/messages.hpp"
#include "shared/auction-values/rounds.hpp"

namespace sealed_bid {

namespace {

using auction_values::BidTally;
using auction_values::PerBidder;
using auction_values::Seats;

/// A bidder over the whole match.
struct Account {
  SeatMetrics metrics;
  int best = 0;  ///< profit with all rounds won for nothing
  BidTally all;
  BidTally lost;
  double benchmark = 0;
  double benchmark_error = 0;
  std::vector<PastRound> past;
};

double as_double(std::int64_t n) {
  return static_cast<double>(n);
}

/// One match in the making.
class Match : auction_values::Rounds<Table, Settings, Account> {
 public:
  Match(Table table, const Settings& settings, const Prepared& prepared)
      : Rounds(table, settings), prepared_(prepared) {
    if (settings.values != auction_values::ValueModel::common)
      match_.efficient = match_.best_value_sum = match_.second_value_sum = match_.winner_value_sum =
          0;
  }

  agon::Outcome play() {
    for (round_ = 0; round_ < settings_.rounds; ++round_) {
      if (settings_.plan)
        plan(kPlan, kReplan, [&](int seat, int words) {
          return PlanView{round_ + 1, settings_.rounds, words, account(seat).metrics.profit,
                          account(seat).past};
        });
      values_ = auction_values::values_of_round(table_, source_, round_);
      table_.note(kValues, [&] { return ValuesDrawn{round_ + 1, values_.common, values_.seen}; });
      collect_bids();
      settle();
      tell();
      reflect(kReflect, [&](int seat) {
        return ReflectView{account(seat).past.back(), auction_values::kLessonWords};
      });
    }
    return outcome();
  }

 private:
  int worth(int seat) const { return values_.worth(static_cast<std::size_t>(seat)); }
  int bid(int seat) const { return bids_[static_cast<std::size_t>(seat)]; }

  void collect_bids() {
    const auto answers = table_.ask_all(everybody_, kBid, [&](int seat) {
      return agon::asking<Bid>(
          agon::view([this, seat] { return bid_view(seat); }),
          agon::limit(&Bid::bid, 0, prepared_.highest_bid),
          agon::usual(&Bid::bid, 0, std::min(seen(seat), prepared_.highest_bid)));
    });
    bids_.clear();
    for (std::size_t i = 0; i < answers.size(); ++i) {
      bids_.push_back(answers[i].bid);
      account(everybody_[i]).metrics.forced += answers[i].forced();
    }
  }

  BidView bid_view(int seat) {
    BidView view;
    view.round = round_ + 1;
    view.rounds = settings_.rounds;
    view.value = seen(seat);
    view.highest_bid = prepared_.highest_bid;
    view.total = account(seat).metrics.profit;
    view.payment = settings_.payment;
    view.bidders = table_.seats();
    view.values = settings_.values;
    view.common_range = source_.common;
    view.own_range = source_.own;
    view.history = account(seat).past;
    return view;
  }

  void settle() {
    std::vector<int>& sorted = sorted_bids_.emplace_back(bids_.begin(), bids_.end());
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    Seats tied;
    for (const int seat : everybody_)
      if (bid(seat) == sorted.front()) tied.push_back(seat);
    winner_ = auction_values::tie_winner(table_, source_, round_, tied);
    price_ = settings_.payment == Payment::second_price  ? sorted[1]
             : settings_.payment == Payment::third_price ? sorted[2]
                                                         : sorted[0];
    table_.note(kSold, [&] {
      return Sold{round_ + 1, table_.name(winner_), price_, static_cast<int>(tied.size()), bids_};
    });
    match_.tied += tied.size() > 1;
    match_.losses += worth(winner_) < price_;
    match_.worth_sum += worth(winner_);
    if (match_.efficient) compare_values();
    for (const int seat : everybody_) book(seat);
  }

  void compare_values() {
    const auction_values::TwoHighest top = auction_values::two_highest(values_.seen);
    *match_.efficient += seen(winner_) == top.first;
    *match_.best_value_sum += top.first;
    *match_.second_value_sum += top.second;
    *match_.winner_value_sum += seen(winner_);
  }

  int payment(int seat) const {
    if (seat == winner_) return price_;
    return settings_.payment == Payment::all_pay ? bid(seat) : 0;
  }

  int profit(int seat) const { return (seat == winner_ ? worth(seat) : 0) - payment(seat); }

  void book(int seat) {
    Account& mine = account(seat);
    mine.metrics.profit += profit(seat);
    mine.metrics.paid += payment(seat);
    mine.metrics.wins += seat == winner_;
    mine.metrics.losses += profit(seat) < 0;
    mine.best += worth(seat);
    mine.all.add(bid(seat), seen(seat));
    if (seat != winner_) mine.lost.add(bid(seat), seen(seat));
    match_.revenue_sum += payment(seat);
    if (prepared_.benchmark.empty()) return;
    const double best =
        prepared_.benchmark[static_cast<std::size_t>(seen(seat) - prepared_.seen[0])];
    mine.benchmark += best;
    mine.benchmark_error += std::abs(bid(seat) - best);
  }

  void tell() {
    const std::vector<int>& sorted = sorted_bids_.back();
    std::optional<int> better;
    if (settings_.payment == Payment::first_price && sorted[1] + 1 < sorted[0])
      better = sorted[1] + 1;
    for (const int seat : everybody_) {
      PastRound past;
      past.round = round_ + 1;
      past.value = seen(seat);
      if (values_.same_worth) past.common_value = worth(seat);
      past.bid = bid(seat);
      past.won = seat == winner_;
      past.paid = payment(seat);
      past.profit = profit(seat);
      past.total = account(seat).metrics.profit;
      past.bids = sorted;
      past.price = price_;
      past.winner_profit = profit(winner_);
      past.better_bid = better;
      account(seat).past.push_back(past);
      table_.tell(seat, kOutcome, past);
    }
  }

  static std::optional<double> smad(double error, double benchmark) {
    if (benchmark <= 0) return std::nullopt;
    return 100 * error / benchmark;
  }

  SeatMetrics metrics(int seat) {
    const Account& mine = account(seat);
    SeatMetrics m = mine.metrics;
    m.rounds = settings_.rounds;
    m.value_sum = as_double(mine.all.value_sum);
    m.value_squares = as_double(mine.all.value_squares);
    m.bid_sum = as_double(mine.all.bid_sum);
    m.bid_squares = as_double(mine.all.bid_squares);
    m.value_bid_sum = as_double(mine.all.products);
    m.exact_bids = static_cast<int>(mine.all.exact);
    m.near_bids = static_cast<int>(mine.all.near);
    m.overbids = static_cast<int>(mine.all.above);
    m.underbids = static_cast<int>(mine.all.below);
    m.error_sum = as_double(mine.all.error_sum);
    m.squares_above = as_double(mine.all.squares_above);
    m.squares_below = as_double(mine.all.squares_below);
    m.lost = static_cast<int>(mine.lost.n);
    m.lost_near = static_cast<int>(mine.lost.near);
    m.lost_error_sum = as_double(mine.lost.error_sum);
    m.lost_error_squares = as_double(mine.lost.error_squares());
    m.exact_share = *auction_values::ratio(mine.all.exact, mine.all.n);
    m.near_share = *auction_values::ratio(mine.all.near, mine.all.n);
    m.mean_error = *auction_values::ratio(mine.all.error_sum, mine.all.n);
    m.r_squared = auction_values::r_squared(mine.all.n, mine.all.bid_sum, mine.all.bid_squares,
                                            mine.all.error_squares());
    if (!prepared_.benchmark.empty()) {
      m.benchmark_sum = mine.benchmark;
      m.benchmark_error_sum = mine.benchmark_error;
      m.smad = smad(mine.benchmark_error, mine.benchmark);
    }
    return m;
  }

  agon::Outcome outcome() {
    agon::Outcome result(table_.seats());
    BidTally all;
    double benchmark = 0;
    double benchmark_error = 0;
    for (const int seat : everybody_) {
      const Account& mine = account(seat);
      result.seat(seat, {.score = mine.metrics.profit, .disagreement = 0, .ideal = mine.best})
          .seat_metrics(seat, metrics(seat));
      match_.bidder_profit += mine.metrics.profit;
      all.n += mine.all.n;
      all.exact += mine.all.exact;
      all.near += mine.all.near;
      all.above += mine.all.above;
      all.below += mine.all.below;
      all.error_sum += mine.all.error_sum;
      benchmark += mine.benchmark;
      benchmark_error += mine.benchmark_error;
    }
    match_.rounds = settings_.rounds;
    match_.revenue = as_double(match_.revenue_sum) / settings_.rounds;
    if (match_.efficient) {
      match_.efficiency = as_double(*match_.efficient) / settings_.rounds;
      match_.surplus_share =
          auction_values::ratio(*match_.winner_value_sum, *match_.best_value_sum);
    }
    match_.exact_share = *auction_values::ratio(all.exact, all.n);
    match_.near_share = *auction_values::ratio(all.near, all.n);
    match_.overbid_share = *auction_values::ratio(all.above, all.n);
    match_.underbid_share = *auction_values::ratio(all.below, all.n);
    match_.mean_error = *auction_values::ratio(all.error_sum, all.n);
    match_.smad = smad(benchmark_error, benchmark);
    return result.match_metrics(match_);
  }

  const Prepared& prepared_;
  int winner_ = 0;
  int price_ = 0;
  PerBidder bids_;
  std::vector<std::vector<int>> sorted_bids_;  ///< what past rounds show, one list a round
  MatchMetrics match_;
};

}  // namespace

Prepared prepare(const Settings& settings) {
  Prepared prepared;
  const auction_values::Source values = auction_values::source_of(settings);
  prepared.seen = auction_values::seen_range(values);
  prepared.highest_bid = highest_bid(settings);
  const auction_values::Contest theory = contest(settings.payment, values, settings.bidders);
  for (int seen = prepared.seen[0]; seen <= prepared.seen[1]; ++seen) {
    const std::optional<double> bid = auction_values::equilibrium_bid(theory, seen);
    if (!bid) break;
    prepared.benchmark.push_back(*bid);
  }
  return prepared;
}

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  return Match(table, settings, prepared).play();
}

}  // namespace sealed_bid
