#pragma once

#include <agon/export.hpp>
#include <agon/random.hpp>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "design/seats.hpp"
#include "text/hash.hpp"

namespace agon::design {

/// A named factor and how many levels it has.
struct TreatmentFactor {
  std::string name;
  int levels = 1;
};

/// The full crossing of factors. The order is that of counting: the factors keep the order in which
/// they were given and the last one changes first. Without factors there is one, empty, treatment.
/// Nothing is listed in advance.
class AGON_API Treatments {
 public:
  Treatments() = default;

  /// Throws Error if a factor has no name or no level, if two have the same name, or beyond 64
  /// bits.
  explicit Treatments(std::vector<TreatmentFactor> factors);

  /// The factors, as given.
  [[nodiscard]] const std::vector<TreatmentFactor>& factors() const { return factors_; }
  /// The product of the numbers of levels.
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The level of every factor, counted from 0; throws Error unless i < size().
  [[nodiscard]] std::vector<int> levels(std::uint64_t i) const;
  /// The inverse of levels(); throws Error for a wrong number of levels or a level out of range.
  [[nodiscard]] std::uint64_t index(const std::vector<int>& levels) const;

 private:
  std::vector<TreatmentFactor> factors_;
  std::uint64_t size_ = 1;
};

/// The most items that are put in order at once (memory: about 32 bytes an item while it is done).
inline constexpr std::uint64_t kMostInOrder = 100'000'000;

/// 0 .. count - 1 in an order drawn evenly from all orders (Fisher-Yates). Throws
/// Error above kMostInOrder.
[[nodiscard]] AGON_API std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed);

/// One place in a merged order: an item of a list.
struct OrderItem {
  std::uint32_t list = 0;
  std::uint64_t item = 0;

  friend bool operator==(const OrderItem&, const OrderItem&) = default;
};

/// Merges lists of the given sizes so that all advance at the same rate, in a random pattern: item
/// j of a list of m comes at a random time between j/m and (j+1)/m. Each list keeps its order, and
/// wherever the work is cut off, lists of equal size differ by at most one item. Throws Error above
/// kMostInOrder items.
[[nodiscard]] AGON_API std::vector<OrderItem> riffled(std::span<const std::uint64_t> sizes,
                                                      std::uint64_t seed);

/// 0 .. group.size() - 1, where group[i] says to which group item i belongs (0, 1, ... without
/// large gaps): shuffled within each group, and the groups riffled. Throws Error
/// above kMostInOrder items.
[[nodiscard]] AGON_API std::vector<std::uint64_t> interleaved(std::span<const std::uint32_t> group,
                                                              std::uint64_t seed);

/// One match of a plan, by numbers that count from 0.
struct PlannedMatch {
  std::uint64_t block = 0;
  std::uint64_t repeat = 0;
  std::uint64_t treatment = 0;
  std::uint64_t line_up = 0;
  std::uint64_t assignment = 0;           ///< within the line-up's Seating
  std::vector<int> agents;                ///< the agent on every seat
  int focal = -1;                         ///< the focal agent of the line-up, -1 if there is none
  std::optional<std::uint64_t> branch{};  ///< which of the scenario's branches it is

  friend bool operator==(const PlannedMatch&, const PlannedMatch&) = default;
};

/// All matches of one scenario: blocks x repeats x treatments x line-ups x assignments, addressed
/// by number and made when asked for. The number counts with the assignment changing first, then
/// the line-up, the treatment, the repeat and the block: further blocks only add to the end.
class AGON_API MatchPlan {
 public:
  /// Throws Error if there is no line-up, if a count is 0, or beyond 64 bits.
  MatchPlan(std::vector<Seating> line_ups, std::uint64_t blocks, std::uint64_t repeats = 1,
            std::uint64_t treatments = 1);
  /// Exactly these matches, of these line-ups and treatments: those of a block follow one another,
  /// and blocks may differ in size. Throws Error without any.
  MatchPlan(std::vector<Seating> line_ups, std::vector<PlannedMatch> matches,
            std::uint64_t treatments);

  [[nodiscard]] const std::vector<Seating>& line_ups() const { return line_ups_; }
  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
  [[nodiscard]] std::uint64_t repeats() const { return repeats_; }
  [[nodiscard]] std::uint64_t treatments() const { return treatments_; }
  /// Whether the matches are listed one by one: then there are no rounds.
  [[nodiscard]] bool is_listed() const { return !listed_.empty(); }
  /// The number of matches in one block and repeat: treatments x assignments of every line-up.
  [[nodiscard]] std::uint64_t round_size() const { return treatments_ * ends_.back(); }
  /// The number of matches in one block.
  [[nodiscard]] std::uint64_t block_size() const { return repeats_ * round_size(); }
  /// The first match of a block, by its place in the plan; of none: the number of matches.
  [[nodiscard]] std::uint64_t begin_of(std::uint64_t block) const {
    return is_listed() ? begins_[block] : block * block_size();
  }
  /// The place of a match's block in the plan.
  [[nodiscard]] std::uint64_t block_of(std::uint64_t match) const;
  /// The number of matches.
  [[nodiscard]] std::uint64_t size() const { return begin_of(blocks_); }
  /// Match number i; throws Error unless i < size().
  [[nodiscard]] PlannedMatch match(std::uint64_t i) const;

 private:
  std::vector<Seating> line_ups_;
  std::vector<std::uint64_t> ends_;  // by line-up: assignments up to and with it
  std::uint64_t blocks_;
  std::uint64_t repeats_;
  std::uint64_t treatments_;
  std::vector<PlannedMatch> listed_;   // empty: all of them
  std::vector<std::uint64_t> begins_;  // by block of those that are listed, and where the last ends
};

/// Every `step`-th block of a plan, from `first`.
struct BlockSteps {
  std::uint64_t first = 0;
  std::uint64_t step = 1;
};

/// The order in which to play a plan, or some of its blocks, round by round. A round is one repeat
/// of one block: all blocks come in shuffled order, then all of them again for the next repeat.
/// Within a round, treatments and line-ups are interleaved and the assignments of each are
/// shuffled. So time of day and a drifting model meet all agents alike, and a run that is cut off
/// has whole blocks, as many as possible, for paired comparisons. Memory: 8 bytes a round and 4 a
/// match of one round.
class ExecutionOrder {
 public:
  /// The same plan, seed and blocks give the same order on every machine. Throws Error above
  /// kMostInOrder rounds, or matches in a round.
  AGON_API ExecutionOrder(const MatchPlan& plan, std::uint64_t seed, BlockSteps part = {});

  /// The number of rounds: blocks of the part x repeats.
  [[nodiscard]] std::uint64_t rounds() const { return starts_.size(); }
  /// The match numbers of round number k in the order of play; throws Error unless k < rounds().
  [[nodiscard]] AGON_API std::vector<std::uint64_t> round(std::uint64_t k) const;
  /// The block that comes at a place, counted from 0, in the order of the first repeat.
  [[nodiscard]] std::uint64_t block_at(std::uint64_t place) const;
  /// The matches of all repeats of the block that comes at a place, counted from 0, in the order of
  /// play; throws Error unless there is such a place.
  [[nodiscard]] std::vector<std::uint64_t> block(std::uint64_t place) const;
  /// All rounds in one list, 8 bytes a match.
  [[nodiscard]] AGON_API std::vector<std::uint64_t> flat() const;

 private:
  [[nodiscard]] std::vector<std::uint64_t> round_from(std::uint64_t start) const;
  void order_listed(const MatchPlan& plan, BlockSteps part);

  std::uint64_t seed_;
  std::uint64_t repeats_;
  std::vector<std::uint64_t> starts_;  // by round: its first match number
  std::vector<std::uint32_t> group_;   // by place in a round: treatment and line-up, as one number
  std::vector<std::uint64_t> sizes_;   // by round, where matches are listed; else empty
};

}  // namespace agon::design

namespace agon {

/// The key of a match's chance: the same for every treatment, assignment and repeat of a block.
inline std::uint64_t stream_key(std::uint64_t suite_seed, std::string_view scenario,
                                std::uint64_t block, std::uint64_t position) {
  const std::uint64_t key = combine(combine(mix(suite_seed), hash_of(scenario)), block);
  return position == 0 ? key : combine(key, position);
}

/// The key of an agent's own dice: of block, repeat, agent spec and seat.
inline std::uint64_t dice_key(std::uint64_t luck, std::uint64_t repeat, const hash::Digest& agent,
                              std::uint64_t seat) {
  std::uint64_t spec = 0;
  for (std::size_t i = 0; i < 8; ++i) spec = spec << 8 | agent[i];
  return combine(combine(combine(luck, repeat), spec), seat + 1);
}

}  // namespace agon
