#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// How a recorded dialogue of two people ended.
enum class Ending : std::uint8_t {
  agreed,        ///< both selections fit together
  disagreed,     ///< both selected, but the selections do not fit together
  no_agreement,  ///< they chose not to agree
  disconnected,  ///< somebody left
};

/// The ending that files call so, such as "no-agreement", if there is one.
[[nodiscard]] std::optional<Ending> ending_of(std::string_view name);

/// What two people made of an instance. Files of instances do not keep their words.
struct HumanOutcome {
  Ending ending = Ending::no_agreement;
  /// Messages of both sides together, without the private selections at the end.
  int messages = 0;
  /// What either side took; only after an agreement.
  std::optional<Split> split;

  friend bool operator==(const HumanOutcome&, const HumanOutcome&) = default;
};

/// An instance and, where it comes from a dialogue, what people made of it. Side 0 is the side
/// whose context comes first on the line, not always the one that spoke first.
struct Row {
  Instance instance;
  std::optional<HumanOutcome> human;

  friend bool operator==(const Row&, const Row&) = default;
};

/// How far the two sides want different things: the sum of the differences between their values of
/// one item of each type. The lower, the harder to agree (Hua et al. 2024, section 5.1).
[[nodiscard]] int value_distance(const Instance& instance);

/// Is it the same type for both that either side values most (the first on a tie), and one item of
/// it worth no more to them than all items of the other types together?
[[nodiscard]] bool covered(const Instance& instance);

/// Are all counts even, so that halving every pile is fair?
[[nodiscard]] bool halvable(const Instance& instance);

/// What became of the rows in select_points().
struct Selection {
  /// Positions (from 0) in the rows, ascending.
  std::vector<std::size_t> kept;
  /// Rows on odd lines, and why the others of them were dropped.
  std::size_t looked_at = 0;
  std::size_t repeated = 0;
  std::size_t halvable = 0;
  std::size_t covered = 0;
};

/// The filter behind the published "hardest" points: of the rows on odd lines (counted from 1; the
/// others mostly show the same dialogues from the other side), in order, drop those that repeat a
/// kept game, then the halvable, then the covered.
[[nodiscard]] Selection select_points(std::span<const Row> rows);

/// The first `how_many` kept points whose value_distance() is at most `distance`: with 50 and 4 the
/// published sample. Positions in `rows`.
[[nodiscard]] std::vector<std::size_t> hard_points(std::span<const Row> rows,
                                                   const Selection& selection, int distance,
                                                   std::size_t how_many);

/// What people achieved on some rows. A dialogue without an agreement counts, as neither.
struct HumanSummary {
  std::size_t points = 0;
  std::size_t agreed = 0;
  std::size_t envy_free = 0;
  std::size_t pareto_optimal = 0;
  /// Both envy-free and Pareto-optimal.
  std::size_t fair = 0;
  /// Sum of scores of either side; 0 without an agreement.
  Scores scores{};
  std::size_t messages = 0;
};

/// Sums up the rows at `positions`. Rows without a human outcome are left out.
[[nodiscard]] HumanSummary summarise_humans(std::span<const Row> rows,
                                            std::span<const std::size_t> positions);

}  // namespace deal_or_no_deal
