#include "clock-auction/play.hpp"

#include <algorithm>

#include "clock-auction/messages.hpp"
#include "shared/auction-values/rounds.hpp"

namespace clock_auction {

namespace {

using auction_values::Seats;

/// A bidder over the whole match.
struct Account {
  SeatMetrics metrics;
  int best = 0;  ///< profit with all rounds won at the lowest price
  std::vector<PastRound> past;
};

/// One match in the making.
class Match : auction_values::Rounds<Table, Settings, Account> {
 public:
  Match(Table table, const Settings& settings)
      : Rounds(table, settings), ceiling_(ceiling(settings)) {}

  agon::Outcome play() {
    for (round_ = 0; round_ < settings_.rounds; ++round_) {
      if (settings_.plan)
        plan(kPlan, kReplan, [&](int seat, int words) {
          return PlanView{round_ + 1, settings_.rounds, words,
                          settings_.history ? account(seat).metrics.profit : 0, history(seat)};
        });
      open();
      if (settings_.clock == Clock::dutch)
        fall();
      else
        rise();
      close();
      reflect(kReflect, [&](int seat) {
        return ReflectView{account(seat).past.back(), auction_values::kLessonWords, told()};
      });
    }
    return outcome();
  }

 private:
  using Exits = agon::InlineList<std::optional<int>, auction_values::kMaxBidders>;

  std::optional<int>& exit(int seat) { return exits_[static_cast<std::size_t>(seat)]; }
  std::span<const PastRound> history(int seat) {
    if (!settings_.history) return {};
    return account(seat).past;
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

  /// The bidders that a seat is told it is up against; made again for each look.
  std::span<const std::string_view> opponents(int seat, const Seats& in) {
    const Seats& named = settings_.opponents == Named::all ? everybody_ : in;
    auto& names = opponents_[static_cast<std::size_t>(seat)];
    names.clear();
    for (const int other : named)
      if (other != seat) names.push_back(table_.name(other));
    return names;
  }

  /// What a seat does at one price.
  struct Deed {
    bool act = false;
    bool forced = false;
  };
  template <class Stage, class Make>
  agon::InlineList<Deed, agon::kMaxSeats> deeds(const Seats& in, const Stage& stage, Make make) {
    using Answer = typename Stage::Answer;
    const auto answers = table_.ask_all(in, stage, [&](int seat) {
      return agon::asking<Answer>(agon::view([seat, &make] { return make(seat); }));
    });
    agon::InlineList<Deed, agon::kMaxSeats> list;
    for (std::size_t i = 0; i < in.size(); ++i) {
      const auto& answer = answers[i];
      ++account(in[i]).metrics.actions;
      if constexpr (requires { answer.plan; }) {
        written(in[i]).add_plan(answer.plan);
        written(in[i]).add_reflection(answer.reflection);
      }
      if constexpr (requires { answer.stay; })
        list.push_back({answer.stay, answer.forced()});
      else
        list.push_back({answer.take, answer.forced()});
    }
    return list;
  }

  StayView stay_view(int seat, int cycle, const Seats& in) {
    return {round_ + 1,
            settings_.rounds,
            cycle,
            price_,
            std::min(price_ + settings_.step, ceiling_),
            seen(seat),
            opponents(seat, in),
            told(),
            history(seat)};
  }

  void rise() {
    Seats in = everybody_;
    price_ = settings_.start;
    for (int cycle = 1;; ++cycle) {
      const auto view = [&](int seat) { return stay_view(seat, cycle, in); };
      const auto answers =
          settings_.written ? deeds(in, kStayWritten, view) : deeds(in, kStay, view);
      ++match_.calls;
      Seats staying, leaving;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const int seat = in[i];
        if (answers[i].act) {
          staying.push_back(seat);
          continue;
        }
        leaving.push_back(seat);
        exit(seat) = price_;
        account(seat).metrics.forced += answers[i].forced;
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
      const auto view = [&](int seat) { return take_view(seat); };
      const auto answers = settings_.written ? deeds(everybody_, kTakeWritten, view)
                                             : deeds(everybody_, kTake, view);
      ++match_.calls;
      Seats taking;
      for (std::size_t i = 0; i < answers.size(); ++i)
        if (answers[i].act) taking.push_back(everybody_[i]);
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
    view.value = seen(seat);
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
    winner_ = auction_values::tie_winner(table_, source_, round_, tied);
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
      mine.past.push_back({round_ + 1, seen(seat), exit(seat), won, price,
                           won ? seen(seat) - price_ : 0, mine.metrics.profit});
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
      mine.value_sum += seen(seat);
      account(seat).best += std::max(0, seen(seat) - settings_.start);
      if (winner_ == seat || !exit(seat)) continue;
      // Nobody can leave below the first price, nor stay beyond the last one.
      const int reach = std::clamp(seen(seat), settings_.start, ceiling_);
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
    winner.profit += seen(*winner_) - price_;
    winner.losses += price_ > seen(*winner_);
    ++match_.sold;
    match_.revenue_sum += price_;
    match_.winner_value_sum += seen(*winner_);
    match_.efficient += seen(*winner_) == top.first;
  }

  agon::Outcome outcome() {
    agon::Outcome result(table_.seats());
    for (const int seat : everybody_) {
      SeatMetrics& mine = account(seat).metrics;
      mine.truthful_share = auction_values::ratio(mine.near_exits, mine.exits);
      mine.mean_error = auction_values::ratio(mine.error_sum, mine.exits);
      written(seat).put(mine);
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

  const int ceiling_;
  int price_ = 0;
  int tied_ = 0;
  std::optional<int> winner_;
  Exits exits_;
  std::vector<Called> transcript_;
  std::array<agon::InlineList<std::string_view, agon::kMaxSeats>, agon::kMaxSeats> opponents_;
  MatchMetrics match_;
};

}  // namespace

agon::Outcome play(Table table, const Settings& settings) {
  return Match(table, settings).play();
}

}  // namespace clock_auction
