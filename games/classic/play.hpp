#pragma once

#include <agon/game.hpp>

#include "classic/prepared.hpp"
#include "classic/stages.hpp"

namespace classic {

/// Plays one match.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

/// How a match was played, for scores and metrics.
struct Course {
  /// One playing of the game.
  struct Period {
    std::size_t outcome = 0;           ///< cell of the table, or place of the tree's end
    std::vector<std::size_t> actions;  ///< of each player at once, or one after another
    std::vector<std::size_t> nodes;    ///< tree: where each action was taken
    bool valid = true;                 ///< no action was forced
  };
  std::vector<Period> periods;  ///< one at least
  std::vector<int> messages;    ///< by player
  std::vector<bool> halted;     ///< by player
  std::vector<bool> forced;     ///< by player
};

/// What counts in the end, by player: the payoffs of all periods or their mean.
[[nodiscard]] std::vector<double> payoffs_of(const Settings& settings, const Prepared& prepared,
                                             const Course& course);

/// Scores, anchors and metrics.
[[nodiscard]] agon::Outcome settle(const Settings& settings, const Prepared& prepared,
                                   const Course& course);

}  // namespace classic
