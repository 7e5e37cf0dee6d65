#pragma once

#include <agon/error.hpp>

#include "archive/archive.hpp"
#include "suite/suite.hpp"

namespace agon {

/// What decides how a match of this scenario and treatment comes out, beside agents and luck: game,
/// preset, re-asks and settings, with loaded data by digest.
[[nodiscard]] std::string settings_document(const Scenario& scenario, const Treatment& treatment);

/// What a match knows an agent by: name, spec and, if it reads them, prompts.
[[nodiscard]] hash::Digest agent_identity(const AgentInGame& agent, const PromptSet* prompts);

/// Settings as an archive holds them, ready to play again.
struct StoredSettings {
  Settings settings;
  int reasks = 3;
};

/// Reads what settings_document wrote. Throws Error if the archive lacks data it refers to, or if
/// the settings no longer fit the game.
[[nodiscard]] StoredSettings read_settings_document(const Game& game,
                                                    const archive::Archive& archive,
                                                    const hash::Digest& digest);

}  // namespace agon
