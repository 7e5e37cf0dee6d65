#pragma once

#include <agon/question.hpp>
#include <optional>
#include <span>
#include <vector>

#include "deal-or-no-deal/answers.hpp"
#include "deal-or-no-deal/views.hpp"

namespace deal_or_no_deal {

/// What a strategy needs to know at any question of either protocol.
struct Position {
  int seat = 0;
  Amounts counts;
  Amounts values;
  /// What everything is worth to the other side: as told, or else taken to be as to this seat.
  int total_value = 0;
  /// What this seat proposed to take and the other side did not take up, oldest first.
  std::vector<Amounts> rejected;
  /// What the other side's latest proposal leaves to this seat.
  std::optional<Amounts> offered;
  /// What this seat's own latest proposal would take.
  std::optional<Amounts> own_latest;
  /// This seat's decision now, from 0, and how many it has at most.
  int decision = 0;
  int decisions = 1;

  [[nodiscard]] std::int64_t maximum() const { return worth(counts, values); }
  /// Is this the last chance to agree?
  [[nodiscard]] bool is_last() const { return decision + 1 >= decisions; }
};

/// The position of a question with a view of this game; nothing for other questions.
[[nodiscard]] std::optional<Position> position_of(agon::Question& question);

/// Answers a question of either protocol: `propose` is the part to propose if this seat does not
/// accept. With `accept` it takes what the other side offers, and in a negotiation says so by
/// proposing the same split and asking to stop. `last_take` is what it presents at the end of a
/// negotiation.
void play_proposal(agon::Question& question, const Position& position, bool accept,
                   const Amounts& propose, const Amounts& last_take);

}  // namespace deal_or_no_deal
