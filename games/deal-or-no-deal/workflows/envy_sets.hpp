#pragma once

#include <optional>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

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
  std::vector<Amounts> pool_;  ///< E, then G
  EnvySets sets_;
  std::optional<Amounts> own_;
  std::optional<Amounts> offered_;
  std::vector<Amounts> proposed_;  ///< by this side, oldest first
  std::vector<Amounts> offers_;    ///< what the other side's proposals leave to this one
};

/// n / d in hundredths, halves to the even one. d > 0, n >= 0.
[[nodiscard]] Hundredths hundredths(std::int64_t n, std::int64_t d);

}  // namespace deal_or_no_deal
