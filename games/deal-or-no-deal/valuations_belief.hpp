#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/splits.hpp"

namespace deal_or_no_deal {

/// The most pairs of a split and a valuation that a belief weighs, so that it answers at once.
inline constexpr std::size_t kMaxBeliefSize = 50'000'000;

/// How a belief learns from a rejected proposal (Hua et al. 2024, Algorithm 1).
struct BeliefOptions {
  /// How far a belief moves to what Bayes' rule says: 0 never, 1 all the way. From 0 to 1. The
  /// paper gives no value.
  double lambda = 1;
  /// How likely greed is as the reason of a rejection, compared with envy. From 0 to 1.
  double gamma = 1;
  /// What everything together is worth to the other side.
  int total_value = 10;
};

/// What one side believes the other side's valuation to be, and what it proposes accordingly. Exact
/// over all valuations: nothing is sampled.
///
/// With lambda 1 and gamma 0 or 1 every weight stays 0 or 1, so probabilities are compared exactly.
/// Otherwise two probabilities within a relative 1e-12 of each other count as a tie.
class Belief {
 public:
  /// A uniform prior over valuations(counts, total_value). `side` is the seat of the believer,
  /// which decides only which of two equally good proposals comes first. Throws agon::Error for
  /// counts without a prior or splits, for more than kMaxBeliefSize pairs of them, for values that
  /// do not match them, and for options out of range.
  Belief(const Amounts& counts, const Amounts& own_values, std::size_t side,
         const BeliefOptions& options = {});

  /// The valuations of the prior, in the order of valuations().
  [[nodiscard]] const std::vector<Amounts>& candidates() const { return candidates_; }

  /// Probability of each candidate; they sum to 1 up to rounding.
  [[nodiscard]] std::vector<double> probabilities() const;

  /// The split to propose: the highest own score among those that may be envy-free; on a tie the
  /// most likely to be, then the first in the order of all_splits(). Nothing when no split may be.
  [[nodiscard]] std::optional<Split> proposal() const;

  /// Learns that the other side rejected the believer's proposal to take `own_part`. A candidate
  /// that would have envied gets likelihood 1; one that would not, but gets strictly more from
  /// another split that may be envy-free, gets gamma; any other 0. When that rules out everything,
  /// the belief stays as it is. `own_part` lies within the counts.
  void reject(const Amounts& own_part);

 private:
  /// The weight of the candidates with which neither side envies the other; 0 if the believer
  /// would envy.
  [[nodiscard]] double envy_free_weight(const Split& split) const;
  [[nodiscard]] const Amounts& mine(const Split& split) const { return split.parts[side_]; }
  [[nodiscard]] const Amounts& theirs(const Split& split) const { return split.parts[1 - side_]; }
  [[nodiscard]] Split split_of(const Amounts& own_part) const;
  [[nodiscard]] double total_weight() const;

  Amounts counts_;
  Amounts own_values_;
  std::size_t side_;
  BeliefOptions options_;
  std::vector<Split> splits_;
  std::vector<Amounts> candidates_;
  /// Scaled so that the largest is 1: whole numbers then stay whole.
  std::vector<double> weights_;
};

}  // namespace deal_or_no_deal
