#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// Who gets how many items of each type. A split may leave items over.
struct Split {
  std::array<Amounts, 2> parts;

  friend bool operator==(const Split&, const Split&) = default;
};

/// The split that gives `first` to side 0 and the rest to side 1.
[[nodiscard]] Split full_split(const Amounts& counts, const Amounts& first);

/// Is no part negative and no item given twice?
[[nodiscard]] bool fits(const Amounts& counts, const Split& split);

/// Does it fit and give every item to somebody?
[[nodiscard]] bool is_full(const Amounts& counts, const Split& split);

/// Every full split, in the order in which all rules of this game break ties: side 0's part counts
/// from nothing to everything, the first type slowest (Hua et al. 2024, section 5.2). Throws
/// agon::Error when there are more than kMaxSplits.
[[nodiscard]] std::vector<Split> all_splits(const Amounts& counts);

/// What either side's part is worth to it.
[[nodiscard]] std::array<std::int64_t, 2> scores(const Instance& instance, const Split& split);

/// Would somebody with these values rather have `theirs` than `mine`?
[[nodiscard]] bool envies(const Amounts& values, const Amounts& mine, const Amounts& theirs);

/// Is the split full, and does neither side envy the other?
[[nodiscard]] bool envy_free(const Instance& instance, const Split& split);

/// Is there no full split that is as good for both and better for one? Judged by scores, so a
/// split that leaves over only items worth nothing can pass.
[[nodiscard]] bool pareto_optimal(const Instance& instance, const Split& split);

/// A full split with everything that is asked about it.
struct Outcome {
  Split split;
  std::array<std::int64_t, 2> scores{};
  bool envy_free = false;
  bool pareto_optimal = false;

  [[nodiscard]] std::int64_t joint() const { return scores[0] + scores[1]; }
};

/// All full splits of an instance, judged, in the order of all_splits().
[[nodiscard]] std::vector<Outcome> outcomes(const Instance& instance);

/// The best split: of those that are envy-free and Pareto-optimal, the one with the highest joint
/// score, on a tie the first in order (which has the lowest score for side 0 in the published
/// cases). Null when no split is both. Points into `list`.
[[nodiscard]] const Outcome* best_split(std::span<const Outcome> list);

/// The Nash bargaining split with no deal worth 0 to both: the highest product of scores, on a tie
/// the higher joint score, then the first in order. Always Pareto-optimal. `list` is not empty.
[[nodiscard]] const Outcome& nash_split(std::span<const Outcome> list);

/// The most that `side` can get while the other side gets at least `floor`; nothing when no split
/// gives the other side that much.
[[nodiscard]] std::optional<std::int64_t> best_score(std::span<const Outcome> list,
                                                     std::size_t side, std::int64_t floor);

/// What is possible in an instance, before anybody plays.
struct Yardsticks {
  /// Number of full splits, and how many of them are envy-free, Pareto-optimal, and both.
  std::size_t splits = 0;
  std::size_t envy_free = 0;
  std::size_t pareto_optimal = 0;
  std::size_t fair = 0;
  /// The highest joint score of any split.
  std::int64_t best_joint = 0;
  /// The highest joint score of an envy-free split, if there is one.
  std::optional<std::int64_t> best_envy_free_joint;
  /// best_split(), if there is one.
  std::optional<Outcome> best;
  /// How many envy-free and Pareto-optimal splits share its joint score (1: no tie).
  std::size_t best_ties = 0;
  /// nash_split().
  Outcome nash;
  /// The most for either side with the other at its outside option (no deal, 0) or above: all
  /// items.
  std::array<std::int64_t, 2> own_best{};
  /// The most for either side with the other strictly better off than without a deal; 0 when the
  /// other side can never be.
  std::array<std::int64_t, 2> own_best_with_gain{};
  /// The most for either side in an envy-free split, if there is one.
  std::array<std::optional<std::int64_t>, 2> own_best_envy_free;
};

/// Computes them all. The instance is valid.
[[nodiscard]] Yardsticks yardsticks(const Instance& instance);

}  // namespace deal_or_no_deal
