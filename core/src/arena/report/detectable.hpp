#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/results.hpp"
#include "stats/score_table.hpp"

namespace agon::report {

/// What a suite is going to play, as far as its power goes.
struct PlannedStudy {
  struct StudyScenario {
    std::string name;
    std::string game;
    std::uint64_t blocks = 0;
    std::uint64_t repeats = 1;
    std::string draws{};  ///< whose random draws it has; empty: its own
  };
  std::vector<StudyScenario> scenarios;
  std::vector<std::string> agents;
  std::string against;  ///< the reference agent; empty: nothing is compared
  double level = 0.95;
  std::optional<double> effect{};  ///< how much is to be played to find this one
  stats::Aggregate aggregate = stats::Aggregate::mean;  ///< of what is over all games
};

/// Where the variance of a comparison comes from, as shares of it; by the pilot.
struct Components {
  /// Of the two agents' own variances: what both owe to the chance of a block. Pairing takes it
  /// out.
  double common_random_numbers = 0;
  /// Chance within a match, models' sampling among it: what more repeats bring down. Absent where
  /// the pilot has single ones.
  std::optional<double> repeats;
  /// The rest: the agents do better or worse on different blocks. Only more blocks bring it down.
  double agent_by_block = 1;
};

/// No scenario of a suite can have more blocks.
inline constexpr double most_blocks = 1e9;

/// How much is to be played to find an effect.
struct Needed {
  double blocks = 0;          ///< times those of the suite; infinite: more than most_blocks
  std::uint64_t repeats = 1;  ///< of each block
  double matches = 0;         ///< times those of the suite
};

/// The effect that a comparison can detect.
struct Detectable {
  std::string what;      ///< "scenario", "headline", "factor"
  std::string scenario;  ///< its name; or the factors' term; empty for the headline
  std::string agent;     ///< for a factor the family
  std::string against;   ///< for a factor the level that stands first, or empty
  double gain = 0;       ///< on the normalised score
  double loss = 0;
  std::uint64_t blocks = 0;     ///< of the suite, over all games
  std::size_t pilot_units = 0;  ///< independent blocks of the pilot that all agents have
  Components components;
  std::vector<Needed>
      needed;  ///< for the study's effect: as many repeats as the suite has, and twice
};

/// What a pilot tells of a study, and why it does not tell the rest.
struct Power {
  std::vector<Detectable> effects;
  std::vector<std::string> notes;
};

/// The effects that have a chance of 80% to be found at the study's level
/// (stats::detectable_effect) in each scenario, over all games and for factors. By the same blocks,
/// treatments, items and fault policy as the report; each comparison by itself, without the
/// correction for several.
[[nodiscard]] AGON_API Power detectable_effects(const PlannedStudy& study, const Results& pilot);

}  // namespace agon::report
