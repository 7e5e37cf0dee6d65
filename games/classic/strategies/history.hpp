#pragma once

#include <agon/analysis/game_theory.hpp>
#include <vector>

#include "classic/views.hpp"

namespace classic {

/// The action of each player in a period of a game with a payoff table, by its place from 0.
[[nodiscard]] std::vector<std::size_t> actions_in(const View& view, const PeriodPlayed& played);

/// What each action of `player` brings against all that the others can do, each once.
[[nodiscard]] std::vector<double> sums_over_all(const agon::theory::MatrixGame& game,
                                                std::size_t player);

}  // namespace classic
