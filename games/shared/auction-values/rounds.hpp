#pragma once

#include <agon/game.hpp>
#include <vector>

#include "shared/auction-values/values.hpp"

namespace auction_values {

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

/// A match of auctions of one item, round by round: bidders plan, learn what the item is worth,
/// bid, and take their lesson. `Account` is a bidder over the whole match, with what it saw of the
/// rounds that are `past`.
template <class Table, class Settings, class Account>
class Rounds {
 public:
  Rounds(Table table, const Settings& settings)
      : table_(table),
        settings_(settings),
        source_(source(settings)),
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

/// Where the values of these settings come from.
template <class Settings>
[[nodiscard]] Source source_of(const Settings& s) {
  return source(s.values, s.common_range, s.own_range, s.given);
}

}  // namespace auction_values
