#include "clock-auction/play.hpp"

#include <algorithm>

#include "auction-values/tally.hpp"
#include "clock-auction/events.hpp"
#include "clock-auction/metrics.hpp"

namespace clock_auction {

namespace {

using Seats = agon::InlineList<int, agon::kMaxSeats>;

std::span<const int> all_of(const Seats& seats) {
  return {seats.data(), seats.size()};
}

/// How long plans and lessons should be (words; the published prompts).
constexpr int kFirstPlanWords = 100;
constexpr int kPlanWords = 50;
constexpr int kLessonWords = 100;

/// A bidder over the whole match.
struct Account {
  SeatMetrics metrics;
  int best = 0;  ///< profit with all rounds won at the lowest price
  std::vector<PastRound> past;
};

/// One match in the making.
class Match {
 public:
  Match(Table table, const Settings& settings)
      : table_(table),
        settings_(settings),
        source_(source(settings)),
        ceiling_(ceiling(settings)),
        accounts_(static_cast<std::size_t>(table.seats())) {
    for (int seat = 0; seat < table.seats(); ++seat) everybody_.push_back(seat);
  }
  Match(const Match&) = delete;
  Match& operator=(const Match&) = delete;

  agon::Outcome play() {
    for (round_ = 0; round_ < settings_.rounds; ++round_) {
      plan();
      open();
      if (settings_.clock == Clock::dutch)
        fall();
      else
        rise();
      close();
      if (settings_.reflect && round_ + 1 < settings_.rounds) reflect();
    }
    return outcome();
  }

 private:
  using Exits = agon::InlineList<std::optional<int>, auction_values::kMaxBidders>;

  Account& account(int seat) { return accounts_[static_cast<std::size_t>(seat)]; }
  int value(int seat) const { return values_.seen[static_cast<std::size_t>(seat)]; }
  std::optional<int>& exit(int seat) { return exits_[static_cast<std::size_t>(seat)]; }
  std::span<const PastRound> history(int seat) {
    if (!settings_.history) return {};
    return account(seat).past;
  }

  void plan() {
    if (!settings_.plan) return;
    const auto ask = [&](int seat) {
      return agon::asking<Plan>(agon::view([this, seat] {
        return PlanView{round_ + 1, settings_.rounds, round_ == 0 ? kFirstPlanWords : kPlanWords,
                        settings_.history ? account(seat).metrics.profit : 0, history(seat)};
      }));
    };
    if (round_ == 0)
      table_.probe_all(all_of(everybody_), kPlan, ask);
    else
      table_.probe_all(all_of(everybody_), kReplan, ask);
  }

  void open() {
    values_ = auction_values::values_of_round(table_, source_, round_);
    table_.note(kValues, [&] { return ValuesDrawn{round_ + 1, values_.common, values_.seen}; });
    transcript_.clear();
    exits_.clear();
    exits_.resize(static_cast<std::size_t>(table_.seats()));
    winner_.reset();
    tied_ = 0;
  }

  /// The bidders that a seat is told it is up against; made anew for each look.
  std::span<const std::string_view> opponents(int seat, const Seats& in) {
    const Seats& named = settings_.opponents == Named::all ? everybody_ : in;
    auto& names = opponents_[static_cast<std::size_t>(seat)];
    names.clear();
    for (const int other : named)
      if (other != seat) names.push_back(table_.name(other));
    return {names.data(), names.size()};
  }

  void rise() {
    Seats in = everybody_;
    price_ = settings_.start;
    for (int cycle = 1;; ++cycle) {
      const auto answers = table_.ask_all(all_of(in), kStay, [&](int seat) {
        return agon::asking<Stay>(agon::view([this, seat, cycle, &in] {
          return StayView{round_ + 1,
                          settings_.rounds,
                          cycle,
                          price_,
                          std::min(price_ + settings_.step, ceiling_),
                          value(seat),
                          opponents(seat, in),
                          told(),
                          history(seat)};
        }));
      });
      ++match_.calls;
      Seats staying, leaving;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const int seat = in[i];
        if (answers[i].stay) {
          staying.push_back(seat);
          continue;
        }
        leaving.push_back(seat);
        exit(seat) = price_;
        account(seat).metrics.forced += answers[i].forced();
      }
      tell_of_call(cycle, static_cast<int>(leaving.size()));
      if (staying.size() == 1) return win(staying);
      if (staying.empty()) return win(leaving);
      if (price_ >= ceiling_) {
        for (const int seat : staying) exit(seat) = price_;
        return win(staying);
      }
      in = staying;
      price_ = std::min(price_ + settings_.step, ceiling_);
    }
  }

  void fall() {
    for (price_ = ceiling_;; price_ = std::max(price_ - settings_.step, settings_.start)) {
      const auto answers = table_.ask_all(all_of(everybody_), kTake, [&](int seat) {
        return agon::asking<Take>(agon::view([this, seat] { return take_view(seat); }));
      });
      ++match_.calls;
      Seats taking;
      for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i].take) taking.push_back(everybody_[i]);
      if (!taking.empty()) return win(taking);
      if (price_ <= settings_.start) return;
    }
  }

  TakeView take_view(int seat) {
    TakeView view;
    view.round = round_ + 1;
    view.rounds = settings_.rounds;
    view.price = price_;
    if (price_ > settings_.start)
      view.next_price = std::max(price_ - settings_.step, settings_.start);
    view.start_price = ceiling_;
    view.value = value(seat);
    view.values = settings_.values;
    view.own_range = source_.own;
    view.opponents = opponents(seat, everybody_);
    view.history = history(seat);
    return view;
  }

  /// What bidders may see of the calls of this round.
  std::span<const Called> told() const {
    if (settings_.clock != Clock::ascending) return {};
    return transcript_;
  }

  void tell_of_call(int cycle, int left) {
    transcript_.push_back({cycle, price_, left});
    const auto event = [&] { return CallOver{round_ + 1, cycle, price_, left}; };
    if (settings_.clock == Clock::ascending)
      table_.announce(kCall, event);
    else
      table_.note(kBlindCall, event);
  }

  void win(const Seats& tied) {
    tied_ = static_cast<int>(tied.size());
    winner_ = auction_values::tie_winner(table_, source_, round_, all_of(tied));
  }

  void close() {
    measure();
    const std::optional<int> price = winner_ ? std::optional(price_) : std::nullopt;
    table_.note(kSold, [&] {
      Sold sold;
      sold.round = round_ + 1;
      if (winner_) sold.winner = table_.name(*winner_);
      sold.price = price;
      sold.tied = tied_;
      sold.exits = exits_;
      return sold;
    });
    for (const int seat : everybody_) {
      const bool won = winner_ == seat;
      Account& mine = account(seat);
      mine.past.push_back({round_ + 1, value(seat), exit(seat), won, price,
                           won ? value(seat) - price_ : 0, mine.metrics.profit});
      if (settings_.history) table_.tell(seat, kOutcome, mine.past.back());
    }
  }

  void measure() {
    ++match_.rounds;
    const auction_values::TwoHighest top = auction_values::two_highest(values_.seen);
    match_.best_value_sum += top.first;
    match_.second_value_sum += top.second;
    match_.tied += tied_ > 1;
    for (const int seat : everybody_) {
      SeatMetrics& mine = account(seat).metrics;
      ++mine.rounds;
      mine.value_sum += value(seat);
      account(seat).best += std::max(0, value(seat) - settings_.start);
      if (winner_ == seat || !exit(seat)) continue;
      // Nobody can leave below the first price, nor stay beyond the last one.
      const int reach = std::clamp(value(seat), settings_.start, ceiling_);
      auction_values::BidTally tally;
      tally.add(*exit(seat), reach, settings_.step);
      ++mine.exits;
      mine.exact_exits += static_cast<int>(tally.exact);
      mine.near_exits += static_cast<int>(tally.near);
      mine.early_exits += static_cast<int>(tally.below);
      mine.late_exits += static_cast<int>(tally.above);
      mine.error_sum += static_cast<int>(tally.error_sum);
      mine.error_squares += static_cast<double>(tally.error_squares());
    }
    if (!winner_) return;
    SeatMetrics& winner = account(*winner_).metrics;
    ++winner.wins;
    winner.paid += price_;
    winner.profit += value(*winner_) - price_;
    winner.losses += price_ > value(*winner_);
    ++match_.sold;
    match_.revenue_sum += price_;
    match_.winner_value_sum += value(*winner_);
    match_.efficient += value(*winner_) == top.first;
  }

  void reflect() {
    table_.probe_all(all_of(everybody_), kReflect, [&](int seat) {
      return agon::asking<Reflection>(agon::view([this, seat] {
        return ReflectView{account(seat).past.back(), kLessonWords, told()};
      }));
    });
  }

  agon::Outcome outcome() {
    agon::Outcome result(table_.seats());
    for (const int seat : everybody_) {
      SeatMetrics& mine = account(seat).metrics;
      mine.truthful_share = auction_values::ratio(mine.near_exits, mine.exits);
      mine.mean_error = auction_values::ratio(mine.error_sum, mine.exits);
      match_.exits += mine.exits;
      match_.near_exits += mine.near_exits;
      match_.error_sum += mine.error_sum;
      result.seat(seat, {.score = mine.profit, .disagreement = 0, .ideal = account(seat).best})
          .seat_metrics(seat, mine);
    }
    match_.revenue = static_cast<double>(match_.revenue_sum) / match_.rounds;
    match_.efficiency = static_cast<double>(match_.efficient) / match_.rounds;
    match_.surplus_share = auction_values::ratio(match_.winner_value_sum, match_.best_value_sum);
    match_.truthful_share = auction_values::ratio(match_.near_exits, match_.exits);
    match_.mean_error = auction_values::ratio(match_.error_sum, match_.exits);
    return result.match_metrics(match_);
  }

  Table table_;
  const Settings& settings_;
  const auction_values::Source source_;
  const int ceiling_;
  int round_ = 0;
  int price_ = 0;
  int tied_ = 0;
  std::optional<int> winner_;
  Seats everybody_;
  auction_values::RoundValues values_;
  Exits exits_;
  std::vector<Called> transcript_;
  std::vector<Account> accounts_;
  std::array<agon::InlineList<std::string_view, agon::kMaxSeats>, agon::kMaxSeats> opponents_;
  MatchMetrics match_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

}  // namespace clock_auction
