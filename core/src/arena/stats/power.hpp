#pragma once

#include <agon/export.hpp>
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
  double gain = 0;      ///< the least gain that is found with the chance asked for
  double loss = 0;      ///< the least loss, as a positive number
  bool skewed = false;  ///< the pilot is more skewed than chance: what it tells is less sure
};

struct PowerOptions {
  double level = 0.95;  ///< of the study's intervals
  double chance = 0.8;  ///< of finding the effect
  std::size_t studies = 999;
  std::uint64_t seed = 20261120;
};

/// What a study would find, from the intervals of simulated studies. Each draws the pilot's units
/// with replacement, and times the pilot's deviation over that of two thirds as many drawn units,
/// as the pilot leaves open how far its population spreads. Absent under `kFewestUnits` units of
/// the pilot or of the study in any game, and where nothing varies.
[[nodiscard]] AGON_API std::optional<DetectableEffect> detectable_effect(
    const std::vector<PilotGame>& games, const PowerOptions& options);

}  // namespace agon::stats
