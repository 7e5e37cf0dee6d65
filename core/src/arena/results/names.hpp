#pragma once

#include <agon/export.hpp>
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
[[nodiscard]] AGON_API std::map<std::int64_t, ScenarioName> scenario_names(
    const archive::Archive& archive, const std::map<std::int64_t, archive::ScenarioRow>& scenarios,
    const std::map<std::int64_t, archive::GameRow>& games);

/// What tells agents of one game apart whose name stands for several specs, by number of their
/// rows: ` (fixed)`, ` (model b)`, ` (prompts of bold)`; empty for the others. `scenarios`: by
/// number of the row, where it played. The same words mean the same in every game.
[[nodiscard]] AGON_API std::map<std::int64_t, std::string> agents_apart(
    const archive::Archive& archive, const std::map<std::int64_t, archive::AgentRow>& rows,
    const std::map<std::int64_t, std::set<std::string>>& scenarios);

}  // namespace agon::report
