#pragma once

#include <agon/analysis/game_theory.hpp>
#include <agon/random.hpp>
#include <vector>

namespace shared {

/// A player's action in an equilibrium, and whether it was drawn.
struct EquilibriumAction {
  std::size_t action = 0;
  bool drawn = false;
  std::vector<bool> may{};  ///< by action: it could have been drawn; empty: nothing was
};

/// The part of `player`: in the Pareto-best pure equilibrium with the lowest cell; where there is
/// none, of two players with few actions, drawn from the mixed one that uses fewest actions; else
/// its safest action.
[[nodiscard]] EquilibriumAction equilibrium_action(const agon::theory::MatrixGame& game,
                                                   std::size_t player, agon::Dice dice);

}  // namespace shared
