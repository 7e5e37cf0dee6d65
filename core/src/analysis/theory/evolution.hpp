#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <vector>

namespace agon::theory {

/// How far the replicator dynamics are followed. Time runs in units in which the payoffs of the
/// game differ by at most 1.
struct ReplicatorOptions {
  double step = 0.5;
  double horizon = 2000;
  double tolerance = 1e-6;  ///< of the gap, in the range of payoffs
  double error = 1e-4;      ///< of shares: halve the step until two runs agree so well
  std::size_t halvings = 3;
};

/// Shares of actions, by population.
using Shares = std::vector<std::vector<double>>;

/// Where the dynamics end.
struct ReplicatorEnd {
  Shares shares;         ///< at the end; their mean over the second half of time if not settled
  bool settled = false;  ///< nobody can gain more than the tolerance
  double gap = 0;        ///< what the best action earns more than the mean, in the range of payoffs
  double time = 0;
  double error = 0;  ///< the largest difference of shares to a run with steps twice as long
};

/// The replicator dynamics from `start` (all shares positive): an action grows by what it earns
/// more than the mean of its population (Taylor and Jonker, Mathematical Biosciences 40, 1978). A
/// population for each player or, `symmetric`, one for all players of a game that is the same for
/// them. Shares are followed as logarithms, so that none is lost to rounding, with the classical
/// Runge-Kutta method of order four.
[[nodiscard]] AGON_API ReplicatorEnd replicate(const MatrixGame& game, bool symmetric,
                                               const Shares& start,
                                               const ReplicatorOptions& options = {});

/// Every action with the same share.
[[nodiscard]] AGON_API Shares uniform_shares(const MatrixGame& game, bool symmetric);

/// How populations of players change in alpha-rank.
struct AlphaRankOptions {
  /// Strength of selection, per unit of payoff. Nothing: the limit of strong selection.
  std::optional<double> alpha{};
  std::size_t population = 50;
  /// In the limit: the chance with which a mutant that earns less takes over, instead of 0.
  double perturbation = 1e-6;
};

/// Where a population spends its time.
struct Stationary {
  std::vector<double> mass;  ///< of every state; sums to 1
  /// The largest difference between what flows into a state and what flows out of it, in a step.
  double residual = 0;
};

/// Alpha-rank with a population for each player: the stationary distribution over the profiles of
/// the Markov chain in which a mutant of one population, which plays another action, takes over or
/// dies out. Omidshafiei and others, "alpha-rank: multi-agent evaluation by evolution", Scientific
/// Reports 9 (2019), equations 1 to 3. In the limit a better mutant takes over, one that earns the
/// same does with chance 1/population, and a worse one with chance `perturbation`.
[[nodiscard]] AGON_API Stationary alpha_rank(const MatrixGame& game,
                                             const AlphaRankOptions& options);

/// Alpha-rank with one population, of a game that is the same for all players: the distribution
/// over the actions. A mutant is compared with the others at a table where it is the only one.
[[nodiscard]] AGON_API Stationary alpha_rank_symmetric(const MatrixGame& game,
                                                       const AlphaRankOptions& options);

/// The stationary distribution of an irreducible Markov chain with these chances of going from i
/// to j (row by row; the diagonal does not count), by the algorithm of Grassmann, Taksar and Heyman
/// (Operations Research 33, 1985), which subtracts nothing and so loses no digits.
[[nodiscard]] AGON_API Stationary stationary(const std::vector<double>& chances,
                                             std::size_t states);

}  // namespace agon::theory
