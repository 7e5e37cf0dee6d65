#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deal_or_no_deal {

/// Most item types an instance can have.
inline constexpr std::size_t kMaxTypes = 8;

/// The largest count of one type that is accepted.
inline constexpr int kMaxCount = 1000;

/// The largest value of one item that is accepted.
inline constexpr int kMaxValue = 1'000'000;

/// The largest number of splits an instance may have, so that listing them all stays cheap.
inline constexpr std::size_t kMaxSplits = 100'000;

/// A whole number for each item type, kept in place: how many there are, what one is worth, or what
/// somebody takes. At most kMaxTypes entries.
class Amounts {
 public:
  constexpr Amounts() = default;

  /// Throws agon::Error when there are more than kMaxTypes entries.
  Amounts(std::initializer_list<int> entries);

  /// `size` times the same number. Throws agon::Error when `size` is above kMaxTypes.
  static Amounts filled(std::size_t size, int value);

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr int operator[](std::size_t type) const { return entries_[type]; }
  [[nodiscard]] constexpr int& operator[](std::size_t type) { return entries_[type]; }
  [[nodiscard]] constexpr const int* begin() const { return entries_.data(); }
  [[nodiscard]] constexpr const int* end() const { return entries_.data() + size_; }

  /// Throws agon::Error when there are kMaxTypes entries already.
  void push_back(int entry);

  /// Unused places are always zero, so comparing everything compares the entries.
  friend constexpr auto operator<=>(const Amounts&, const Amounts&) = default;

 private:
  std::array<int, kMaxTypes> entries_{};
  std::uint8_t size_ = 0;
};

/// Sum of `amounts[i] * values[i]`. Both have the same size.
[[nodiscard]] std::int64_t worth(const Amounts& amounts, const Amounts& values);

/// Sum of the entries.
[[nodiscard]] std::int64_t total(const Amounts& amounts);

/// `a - b`, entry by entry. Both have the same size.
[[nodiscard]] Amounts minus(const Amounts& a, const Amounts& b);

/// The entries with commas between, such as "1,1,3".
[[nodiscard]] std::string text(const Amounts& amounts);

/// What is on the table and what it is worth to each side. Side 0 is the one that speaks first in
/// the protocol of the game (Alice); values are of one item and private to their side.
struct Instance {
  /// A name that is unique within its file.
  std::string id;
  /// Line of the source file it was read from, counted from 1; 0 when it comes from no file.
  int line = 0;
  /// Items of each type, at least 1 each.
  Amounts counts;
  /// Value of one item of each type, to either side.
  std::array<Amounts, 2> values;

  friend bool operator==(const Instance&, const Instance&) = default;
};

/// Everything that makes an instance unplayable, one plain sentence each; empty when it is valid.
/// Valid: 1 to kMaxTypes types, one count and one value a side for each, counts from 1 to
/// kMaxCount, values from 0 to kMaxValue, at most kMaxSplits splits.
[[nodiscard]] std::vector<std::string> problems(const Instance& instance);

/// Throws agon::Error (invalid) with all problems in one message, unless the instance is valid.
void require_valid(const Instance& instance, std::string_view where);

/// What the published data sets have in common (Lewis et al. 2017, section 3). The defaults are
/// theirs; only an instance that passes problems() can be checked.
struct Constraints {
  /// What everything together is worth, to either side.
  int total_value = 10;
  /// Fewest items of all types together.
  int min_items = 5;
  /// Most items of all types together.
  int max_items = 7;
  /// Is each type worth something to at least one side?
  bool each_type_wanted = true;
  /// Is there a type that is worth something to both?
  bool shared_type = true;
};

/// Does the instance keep all constraints?
[[nodiscard]] bool keeps(const Instance& instance, const Constraints& constraints = {});

/// Gives a uniform whole number below its argument, which is at least 1.
using Draw = std::function<std::uint32_t(std::uint32_t)>;

/// What to draw. The defaults are those of the published instances (OpenSpiel's bargaining game).
struct GeneratorOptions {
  /// Number of item types, 1 to kMaxTypes.
  std::size_t types = 3;
  /// A count is uniform from 1 to this.
  int largest_count = 7;
  /// A value is uniform from 0 to this.
  int largest_value = 10;
  /// What every instance keeps.
  Constraints constraints;
  /// How many values or counts may be thrown away for one instance before giving up.
  std::uint64_t redraws = 20'000'000;
};

/// Draws `how_many` different instances: counts until the number of items is right, then values,
/// and all over again until every constraint is kept and the instance is new. Ids are `prefix` and
/// the position from 1, as in "made-001"; all have as many digits as the last one. The same draws
/// give the same instances everywhere. Throws agon::Error when the options are out of range or
/// nothing new is found in `redraws` attempts.
[[nodiscard]] std::vector<Instance> generate_instances(const Draw& draw, std::size_t how_many,
                                                       std::string_view prefix,
                                                       const GeneratorOptions& options = {});

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

/// Scores of two sides or seats, undiscounted.
using Scores = std::array<std::int64_t, 2>;

/// What either side's part is worth to it.
[[nodiscard]] Scores scores(const Instance& instance, const Split& split);

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
  Scores scores{};
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
  Scores own_best{};
  /// The most for either side with the other strictly better off than without a deal; 0 when the
  /// other side can never be.
  Scores own_best_with_gain{};
  /// The most for either side in an envy-free split, if there is one.
  std::array<std::optional<std::int64_t>, 2> own_best_envy_free;
};

/// Computes them all. The instance is valid.
[[nodiscard]] Yardsticks yardsticks(const Instance& instance);

}  // namespace deal_or_no_deal
