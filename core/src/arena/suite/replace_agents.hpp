#pragma once

#include <string>
#include <vector>

#include "suite/agent_spec.hpp"

namespace agon {

/// Does what --agent says: `NAME=SPEC` puts SPEC in the place of the agent NAME (of all agents that
/// factors made of it), `SPEC` in the place of every agent that calls models and is not named. SPEC
/// is the short form of agents, or a JSON object; relative paths in it start in the current folder.
/// Agents keep their names and factors. Throws Error (usage) for a name that is not there, and
/// where there is nobody to replace.
void replace_agents(const SpecContext& context, const std::vector<std::string>& options,
                    std::vector<AgentSpec>& agents);

}  // namespace agon
