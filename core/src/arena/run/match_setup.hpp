#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "design/keys.hpp"
#include "suite/agent_spec.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

/// An agent at a seat of a match in that block of a scenario.
AGON_API SeatSetup seat_setup(const AgentInGame& in, std::string_view scenario, std::uint64_t block,
                              std::uint64_t dice_key, std::string carried);

/// A planned match as a suite has it, at a position of its sequence; `carried`: what each seat
/// takes along from the match before, empty texts at the first.
AGON_API MatchSetup match_setup(const Suite& suite, const Scenario& scenario,
                                const design::PlannedMatch& planned, std::uint64_t position,
                                const std::vector<std::string>& carried);

}  // namespace agon
