#include "shared/theory/equilibrium.hpp"

namespace shared {
namespace {

namespace theory = agon::theory;

/// The most actions for which a mixed equilibrium is looked for at every question.
constexpr std::size_t kMostMixed = 8;

std::size_t draw(const theory::MixedStrategy& strategy, agon::Dice dice) {
  const double u = dice.unit();
  double below = 0;
  std::size_t last = 0;
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (strategy[a].value <= 0) continue;
    last = a;
    below += strategy[a].value;
    if (u < below) break;
  }
  return last;
}

}  // namespace

EquilibriumAction equilibrium_action(const theory::MatrixGame& game, std::size_t player,
                                     agon::Dice dice) {
  if (const auto pure = theory::best_pure_equilibria(game); !pure.empty())
    return {game.profile(pure.front())[player], false};
  if (game.players() == 2 && game.actions(0) <= kMostMixed && game.actions(1) <= kMostMixed) {
    const auto mixed = theory::extreme_equilibria(game);
    const theory::MixedStrategy& own = player == 0 ? mixed.front().first : mixed.front().second;
    EquilibriumAction made{draw(own, dice), true};
    for (const theory::Exact& share : own) made.may.push_back(share.value > 0);
    return made;
  }
  return {draw(theory::pure_maximin(game, player).strategy, dice), false};
}

}  // namespace shared
