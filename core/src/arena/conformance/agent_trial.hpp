#pragma once

#include <agon/plugin_command.hpp>

#include "conformance/subject.hpp"

namespace agon::conformance {

/// Plays the subject's matches of each preset with the agent on every seat, each with a second one
/// where seats take something along to it. A preset has no more matches after one in which the
/// agent or the game broke, or the agent was silent. Always the same, as far as the agent is.
[[nodiscard]] AGON_API AgentTrial try_agent(const GameUnderTest& subject,
                                            const WaitingAgent& agent);

}  // namespace agon::conformance
