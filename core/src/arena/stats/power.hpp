#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "stats/contrast.hpp"
#include "stats/estimate.hpp"

namespace agon::stats {

/// One game of a pilot, and how much of it a study plays.
struct PilotGame {
  Cell cell;              ///< what the pilot has of the contrast
  double weight = 1;      ///< of the game in the contrast
  std::size_t units = 0;  ///< independent units of the study
  double noise = 1;  ///< variance of a study's unit over that of the pilot's: more repeats, less
};

/// The true values that a study finds: its interval leaves out 0 on the right side.
struct DetectableEffect {
  double gain = 0;  ///< the least gain that is found with the chance asked for
  double loss = 0;  ///< the least loss, as a positive number
};

struct PowerOptions {
  double level = 0.95;  ///< of the study's intervals
  double chance = 0.8;  ///< of finding the effect
  std::size_t studies = 999;
  std::uint64_t seed = 20261120;
};

/// What a study would find, from the intervals of simulated studies, each from a population of its
/// own, as the pilot leaves open which one it is: the pilot's spread over a chi-squared draw whose
/// degrees of freedom follow from its kurtosis, and its units as they are; a pilot that is more
/// skewed than normal ones are gives a gamma distribution of its skewness, corrected for the size
/// of the pilot. Absent under `kFewestUnits` units of the pilot or of the study in any game, and
/// where nothing varies.
[[nodiscard]] std::optional<DetectableEffect> detectable_effect(const std::vector<PilotGame>& games,
                                                                const PowerOptions& options);

}  // namespace agon::stats
