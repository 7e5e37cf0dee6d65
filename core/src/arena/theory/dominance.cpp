#include <agon/analysis/game_theory.hpp>
#include <algorithm>
#include <optional>

#include "theory/linear_program.hpp"
#include "theory/opponents.hpp"

namespace agon::theory {
namespace {

using Actions = std::vector<std::size_t>;

bool dominates(const MatrixGame& game, std::size_t player, std::size_t other, std::size_t action,
               const Actions& profiles, Dominance dominance) {
  bool better = false;
  for (const std::size_t profile : profiles) {
    const double a = game.payoff(profile + other * game.stride(player), player);
    const double b = game.payoff(profile + action * game.stride(player), player);
    if (a < b || (dominance == Dominance::strict && a == b)) return false;
    better = better || a > b;
  }
  return better;
}

MixedStrategy single_action(std::size_t actions, std::size_t action) {
  MixedStrategy strategy(actions);
  strategy[action] = {1, "1"};
  return strategy;
}

/// A mixture of the actions in `own` that dominates `action`, if there is one. Strict: maximise the
/// least advantage. Weak: maximise the sum of advantages, none of which may be negative.
std::optional<MixedStrategy> dominating_mixture(const MatrixGame& game, std::size_t player,
                                                std::size_t action, const Actions& own,
                                                const Actions& profiles, Dominance dominance) {
  require_weighable(own.size(), profiles.size());
  Actions others;
  for (const std::size_t a : own) {
    if (a != action) others.push_back(a);
  }
  const bool strict = dominance == Dominance::strict;
  const std::size_t width = others.size() + (strict ? 1 : 0);  // the least advantage comes last
  LinearProgram program;
  program.goal.assign(width, 0);
  if (strict) program.goal.back() = 1;
  for (const std::size_t profile : profiles) {
    const Rational plain = exactly(game.payoff(profile + action * game.stride(player), player));
    std::vector<Rational> row(width, 0);
    for (std::size_t k = 0; k < others.size(); ++k) {
      const Rational advantage =
          exactly(game.payoff(profile + others[k] * game.stride(player), player)) - plain;
      row[k] = -advantage;
      if (!strict) program.goal[k] += advantage;
    }
    if (strict) row.back() = 1;
    program.rows.push_back(std::move(row));
    program.limits.emplace_back(0);
  }
  std::vector<Rational> sum(width, 1);
  if (strict) sum.back() = 0;
  program.rows.push_back(std::move(sum));
  program.limits.emplace_back(1);
  const Optimum best = maximise(std::move(program));
  if (best.value <= 0) return std::nullopt;
  MixedStrategy strategy(game.actions(player));
  for (std::size_t k = 0; k < others.size(); ++k) strategy[others[k]] = to_exact(best.x[k]);
  return strategy;
}

std::optional<MixedStrategy> dominating(const MatrixGame& game, std::size_t player,
                                        std::size_t action, const Actions& own,
                                        const Actions& profiles, Dominance dominance,
                                        DominatedBy by) {
  for (const std::size_t other : own) {
    if (other != action && dominates(game, player, other, action, profiles, dominance)) {
      return single_action(game.actions(player), other);
    }
  }
  if (by == DominatedBy::pure || own.size() < 3) return std::nullopt;
  return dominating_mixture(game, player, action, own, profiles, dominance);
}

}  // namespace

EliminationResult eliminate_dominated(const MatrixGame& game, Dominance dominance, DominatedBy by) {
  EliminationResult result;
  result.left = all_actions(game);
  for (std::size_t round = 0;; ++round) {
    const std::size_t before = result.eliminated.size();
    for (std::size_t p = 0; p < game.players(); ++p) {
      if (result.left[p].size() == 1) continue;
      const Actions profiles = opposing(game, p, result.left);
      for (const std::size_t action : result.left[p]) {
        auto found = dominating(game, p, action, result.left[p], profiles, dominance, by);
        if (found) result.eliminated.push_back({round, p, action, std::move(*found)});
      }
    }
    if (result.eliminated.size() == before) return result;
    for (std::size_t k = before; k < result.eliminated.size(); ++k) {
      auto& left = result.left[result.eliminated[k].player];
      left.erase(std::find(left.begin(), left.end(), result.eliminated[k].action));
    }
  }
}

}  // namespace agon::theory
