#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

  /// Believes that the other side has these values; nothing changes if they are no candidate.
  void believe(const Amounts& values);

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

/// Why the other side may have turned a proposal down, as sets of valuations that it may have. Both
/// empty: nothing is known, and every valuation of the prior is possible.
struct EnvySets {
  std::vector<Amounts> envious;  ///< it would have envied: the set E
  std::vector<Amounts> greedy;   ///< it could live with it, and wants more: the set G

  [[nodiscard]] bool known() const { return !envious.empty() || !greedy.empty(); }
};

/// Shares, probabilities and means are whole hundredths, as the published code rounds them; halves
/// go to the even one.
using Hundredths = std::int64_t;

/// A way to split, as one side weighs it.
struct SplitOption {
  Amounts take;               ///< what this side would take
  std::int64_t score = 0;     ///< what that is worth to it
  Hundredths acceptance = 0;  ///< how likely the other side is to take the rest
  int refused = 0;            ///< how often this side has proposed it already
};

/// A proposal before it is sent, as one side weighs it.
struct Weighed {
  std::int64_t score = 0;        ///< worth of the own part
  std::int64_t their_score = 0;  ///< worth of the other's part, by the own values
  bool envies = false;           ///< the second is above the first
  /// What the other side's part is worth to it on average, if it is as in E or as in G.
  std::optional<Hundredths> expected_if_envious, expected_if_greedy;
  /// How likely the other side is to envy then.
  std::optional<Hundredths> envy_if_envious, envy_if_greedy;
};

/// What the other side's refusals tell a side about its values: the set filters of the published
/// code (Hua et al. 2024), without weights and without chance. All takes lie within the counts.
class EnvyFilter {
 public:
  /// Throws agon::Error for counts without a prior or splits, and for more than kMaxBeliefSize
  /// pairs of them.
  EnvyFilter(const Amounts& counts, const Amounts& own_values, int total_value);

  /// The other side has stated these values, before anything was proposed. `checks`: until what it
  /// does does not fit them.
  void believe(const Amounts& values, bool checks);
  /// This side proposed to take that.
  void propose(const Amounts& take);
  /// The other side has spoken: `take` is what it would take, nothing if it proposed nothing now.
  void hear(const std::optional<Amounts>& take);

  [[nodiscard]] const std::vector<Amounts>& prior() const { return prior_; }
  [[nodiscard]] const EnvySets& sets() const { return sets_; }
  /// E and G together, in that order; the prior while nothing is known.
  [[nodiscard]] const std::vector<Amounts>& possible() const;
  /// What this side proposed last, and what it would take by the other's last proposal.
  [[nodiscard]] const std::optional<Amounts>& own() const { return own_; }
  [[nodiscard]] const std::optional<Amounts>& offered() const { return offered_; }
  /// |E| and |G| over both; 0 while nothing is known.
  [[nodiscard]] Hundredths envy_share() const;
  [[nodiscard]] Hundredths greed_share() const;

  /// How often this side has proposed to take that; 0 if the other side has proposed the same.
  [[nodiscard]] int refused(const Amounts& take) const;
  /// Share of the possible valuations that would not envy if this side took that.
  [[nodiscard]] Hundredths envy_free(const Amounts& take) const;
  /// The same, times (1 - deteriorate_rate) for each time that it was refused.
  [[nodiscard]] Hundredths acceptance(const Amounts& take, double deteriorate_rate) const;

  [[nodiscard]] Weighed weigh(const Amounts& take) const;
  /// Splits other than `draft` without envy of this side's that are more likely to be taken than
  /// not, in the order of all_splits().
  [[nodiscard]] std::vector<SplitOption> fairer(const Amounts& draft,
                                                double deteriorate_rate) const;
  /// Splits worth more to this side than `draft`, without its envy, that may be taken at all.
  [[nodiscard]] std::vector<SplitOption> better(const Amounts& draft,
                                                double deteriorate_rate) const;

 private:
  [[nodiscard]] EnvySets filtered(const std::vector<Amounts>& pool) const;
  [[nodiscard]] Amounts rest(const Amounts& take) const { return minus(counts_, take); }
  /// Splits that this side does not envy.
  [[nodiscard]] std::vector<SplitOption> options(double deteriorate_rate) const;

  Amounts counts_;
  Amounts values_;
  std::vector<Amounts> prior_;
  std::vector<Amounts> unstated_;  ///< the prior without what was stated, while that is checked
  std::vector<Amounts> pool_;      ///< E, then G
  EnvySets sets_;
  std::optional<Amounts> own_;
  std::optional<Amounts> offered_;
  std::vector<Amounts> proposed_;  ///< by this side, oldest first
  std::vector<Amounts> offers_;    ///< what the other side's proposals leave to this one
};

/// n / d in hundredths, halves to the even one. d > 0, n >= 0.
[[nodiscard]] Hundredths hundredths(std::int64_t n, std::int64_t d);

}  // namespace deal_or_no_deal
