#pragma once

#include <agon/game.hpp>

namespace guess_average {

/// Guess 0.8 of the average: whoever comes nearest to a share of the average of all numbers wins
/// the round (K-Level Reasoning, arXiv 2402.01521; after Nagel 1995).
agon::Game game();

/// Adds the game, its strategies and its tables.
void enter(agon::Registry& registry);

}  // namespace guess_average
