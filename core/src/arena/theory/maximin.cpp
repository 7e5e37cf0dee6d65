#include <agon/analysis/game_theory.hpp>
#include <algorithm>
#include <limits>

#include "theory/opponents.hpp"
#include "theory/rational.hpp"

namespace agon::theory {

Maximin pure_maximin(const MatrixGame& game, std::size_t player) {
  const auto profiles = opposing(game, player, all_actions(game));
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t action = 0; action < game.actions(player); ++action) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t profile : profiles) {
      least = std::min(least, game.payoff(profile + action * game.stride(player), player));
    }
    if (least > most) {
      most = least;
      best = action;
    }
  }
  Maximin maximin{MixedStrategy(game.actions(player)), to_exact(exactly(most))};
  maximin.strategy[best] = {1, "1"};
  return maximin;
}

}  // namespace agon::theory
