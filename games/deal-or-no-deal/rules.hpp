#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/messages.hpp"
#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

/// An instance with all that every match over it needs: worked out once, by side.
struct Case {
  Amounts counts;
  std::array<Amounts, 2> values;
  /// What everything is worth to either side: its best score with the other at 0 or more.
  Scores maximum{};
  /// The highest joint score of any split.
  std::int64_t best_joint = 0;
  /// Is there a split that is both envy-free and Pareto-optimal?
  bool fair_exists = false;
  /// Scores of best_split(), if fair_exists.
  Scores fair{};
  /// Scores of nash_split().
  Scores nash{};
  /// The scores of all Pareto-optimal splits, each once.
  std::vector<Scores> frontier;
  /// Sum of the differences between both sides' values of one item of each type.
  std::int64_t value_distance = 0;
  /// Size of the prior over the other side's valuations; 0 if nobody is asked for beliefs.
  std::size_t prior = 0;
  /// The most that one item can be worth, for the limits of a belief.
  std::array<int, kMaxTypes> value_caps{};
};

/// Works it out. `total_value` is 0 if beliefs are not asked for. The instance is valid.
[[nodiscard]] Case make_case(const Instance& instance, int total_value);

/// What is worked out once for given settings.
struct Prepared {
  std::vector<Case> cases;         ///< one for each listed instance
  std::vector<std::string> names;  ///< kMaxTypes names of item types
};

/// Throws agon::Error if beliefs are asked for about too many possible valuations.
[[nodiscard]] Prepared prepare(const Settings& settings);

/// The names of the item types, made up where the settings give none.
[[nodiscard]] std::vector<std::string> item_names(const Settings& settings);

/// An instance made from `key`: the same for the same key everywhere. Throws agon::Error when none
/// that keeps the generator's constraints is among `redraws` draws.
[[nodiscard]] Instance make_instance(const Settings& settings, std::uint64_t key,
                                     std::uint64_t redraws = 20'000'000);

/// Why the generator cannot make instances, or would take too long for it, with what mends it;
/// empty if it can. Settings for which this is empty make one in every match: the trial here gives
/// up long before make_instance() does.
[[nodiscard]] std::string generator_problem(const Settings& settings);

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
  Scores values{};  ///< what each seat's own part is worth to it
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
