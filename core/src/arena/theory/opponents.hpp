#pragma once

#include <agon/analysis/game_theory.hpp>
#include <cstddef>
#include <vector>

namespace agon::theory {

/// The most profiles of the others for which mixtures of a player's actions are weighed.
inline constexpr std::size_t kMostOpposing = 4096;

/// The profiles in which `player` takes action 0 and everybody else one of the actions in `left`,
/// in order.
std::vector<std::size_t> opposing(const MatrixGame& game, std::size_t player,
                                  const std::vector<std::vector<std::size_t>>& left);

/// Everybody's actions.
std::vector<std::vector<std::size_t>> all_actions(const MatrixGame& game);

/// Throws Error if weighing mixtures of `actions` actions against so many profiles would not end
/// in reasonable time.
void require_weighable(std::size_t actions, std::size_t profiles);

}  // namespace agon::theory
