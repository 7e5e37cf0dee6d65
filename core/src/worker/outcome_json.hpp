#pragma once

#include <agon/game.hpp>
#include <string>

namespace agon::worker {

/// The message that says how a match of the game came out.
[[nodiscard]] std::string outcome_json(const GameCard& card, const Outcome& outcome);

}  // namespace agon::worker
