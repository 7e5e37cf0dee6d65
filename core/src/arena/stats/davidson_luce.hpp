#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

namespace agon::stats {

/// The likelihood of the Davidson-Luce model, an exponential family: what a set of matches says is
/// held in three lists of counts that add up over matches.
class DavidsonLuce {
 public:
  /// Counts of some matches.
  struct Counts {
    std::vector<double> shares;   ///< by agent: 1/|S| for every placed group S that it is in
    std::vector<double> orders;   ///< by size of the placed group less 1
    std::vector<double> choices;  ///< by kind of choice: how often it was made

    /// Adds `times` times the other's counts.
    void add(const Counts& other, double times);
  };

  /// A fitted model.
  struct Fit {
    std::vector<double> theta;    ///< log strengths, mean 0
    std::vector<double> log_tie;  ///< by size of the tied group less 2; only where seen
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

  /// The strengths that maximise log likelihood less ridge, by Newton's method with step halving,
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
  struct Outcome {
    double log_ways = 0;         ///< several seats of one agent: as many such groups
    std::size_t order = 1;       ///< size of the group
    std::vector<double> shares;  ///< by agent of the choice: its part in the geometric mean
  };
  struct Choice {
    std::vector<std::size_t> agents;  ///< different agents not yet placed
    std::vector<std::size_t> copies;  ///< seats of each
    std::vector<Outcome> outcomes;
  };
  struct Slope;

  double evaluate(const Counts& counts, const std::vector<double>& at, Slope* slope) const;

  std::size_t agents_;
  double ridge_;
  std::map<std::vector<std::size_t>, std::size_t> known_;  ///< sorted agents to place in choices_
  std::vector<Choice> choices_;
  std::vector<bool> seen_order_ = {true};  ///< by size of the group less 1
};

}  // namespace agon::stats
