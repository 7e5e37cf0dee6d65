#pragma once

#include <array>
#include <optional>
#include <span>

#include "deal-or-no-deal/answers.hpp"
#include "deal-or-no-deal/cases.hpp"
#include "deal-or-no-deal/events.hpp"
#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

/// What each seat gets.
using Deal = std::array<ItemCounts, 2>;

/// May talks break down by chance after the offer with this number (from 1)? Only once both have
/// moved.
[[nodiscard]] constexpr bool may_break_down(int offers) {
  return offers >= 2;
}

/// Do the two takes give out every item exactly once? A missing one fits nothing.
[[nodiscard]] bool same_split(const Amounts& counts, const std::optional<ItemCounts>& a,
                              const std::optional<ItemCounts>& b);

/// Why a negotiation stops after a round: `round` rounds have been played of at most `max_rounds`,
/// `halts` says which seats wanted to stop in this round, `latest` what each would take by its
/// latest proposal. A lone wish to stop is not enough unless the proposals are the same split.
[[nodiscard]] TalkStop stops(int round, int max_rounds, const std::array<bool, 2>& halts,
                             const Amounts& counts,
                             const std::array<std::optional<ItemCounts>, 2>& latest);

/// Are these two takes a deal? A missing take is none.
[[nodiscard]] bool is_deal(const Amounts& counts,
                           const std::array<std::optional<ItemCounts>, 2>& takes, DealMatch match);

/// What a part is worth. Both have the same size.
[[nodiscard]] std::int64_t worth(const ItemCounts& part, const Amounts& values);

/// How a deal is judged; without one, everything is 0 or false.
struct Judgement {
  Pair values{};  ///< what each seat's own part is worth to it
  /// Does the seat rather want the other's part?
  std::array<bool, 2> envies{};
  bool full = false;
  bool envy_free = false;  ///< full, and nobody envies
  bool pareto_optimal = false;
  int left_over = 0;  ///< items that nobody has
};

/// Judges what each seat gets. `swapped`: seat 0 has the second side's values.
[[nodiscard]] Judgement judge(const Case& game, bool swapped, const Deal& deal);

}  // namespace deal_or_no_deal
