#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/rows.hpp"

namespace agon::report {

/// What sets an agent apart from the others of its family.
struct AgentLevels {
  std::string family;                                       ///< the agent's name in the suite
  std::vector<std::pair<std::string, std::string>> levels;  ///< (factor, level); may be empty
};

/// Every factor and label of a stored agent, with its level.
[[nodiscard]] AGON_API std::vector<std::pair<std::string, std::string>> all_levels_of(
    const archive::AgentRow& row);

/// Family and levels of a stored agent; no levels where it was not expanded from factors. Labels,
/// which are not in its name, are no levels: nothing sets them apart but what somebody wrote.
[[nodiscard]] AGON_API AgentLevels levels_of(const archive::AgentRow& row);

/// The same from a name alone, for archives that do not say more: "llm/memory=whole,planning=none"
/// is of the family "llm". Where a level has several parameters, the name alone cannot tell them
/// from factors.
[[nodiscard]] AGON_API AgentLevels levels_of_name(std::string_view name);

}  // namespace agon::report
