#pragma once

#include <agon/game.hpp>

namespace bargaining {

/// Price bargaining between a buyer with a secret budget and a seller with a secret cost (Xia et
/// al. 2024).
[[nodiscard]] agon::Game game();

/// Adds the game, its strategies and its importer.
void enter(agon::Registry& registry);

}  // namespace bargaining
