#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// The most valuations that a prior may have.
inline constexpr std::size_t kMaxValuations = 200'000;

/// Every way to value the items in whole numbers from 0 so that everything together is worth
/// exactly `total_value`; ascending, the first type slowest. What a side believes of the other
/// before it has heard a word (Hua et al. 2024, section 5.2). Throws agon::Error when there are
/// more than kMaxValuations or a count is not positive.
[[nodiscard]] std::vector<Amounts> valuations(const Amounts& counts, int total_value = 10);

/// The envy-free splits with the highest joint score between somebody who values things at `own`
/// and somebody who values them at `other`, as positions in all_splits(counts) with `own` as side
/// 0, ascending. Empty when no split is envy-free.
[[nodiscard]] std::vector<std::size_t> optimal_splits(const Amounts& counts, const Amounts& own,
                                                      const Amounts& other);

/// The candidates that somebody with values `own` need not tell from `truth`: those whose optimal
/// splits are all optimal for `truth` as well (Hua et al. 2024, section 5.5). A candidate that has
/// no envy-free split at all leads to no split, so it is left out, although the empty set is a
/// subset of any. Keeps the order of `candidates`.
[[nodiscard]] std::vector<Amounts> indistinguishable(const Amounts& counts, const Amounts& own,
                                                     const Amounts& truth,
                                                     std::span<const Amounts> candidates);

/// How good an estimate of the other side's valuation is. The names are those of the paper (section
/// 5.5), which swaps the usual meaning of precision and recall.
struct EstimateQuality {
  /// 1 when the estimate holds an acceptable valuation, else 0.
  double precision = 0;
  /// Share of the estimate that is acceptable; 0 for an empty estimate.
  double recall = 0;
  /// Share of the prior that has been ruled out.
  double reduction = 0;
};

/// Compares an estimate (a set: no duplicates) with the acceptable valuations, which are the true
/// one alone or indistinguishable(). `prior_size` is above 0.
[[nodiscard]] EstimateQuality judge_estimate(std::span<const Amounts> estimate,
                                             std::span<const Amounts> acceptable,
                                             std::size_t prior_size);

}  // namespace deal_or_no_deal
