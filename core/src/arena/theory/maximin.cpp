#include <agon/analysis/game_theory.hpp>
#include <algorithm>
#include <limits>

#include "theory/linear_program.hpp"
#include "theory/opponents.hpp"

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

Maximin mixed_maximin(const MatrixGame& game, std::size_t player) {
  const auto profiles = opposing(game, player, all_actions(game));
  const std::size_t actions = game.actions(player);
  require_weighable(actions, profiles.size());
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < game.profiles(); ++i) least = std::min(least, game.payoff(i, player));
  // What is safe over the least payoff of all is at least 0, so the program starts at 0; it is the
  // last variable, after the weights.
  const Rational base = exactly(least);
  LinearProgram program;
  program.goal.assign(actions + 1, 0);
  program.goal.back() = 1;
  for (const std::size_t profile : profiles) {
    std::vector<Rational> row;
    for (std::size_t a = 0; a < actions; ++a) {
      row.push_back(base - exactly(game.payoff(profile + a * game.stride(player), player)));
    }
    row.emplace_back(1);
    program.rows.push_back(std::move(row));
    program.limits.emplace_back(0);
  }
  program.rows.emplace_back(actions + 1, Rational(1));
  program.rows.back().back() = 0;
  program.limits.emplace_back(1);
  Optimum best = maximise(std::move(program));
  Rational rest = 1;
  for (std::size_t a = 0; a < actions; ++a) rest -= best.x[a];
  best.x[0] += rest;  // weight that makes no difference
  Maximin maximin{{}, to_exact(base + best.value)};
  for (std::size_t a = 0; a < actions; ++a) maximin.strategy.push_back(to_exact(best.x[a]));
  return maximin;
}

}  // namespace agon::theory
