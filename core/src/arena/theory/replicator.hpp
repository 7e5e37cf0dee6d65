#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/export.hpp>
#include <cstddef>
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

}  // namespace agon::theory
