#pragma once

#include <agon/describe.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <vector>

#include "describe/file_text.hpp"
#include "describe/value.hpp"
#include "suite/agents/agent_spec.hpp"

namespace agon {

/// One agent out of an entry with "factors".
struct FactorLevels {
  std::string suffix;           ///< of its name: "/memory=whole,planning=none"; "" without factors
  boost::json::object members;  ///< of its entry: factor to level
};

/// All combinations of the levels of `factors`, the last of which changes first; without factors
/// one that has none. Throws Error at `place` for levels that make no names, or too many agents.
[[nodiscard]] std::vector<FactorLevels> cross_factors(
    const std::optional<InOrder<std::vector<JsonText>>>& factors, const ErrorPlace& place);

/// Does what --agent says: `NAME=SPEC` puts SPEC in the place of the agent NAME (of all agents that
/// factors made of it), `SPEC` in the place of every agent that calls models and is not named. SPEC
/// is the short form of agents, or a JSON object; relative paths in it start in the current folder.
/// Agents keep their names and factors. Throws Error (usage) for a name that is not there, and
/// where there is nobody to replace.
void replace_agents(const SpecContext& context, const std::vector<std::string>& options,
                    std::vector<AgentSpec>& agents);

}  // namespace agon
