#pragma once

#include <string>
#include <string_view>

#include "design/keys.hpp"
#include "suite/agent_spec.hpp"
#include "table/match.hpp"

namespace agon {

/// An agent at a seat of a match in that block of a scenario.
inline SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                            std::uint64_t dice_key, std::string carried) {
  std::shared_ptr<const Agent> own = in.agent->in_block(scenario, block);
  const Agent* agent = own == nullptr ? in.agent.get() : own.get();
  return {agent, dice_key, std::move(carried), std::move(own)};
}

}  // namespace agon
