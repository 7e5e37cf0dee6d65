#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/resampling.hpp"

namespace agon::stats {

/// Systems of linear equations with one symmetric positive definite matrix, by its Cholesky factor.
class PositiveDefinite {
 public:
  /// `a` row by row; only its lower half is read.
  PositiveDefinite(std::vector<double> a, std::size_t size);

  /// Turns the right side into the solution.
  void solve(std::span<double> b) const;

 private:
  std::size_t size_;
  std::vector<double> factor_;
};

/// The likelihood of the Davidson-Luce model, an exponential family: what a set of matches says is
/// held in three lists of counts that add up over matches.
class DavidsonLuce {
 public:
  /// Counts of some matches.
  struct Counts {
    std::vector<double> shares;   ///< by agent: 1/|S| for every placed group S that it is in
    std::vector<double> orders;   ///< by size of the placed group minus 1
    std::vector<double> choices;  ///< by kind of choice: how often it was made

    /// Adds `times` times the other's counts.
    void add(const Counts& other, double times);
  };

  /// A fitted model.
  struct Fit {
    std::vector<double> theta;    ///< log strengths, mean 0
    std::vector<double> log_tie;  ///< by size of the tied group minus 2; only where seen
    double log_likelihood = 0;    ///< without the ridge
  };

  DavidsonLuce(std::size_t agents, double ridge) : agents_(agents), ridge_(ridge) {}

  /// Takes up a match: groups of tied agents, best first. Returns the kinds of choice made (places
  /// in Counts::choices); the last one left is no choice.
  std::vector<std::size_t> learn(const std::vector<std::vector<std::size_t>>& groups);

  /// To be called once, when every match has been learnt: lists the outcomes of every choice.
  void finish();

  /// Empty counts of the right size.
  [[nodiscard]] Counts no_counts() const;

  /// Counts of one match, from its groups and what learn() returned for it.
  void count(const std::vector<std::vector<std::size_t>>& groups,
             std::span<const std::size_t> choices, Counts& counts) const;

  /// The strengths that maximise log likelihood minus ridge, by Newton's method with step halving,
  /// from `start` (zeros if empty).
  [[nodiscard]] Fit fit(const Counts& counts, const Fit& start) const;

  /// A group that may be placed next.
  struct Placing {
    double probability = 0;
    std::size_t order = 1;       ///< size of the group
    std::vector<double> shares;  ///< by place in members(): its seats in the group, out of `order`
  };

  /// How many kinds of choice there are.
  [[nodiscard]] std::size_t kinds() const { return choices_.size(); }
  /// The different agents that a choice of this kind is among, lowest first.
  [[nodiscard]] const std::vector<std::size_t>& members(std::size_t kind) const {
    return choices_[kind].agents;
  }
  /// What can come of a choice of this kind, under a model fitted to everything that was learnt.
  [[nodiscard]] std::vector<Placing> placings(std::size_t kind, const Fit& fit) const;

  /// Size of the largest tie seen; 1 without ties.
  [[nodiscard]] std::size_t largest_tie() const { return seen_order_.size(); }

 private:
  /// A group that may come next, as part of the exponent: ways * exp(parts . theta) * delta_order.
  struct Alternative {
    double log_ways = 0;         ///< several seats of one agent: as many such groups
    std::size_t order = 1;       ///< size of the group
    std::vector<double> shares;  ///< by agent of the choice: its part in the geometric mean
  };
  struct ChoiceSet {
    std::vector<std::size_t> agents;  ///< different agents not yet placed
    std::vector<std::size_t> copies;  ///< seats of each
    std::vector<Alternative> outcomes;
  };
  struct Slope;
  struct ChoiceMoments;

  void weigh(const ChoiceSet& choice, const Counts& counts, const std::vector<double>& at,
             ChoiceMoments& sums) const;
  double evaluate(const Counts& counts, const std::vector<double>& at, Slope* slope) const;

  std::size_t agents_;
  double ridge_;
  std::map<std::vector<std::size_t>, std::size_t> known_;  ///< sorted agents to place in choices_
  std::vector<ChoiceSet> choices_;
  std::vector<bool> seen_order_ = {true};  ///< by size of the group minus 1
};

/// Settings of a strength model.
struct StrengthOptions {
  IntervalOptions bootstrap = {};
  /// The log likelihood is reduced by ridge/2 times the sum of squared log strengths and squared
  /// log tie parameters: about the weight of a hundredth of a match. It keeps an agent that won or
  /// lost everything at a finite strength. Must be positive.
  double ridge = 0.01;
};

/// One agent's strength.
struct Strength {
  std::string agent;
  double log_strength = 0;     ///< the mean over all agents is 0
  std::size_t component = 0;   ///< agents of one component are linked by matches
  std::optional<double> rank;  ///< average rank, 1 is best; absent unless all agents are linked
  /// Log strength minus the reference's. The interval runs between the quantiles of the refits, the
  /// standard error is their standard deviation. Absent for the reference.
  Estimate difference;
};

/// A strength model fitted to matches.
struct Strengths {
  std::vector<Strength> agents;     ///< in alphabetical order
  std::vector<double> tie;          ///< tie parameter for 2, 3, ... tied; 0: no such tie was seen
  double log_likelihood = 0;        ///< without the ridge
  std::size_t matches = 0;          ///< matches used
  std::size_t left_out = 0;         ///< matches with a single agent in all seats: no comparison
  std::size_t components = 0;       ///< groups of agents that no match links; 1 is connected
  bool strongly_connected = false;  ///< each agent finished, through others, above and below each
  std::size_t degenerate = 0;       ///< resamples that were not strongly connected: their refit
                                    ///< exists only because of the ridge; they are counted in
};

/// Bradley-Terry strengths with ties after Davidson ("On extending the Bradley-Terry model to
/// accommodate ties in paired comparison experiments", JASA 65, 1970): i beats j with probability
/// p_i / Z and they tie with probability nu sqrt(p_i p_j) / Z, Z = p_i + p_j + nu sqrt(p_i p_j).
/// Davidson's form, and not Rao and Kupper's, because it is an exponential family (a tie counts as
/// half a win for each, the log likelihood is concave) and because it extends to more seats.
///
/// The estimate comes from all the data; intervals from a refit in every resample over blocks,
/// stratified by game. Throws agon::Error for a match with other than two seats, and if `reference`
/// has no match.
[[nodiscard]] AGON_API Strengths bradley_terry(std::span<const MatchRanking> matches,
                                               const std::string& reference,
                                               const StrengthOptions& options);

/// Plackett-Luce strengths with ties for any number of seats, in the form of the Davidson-Luce
/// model (Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties", 2019;
/// Turner and others, "Modelling rankings in R: the PlackettLuce package", Computational Statistics
/// 35, 2020): from those not yet placed, the tied group S comes next with probability proportional
/// to delta_|S| times the geometric mean of its strengths, delta_1 = 1. With two seats this is
/// Davidson's model. Groups larger than any tie seen are given no probability. An agent in several
/// seats counts as several items of one strength.
///
/// The rest is as for bradley_terry; a match may have at most 12 seats.
[[nodiscard]] AGON_API Strengths plackett_luce(std::span<const MatchRanking> matches,
                                               const std::string& reference,
                                               const StrengthOptions& options);

}  // namespace agon::stats
