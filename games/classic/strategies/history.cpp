#include "classic/strategies/history.hpp"

#include <algorithm>

namespace classic {

std::vector<std::size_t> actions_in(const View& view, const PeriodPlayed& played) {
  std::vector<std::size_t> actions;
  for (std::size_t p = 0; p < view.actions.size(); ++p) {
    const auto& own = view.actions[p];
    const auto found = std::find(own.begin(), own.end(), played.actions[p]);
    actions.push_back(static_cast<std::size_t>(found - own.begin()));
  }
  return actions;
}

std::vector<double> sums_over_all(const agon::theory::MatrixGame& game, std::size_t player) {
  std::vector<double> sums(game.actions(player), 0);
  for (std::size_t cell = 0; cell < game.profiles(); ++cell)
    sums[cell / game.stride(player) % game.actions(player)] += game.payoff(cell, player);
  return sums;
}

}  // namespace classic
