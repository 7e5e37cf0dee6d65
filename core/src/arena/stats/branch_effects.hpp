#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "stats/estimate.hpp"

namespace agon::stats {

/// A difference between a branch and its parent, and the parent's number: what branches of one
/// match have in common is no independent news.
struct ClusteredValue {
  std::size_t cluster = 0;
  double value = 0;
};

/// The mean of all values, with the error that sums over clusters show.
[[nodiscard]] AGON_API Estimate clustered_mean(std::span<const ClusteredValue> values,
                                               const IntervalOptions& options);

/// What was chosen as the best of several, and by how much it is better than another, on units that
/// had no part in the choice: so the choice of a maximum does not bias the estimate.
struct BestOfHalves {
  std::size_t best = 0;  ///< number of the choice, by all units
  Estimate gain{};       ///< over the base, of what the other half of the units chose
  bool is_base = false;  ///< nothing looked better than the base
};

/// `values`: by choice and unit, of equal length. The best is found on the units with an even
/// number, and its gain over the choice `base` estimated on the others, and the other way round;
/// the mean of both is at most the best choice's gain in expectation. Of equal choices the first
/// counts, and the base before all.
[[nodiscard]] AGON_API BestOfHalves best_of_halves(const std::vector<std::vector<double>>& values,
                                                   std::size_t base,
                                                   const IntervalOptions& options);

/// A unit's part of a ratio: the pie of a mean is 1, and 0 says nothing.
struct GainAndPie {
  double gain = 0;
  double pie = 0;
};

/// A figure over units of a study, such as blocks, and what control agents got there and in many
/// more units of the same kind, which the study did not play.
struct ControlledTerm {
  double weight = 1;
  std::vector<GainAndPie> study;                  ///< by unit
  std::vector<std::vector<GainAndPie>> controls;  ///< by control agent and unit of the study
  std::vector<std::vector<GainAndPie>> beyond;    ///< by control agent and further unit
};

/// A figure with and without what control agents explain of it.
struct ControlledEstimate {
  Estimate plain{};
  Estimate controlled{};
  /// The share of units that a study with controls can do without for the error of one without;
  /// below 0 where controls only add noise. Absent without both errors.
  std::optional<double> saved{};
};

/// Control variates. With R the study's ratio, C_k that of control k on the same units and M_k that
/// on the further ones, the estimate is R - sum_k b_k (C_k - M_k). The slopes b_k that a unit is
/// counted with are fitted on the other units, so for means (pies of 1) the estimate is unbiased
/// for any number of units; the error of M_k is part of the interval. Terms share the units.
/// AIVAT's idea (Burch and others, AAAI 2018) with played agents for the value function.
[[nodiscard]] AGON_API ControlledEstimate controlled(std::span<const ControlledTerm> terms,
                                                     const IntervalOptions& options);

}  // namespace agon::stats
