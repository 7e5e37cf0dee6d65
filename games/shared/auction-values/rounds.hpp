#pragma once

#include <agon/game.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "shared/auction-values/values.hpp"

namespace auction_values {

/// Sums over pairs of a bid and the value it was made at, from which every figure of the papers can
/// be made, and which can be added up over matches.
struct BidTally {
  std::int64_t n = 0;
  std::int64_t value_sum = 0, value_squares = 0;
  std::int64_t bid_sum = 0, bid_squares = 0;
  std::int64_t products = 0;                          ///< of value and bid
  std::int64_t exact = 0;                             ///< bid = value
  std::int64_t near = 0;                              ///< at most one step away
  std::int64_t above = 0;                             ///< bid over value
  std::int64_t below = 0;                             ///< bid under value
  std::int64_t error_sum = 0;                         ///< of |bid - value|
  std::int64_t squares_above = 0, squares_below = 0;  ///< of (bid - value)^2, bids over and under

  constexpr void add(std::int64_t bid, std::int64_t value, std::int64_t step = 1) {
    const std::int64_t error = bid - value;
    const std::int64_t size = error < 0 ? -error : error;
    ++n;
    value_sum += value;
    value_squares += value * value;
    bid_sum += bid;
    bid_squares += bid * bid;
    products += bid * value;
    exact += error == 0;
    near += size <= step;
    above += error > 0;
    below += error < 0;
    error_sum += size;
    (error > 0 ? squares_above : squares_below) += error * error;
  }

  [[nodiscard]] constexpr std::int64_t error_squares() const {
    return squares_above + squares_below;
  }
};

/// a / b; undefined for b = 0.
[[nodiscard]] constexpr std::optional<double> ratio(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::nullopt;
  return static_cast<double>(a) / static_cast<double>(b);
}

/// 1 - sum (b - v)^2 / sum (b - mean b)^2: how well the value explains the bid, against the spread
/// of the bids. Undefined if all bids are the same.
[[nodiscard]] constexpr std::optional<double> r_squared(std::int64_t n, std::int64_t bid_sum,
                                                        std::int64_t bid_squares,
                                                        std::int64_t error_squares) {
  // n times the sum of squares around the mean, exact in integers.
  const std::int64_t spread = n * bid_squares - bid_sum * bid_sum;
  if (spread == 0) return std::nullopt;
  return 1.0 - static_cast<double>(n * error_squares) / static_cast<double>(spread);
}

/// How a bidder means to play the next round, whatever its value will be.
struct Plan {
  std::string plan;
};
AGON_DESCRIBE(Plan, (plan, "your plan, in a few sentences", agon::length(1, 4000)))

/// What a bidder takes from the last round.
struct Reflection {
  std::string lesson;
};
AGON_DESCRIBE(Reflection, (lesson, "what you take from the last round", agon::length(1, 4000)))

/// How long plans and lessons should be (words; arXiv:2507.09083).
inline constexpr int kFirstPlanWords = 100;
inline constexpr int kPlanWords = 50;
inline constexpr int kLessonWords = 100;

/// What a bidder wrote beside its actions. A text without a word is none.
struct Written {
  int plans = 0;
  int plan_words = 0;
  int reflections = 0;
  int reflection_words = 0;

  void add_plan(std::string_view text);
  void add_reflection(std::string_view text);
  /// Puts the counts into metrics that have members of these names.
  template <class Metrics>
  void put(Metrics& metrics) const {
    metrics.plans = plans;
    metrics.plan_words = plan_words;
    metrics.reflections = reflections;
    metrics.reflection_words = reflection_words;
  }
};

/// What a report gives of them for each agent.
inline constexpr agon::RateCard kWrittenRates[] = {
    {.name = "words a plan",
     .above = "plan_words",
     .below = "plans",
     .what = "words of plans, before a round or with an action; n: plans",
     .source = "arXiv:2507.09083"},
    {.name = "words a reflection",
     .above = "reflection_words",
     .below = "reflections",
     .what = "words of reflections, after a round or with an action; n: reflections",
     .source = "arXiv:2507.09083"},
};

using Seats = agon::InlineList<int, agon::kMaxSeats>;

/// Where the values of these settings come from.
template <class Settings>
[[nodiscard]] Source source_of(const Settings& s) {
  return source(s.values, s.common_range, s.own_range, s.given);
}

/// A match of auctions of one item, round by round: bidders plan, learn what the item is worth,
/// bid, and take their lesson. `Account` is a bidder over the whole match, with what it saw of the
/// rounds that are `past`.
template <class Table, class Settings, class Account>
class Rounds {
 public:
  Rounds(Table table, const Settings& settings)
      : table_(table),
        settings_(settings),
        source_(source_of(settings)),
        accounts_(static_cast<std::size_t>(table.seats())),
        written_(static_cast<std::size_t>(table.seats())) {
    for (int seat = 0; seat < table.seats(); ++seat) everybody_.push_back(seat);
  }
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

 protected:
  Account& account(int seat) { return accounts_[static_cast<std::size_t>(seat)]; }
  Written& written(int seat) { return written_[static_cast<std::size_t>(seat)]; }
  [[nodiscard]] int seen(int seat) const { return values_.seen[static_cast<std::size_t>(seat)]; }

  /// Asks everybody for a plan, before the first round and before later ones; `make(seat, words)`
  /// makes the view.
  template <class First, class Later, class Make>
  void plan(const First& first, const Later& later, Make make) {
    const auto ask = [&](int seat) {
      return agon::asking<Plan>(agon::view(
          [this, seat, &make] { return make(seat, round_ == 0 ? kFirstPlanWords : kPlanWords); }));
    };
    const auto plans = round_ == 0 ? table_.probe_all(everybody_, first, ask)
                                   : table_.probe_all(everybody_, later, ask);
    for (std::size_t i = 0; i < everybody_.size(); ++i)
      if (plans[i]) written(everybody_[i]).add_plan(plans[i]->plan);
  }

  /// Asks everybody what there is to learn from the round, unless it was the last; `make(seat)`
  /// makes the view.
  template <class Stage, class Make>
  void reflect(const Stage& stage, Make make) {
    if (!settings_.reflect || round_ + 1 == settings_.rounds) return;
    const auto lessons = table_.probe_all(everybody_, stage, [&](int seat) {
      return agon::asking<Reflection>(agon::view([seat, &make] { return make(seat); }));
    });
    for (std::size_t i = 0; i < everybody_.size(); ++i)
      if (lessons[i]) written(everybody_[i]).add_reflection(lessons[i]->lesson);
  }

  Table table_;
  const Settings& settings_;
  const Source source_;
  int round_ = 0;
  Seats everybody_;
  RoundValues values_;
  std::vector<Account> accounts_;
  std::vector<Written> written_;
};

/// The seats of so many bidders.
[[nodiscard]] std::vector<agon::SeatCard> seating(int bidders);

}  // namespace auction_values
