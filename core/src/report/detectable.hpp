#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/results.hpp"

namespace agon::report {

/// What a suite is going to play, as far as its power goes.
struct Study {
  struct Scenario {
    std::string name;
    std::string game;
    std::uint64_t blocks = 0;
  };
  std::vector<Scenario> scenarios;
  std::vector<std::string> agents;
  std::string against;  ///< the reference agent; empty: nothing is compared
  double level = 0.95;
};

/// The effect that a scenario can detect.
struct Detectable {
  std::string scenario;
  std::string agent;
  std::string against;
  double effect = 0;            ///< on the normalised score
  std::uint64_t blocks = 0;     ///< of the suite
  std::size_t pilot_units = 0;  ///< independent blocks of the pilot that both agents have
};

/// What a pilot tells of a study, and why it does not tell the rest.
struct Power {
  std::vector<Detectable> effects;
  std::vector<std::string> notes;
};

/// The difference to the reference agent that has a chance of 80% to be found at the study's level
/// in one scenario: (z(level) + z(0.8)) standard errors of the report's paired difference, scaled
/// from the pilot's blocks to the study's. By the same blocks, treatments, items and fault policy
/// as the report; each agent by itself, without the correction for several agents.
[[nodiscard]] Power detectable_effects(const Study& study, const Results& pilot);

}  // namespace agon::report
