#pragma once

#include <array>
#include <optional>
#include <string>

#include "deal-or-no-deal/cases.hpp"
#include "deal-or-no-deal/events.hpp"
#include "deal-or-no-deal/stages.hpp"

namespace deal_or_no_deal {

/// Why a reported belief is no legal answer; empty if it is one: every candidate values everything
/// at `total_value`, none comes twice, and one at least is possible.
[[nodiscard]] std::string problem_of(const BeliefReport& report, const Amounts& counts,
                                     int total_value);

/// Scores a report of somebody with values `own` about the `truth` (Hua et al. 2024, section 5.5).
/// Only round and seat are left to fill in.
[[nodiscard]] BeliefJudged judge_belief(const BeliefReport& report, const Amounts& counts,
                                        const Amounts& own, const Amounts& truth, int total_value);

/// Asks both seats after each round what the other's values may be, and keeps the last score of
/// each.
class BeliefBook {
 public:
  BeliefBook(const Case& game, bool swapped, int total_value)
      : game_(game), swapped_(swapped), total_value_(total_value) {}

  /// `view(seat)` makes the BeliefView of a seat.
  template <class View>
  void ask(Table table, int round, const View& view) {
    if (game_.prior == 0) return;
    for (const int seat : {0, 1}) {
      const std::span<const int> caps(game_.value_caps.data(), game_.counts.size());
      auto report = table.probe(
          seat, kBelief, agon::view([&view, seat] { return view(seat); }),
          agon::limit_length(&BeliefReport::candidates, 1, static_cast<std::int64_t>(game_.prior)),
          agon::limit_each(&BeliefReport::candidates, &Candidate::values, caps),
          agon::check(
              [this](const BeliefReport& r) { return problem_of(r, game_.counts, total_value_); }));
      if (report) enter(table, round, seat, *report);
    }
  }

  /// How many reports a seat gave.
  [[nodiscard]] int reports(int seat) const { return reports_[static_cast<std::size_t>(seat)]; }
  /// How likely its last one holds these values of the other side to be; nothing without one.
  [[nodiscard]] std::optional<double> held(int seat, const ItemCounts& values) const;
  /// The score of its last one; meaningless if there is none.
  [[nodiscard]] const BeliefJudged& last(int seat) const {
    return *last_[static_cast<std::size_t>(seat)];
  }

 private:
  void enter(Table table, int round, int seat, const BeliefReport& report);

  const Case& game_;
  bool swapped_;
  int total_value_;
  std::array<int, 2> reports_{};
  std::array<std::optional<BeliefJudged>, 2> last_;
  std::array<BeliefReport, 2> last_reports_;
};

}  // namespace deal_or_no_deal
