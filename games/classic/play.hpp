#pragma once

#include <agon/game.hpp>

#include "classic/prepared.hpp"
#include "classic/stages.hpp"

namespace classic {

/// Plays one match.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

/// How a match was played, for scores and metrics.
struct Course {
  std::size_t outcome = 0;           ///< cell of the table, or place of the tree's end
  std::vector<std::size_t> actions;  ///< of each player at once, or one after another
  std::vector<std::size_t> nodes;    ///< tree: where each action was taken
  std::vector<int> messages;         ///< by player
  std::vector<bool> halted;          ///< by player
  std::vector<bool> forced;          ///< by player
};

/// Scores, anchors and metrics.
[[nodiscard]] agon::Outcome settle(const Prepared& prepared, const Course& course);

}  // namespace classic
