#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/resampling.hpp"

namespace agon::stats {

/// A player's skill as TrueSkill sees it: a normal belief. Its sigma says how far the updates have
/// settled, given the model; it is not the error of an estimate and never makes an interval.
struct Rating {
  double mu = 25;
  double sigma = 25.0 / 3;
};

/// Constants of TrueSkill, at their published defaults.
struct TrueSkillOptions {
  Rating start = {};              ///< belief about a player without a match
  double beta = 25.0 / 6;         ///< standard deviation of a performance around the skill
  double tau = 25.0 / 300;        ///< standard deviation added to a skill before each match
  double draw_probability = 0.1;  ///< chance that two equal players tie, in [0, 1)
};

/// One match's update of n players, everyone for themselves: `scores[i]` is what the player with
/// `ratings[i]` got, higher is better, equal is a tie. Returns the new ratings in the same order.
///
/// Expectation propagation on the factor graph of Herbrich, Minka and Graepel ("TrueSkill: a
/// Bayesian skill rating system", NIPS 19, 2007), run to convergence. Tied neighbours in the
/// finishing order meet in the order given, so that with three or more tied the sigmas can differ
/// in the third decimal: the chain of the published model does that. Throws agon::Error for fewer
/// than two players, for lists of different length, and for constants out of range.
[[nodiscard]] AGON_API std::vector<Rating> trueskill_update(std::span<const Rating> ratings,
                                                            std::span<const double> scores,
                                                            const TrueSkillOptions& options = {});

/// How ratings over blocks are computed.
struct TrueSkillOverBlocksOptions {
  TrueSkillOptions constants = {};
  std::size_t orders = 100;  ///< shuffled block orders that the full-data rating averages
  /// Shuffled orders averaged in each resample. Fewer than `orders` costs less and tends to widen
  /// the intervals, as some chance of the order stays in them.
  std::size_t orders_in_resample = 4;
  IntervalOptions bootstrap = {.resamples = 399};
};

/// One agent's rating over all blocks.
struct AgentRating {
  std::string agent;
  double mu = 0;         ///< mean over block orders
  double sigma = 0;      ///< mean over block orders; not an error of mu
  double mu_spread = 0;  ///< standard deviation of mu over block orders: the chance of the order
  /// mu minus the reference's. The interval runs between the quantiles of the refits, the standard
  /// error is their standard deviation. Undefined for the reference.
  Estimate difference;
};

/// Ratings of everyone who met somebody else.
struct TrueSkillRatings {
  std::vector<AgentRating> agents;  ///< in alphabetical order
  std::size_t matches = 0;          ///< matches used
  std::size_t left_out = 0;         ///< matches with an agent in several seats, or with one seat
};

/// Ratings do not commute over matches; so they are computed for `orders` random orders of the
/// blocks (the matches of a block keep their order) and averaged. Intervals on the difference to
/// the reference come from repeating that in every resample over blocks, stratified by game; a
/// block drawn twice is played twice. Matches in which an agent fills several seats are left out:
/// the model has no place for them. Throws agon::Error if `reference` has no match.
[[nodiscard]] AGON_API TrueSkillRatings
trueskill_over_blocks(std::span<const MatchRanking> matches, const std::string& reference,
                      const TrueSkillOverBlocksOptions& options);

}  // namespace agon::stats
