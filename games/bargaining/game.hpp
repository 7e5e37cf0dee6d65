#pragma once

#include <agon/game.hpp>

#include "bargaining/settings.hpp"

namespace bargaining {

/// What both sides may know of the settings, for prompts.
struct Facts {
  int max_turns = 0;
};
AGON_DESCRIBE(Facts, (max_turns, "turns; in each the buyer speaks, then the seller"))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// Price bargaining between a buyer with a secret budget and a seller with a secret cost (Xia et
/// al. 2024).
[[nodiscard]] agon::Game game();

/// Adds the parts of a model agent that are for this game alone.
void add_workflows(agon::Registry& registry);

/// Adds the game and its strategies, workflows and tables.
void enter(agon::Registry& registry);

}  // namespace bargaining
