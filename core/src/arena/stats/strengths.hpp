#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/match_result.hpp"

namespace agon::stats {

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
  /// Log strength less the reference's. The interval runs between the quantiles of the refits, the
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
[[nodiscard]] AGON_API Strengths bradley_terry(std::span<const MatchResult> matches,
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
[[nodiscard]] AGON_API Strengths plackett_luce(std::span<const MatchResult> matches,
                                               const std::string& reference,
                                               const StrengthOptions& options);

}  // namespace agon::stats
