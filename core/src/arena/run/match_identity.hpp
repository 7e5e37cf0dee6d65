#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>

#include "archive/archive.hpp"
#include "suite/suite.hpp"

namespace agon {

/// What decides how a match of this scenario and treatment comes out, beside agents and chance:
/// game, preset, re-asks and settings, with loaded data by digest.
[[nodiscard]] AGON_API std::string settings_document(const Scenario& scenario,
                                                     const Treatment& treatment);

/// What a match of this scenario knows an agent by: name, spec and, if it reads them, prompts.
[[nodiscard]] AGON_API hash::Digest agent_identity(const AgentInGame& agent,
                                                   const Scenario& scenario);

/// What the id of a match is made of; `settings`: digest of its settings_document.
[[nodiscard]] archive::MatchParts match_parts(const Suite& suite, const Scenario& scenario,
                                              const hash::Digest& settings,
                                              const design::PlannedMatch& planned,
                                              std::uint64_t position);

/// True if the archive has every match of the suite, or all that its stop rule takes, so that no
/// agent will be asked. `retry_set_aside`: those that were set aside are to be played again.
[[nodiscard]] AGON_API bool has_all_matches(const archive::Archive& archive, const Suite& suite,
                                            bool retry_set_aside);

}  // namespace agon
