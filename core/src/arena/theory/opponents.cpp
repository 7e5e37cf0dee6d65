#include "theory/opponents.hpp"

#include <agon/error.hpp>
#include <numeric>
#include <string>
#include <utility>

namespace agon::theory {

std::vector<std::size_t> opposing(const MatrixGame& game, std::size_t player,
                                  const std::vector<std::vector<std::size_t>>& left) {
  std::vector<std::size_t> profiles{0};
  for (std::size_t p = 0; p < game.players(); ++p) {
    if (p == player) continue;
    std::vector<std::size_t> longer;
    longer.reserve(profiles.size() * left[p].size());
    for (const std::size_t profile : profiles) {
      for (const std::size_t action : left[p]) longer.push_back(profile + action * game.stride(p));
    }
    profiles = std::move(longer);
  }
  return profiles;
}

std::vector<std::vector<std::size_t>> all_actions(const MatrixGame& game) {
  std::vector<std::vector<std::size_t>> all(game.players());
  for (std::size_t p = 0; p < all.size(); ++p) {
    all[p].resize(game.actions(p));
    std::iota(all[p].begin(), all[p].end(), std::size_t{0});
  }
  return all;
}

void require_weighable(std::size_t actions, std::size_t profiles) {
  if (actions <= kMostMixedActions && profiles <= kMostOpposing) return;
  throw Error(ErrorKind::invalid,
              "the game is too large for mixtures: " + std::to_string(actions) +
                  " actions against " + std::to_string(profiles) + " profiles of the others, and " +
                  std::to_string(kMostMixedActions) + " against " + std::to_string(kMostOpposing) +
                  " are the most",
              "game", "ask for single actions instead of mixtures");
}

}  // namespace agon::theory
