#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/plan.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

/// What the chance of a match is drawn for, and that of its agents.
struct MatchDraws {
  std::uint64_t stream_key = 0;
  std::string_view scenario;  ///< its name
  std::uint64_t block = 0;
  std::uint64_t repeat = 0;
};

/// A match of these agents under these settings, by seat; null: an agent whose answers come from a
/// record.
AGON_API MatchSetup match_setup(const Game& game, const Settings& settings, const MatchDraws& draws,
                                const std::vector<const AgentInGame*>& agents);

/// An agent at a seat of a match in that block of a scenario.
AGON_API SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                              std::uint64_t dice_key);

/// A planned match as a suite has it, at a position of its sequence; `carried`: what each seat
/// takes along from the match before, empty texts at the first.
AGON_API MatchSetup match_setup(const Suite& suite, const Scenario& scenario,
                                const design::PlannedMatch& planned, std::uint64_t position,
                                const std::vector<std::string>& carried);

}  // namespace agon
