#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/estimate.hpp"
#include "stats/resampling.hpp"

namespace agon::stats {

/// Settings of a fit test.
struct ModelFitOptions {
  double ridge = 0.01;      ///< of the strengths, as in StrengthOptions
  std::size_t flips = 999;  ///< drawn patterns of signs
  std::uint64_t seed = 20261120;
};

/// What two agents did against each other, and what their strengths say.
struct PairFit {
  std::string agent;
  std::string opponent;
  double meetings = 0;  ///< times that one was placed before the other, or level with it
  double observed = 0;  ///< share of them in which `agent` was; level counts half
  double expected = 0;  ///< the same by the fitted model
  /// Observed minus expected, over its error if all matches were independent.
  double residual = 0;
  std::optional<double> p_value;  ///< adjusted for all pairs
};

/// The same pair, told of the other agent.
[[nodiscard]] PairFit turned(PairFit pair);

/// Three agents of whom each does better against the next than the strengths say.
struct TripleFit {
  std::vector<PairFit> steps;  ///< first against second, second against third, third against first
  /// By how much the log odds around the circle exceed 0, which they would add up to.
  double excess = 0;
  double residual = 0;            ///< that over its error if all matches were independent
  bool cycle = false;             ///< each wins more than half against the next
  std::optional<double> p_value;  ///< adjusted for all triples
};

/// Whether one strength for each agent describes who beats whom.
struct ModelFit {
  std::vector<PairFit> pairs;       ///< the one that deviates most first
  std::optional<TripleFit> triple;  ///< the one that deviates most; none if no three agents met
  double statistic = 0;             ///< sum of the squared residuals of pairs
  std::size_t cycles = 0;           ///< independent circles of pairs: what could deviate
  std::optional<double> p_value;
  /// The part of the squared log odds of pairs, weighted by their information, that no differences
  /// of strengths can make: 0 if the strengths say all, 1 if they say nothing.
  std::optional<double> cyclic_share;
  std::optional<double> cyclic_share_by_chance;  ///< its mean over the flips, as if the model held
  std::size_t units = 0;
  std::size_t flips = 0;
  Note note = Note::undefined;
};

/// Tests the fit of Bradley-Terry with ties (two seats) and of Plackett-Luce (more) at the pairs.
///
/// For every pair, the residual is summed over all choices of a next group in which one of the two
/// is placed while both are left: who of them it was (both: half), minus what the fitted model says
/// given that. With two seats these are the matches; without ties it is the order of the two
/// against p_i / (p_i + p_j). The statistic is the sum of squared residuals over their
/// model variances: Pearson's, the score test against a model with odds of its own for every pair.
///
/// Its null distribution comes from flipping the signs of the units' effective scores, so that
/// matches of a block may depend in any way: Hemerik, Goeman and Finos, "Robust testing in
/// generalized linear models by sign flipping score contributions", JRSS-B 82 (2020). With more
/// than 256 units neighbours are flipped together.
///
/// Matches with a single agent in all seats are left out; a match has at most 12 seats.
[[nodiscard]] AGON_API ModelFit model_fit(std::span<const MatchRanking> matches,
                                          const ModelFitOptions& options);

}  // namespace agon::stats
