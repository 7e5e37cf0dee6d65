#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "archive/archive.hpp"

namespace agon::report {

/// What a scenario under one treatment is called.
struct ScenarioName {
  std::string luck;   ///< the same for scenarios that share their random numbers, and for no others
  std::string apart;  ///< " (seed 7)"; empty where no other has the name
  std::string label;  ///< with the treatment; unique within the game
};

/// Names of scenarios, by number of their rows: `deal: pie 10`, and where several have the same
/// name, with what tells them apart: `deal (settings: rounds 5)`, `deal (seed 7)`.
[[nodiscard]] std::map<std::int64_t, ScenarioName> scenario_names(
    const archive::Archive& archive, const std::map<std::int64_t, archive::ScenarioRow>& scenarios,
    const std::map<std::int64_t, archive::GameRow>& games);

/// Names of agents in one game, by number of their rows: their own, and where one name stands for
/// several specs, with what tells those apart: `reference (water-allocation: fixed)`.
[[nodiscard]] std::map<std::int64_t, std::string> agent_names(
    const std::map<std::int64_t, archive::AgentRow>& rows, const std::set<std::int64_t>& numbers,
    const std::string& game);

}  // namespace agon::report
