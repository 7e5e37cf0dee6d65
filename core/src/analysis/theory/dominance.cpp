#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "theory/rational.hpp"

namespace agon::theory {
namespace {

/// Maximise goal . x over x >= 0 with rows[i] . x <= limits[i], where every limit is at least 0.
struct LinearProgram {
  std::vector<Rational> goal;
  std::vector<std::vector<Rational>> rows;
  std::vector<Rational> limits;
};

struct Optimum {
  Rational value;
  std::vector<Rational> x;
};

/// The most profiles of the others for which mixtures of a player's actions are weighed.
constexpr std::size_t kMostOpposing = 4096;

/// Row `row` is solved for the variable of column `column`, which takes the place of row's own.
void pivot(LinearProgram& p, Rational& value, std::size_t row, std::size_t column) {
  const Rational inverse = 1 / p.rows[row][column];
  for (Rational& x : p.rows[row]) x *= inverse;
  p.rows[row][column] = inverse;
  p.limits[row] *= inverse;
  const auto clear = [&](std::vector<Rational>& other, Rational& limit) {
    const Rational factor = other[column];
    if (factor.is_zero()) return;
    for (std::size_t k = 0; k < other.size(); ++k) {
      if (k == column) {
        other[k] = -factor * inverse;
      } else if (!p.rows[row][k].is_zero()) {
        other[k] -= factor * p.rows[row][k];
      }
    }
    limit -= factor * p.limits[row];
  };
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    if (i != row) clear(p.rows[i], p.limits[i]);
  }
  clear(p.goal, value);
}

/// A best x, always the same one: the simplex method with Bland's rule, which cannot go round in
/// circles. The goal must be bounded.
Optimum maximise(LinearProgram p) {
  const std::size_t width = p.goal.size();
  std::vector<std::size_t> outside(width);         // the variable of each column
  std::vector<std::size_t> inside(p.rows.size());  // the variable of each row
  std::iota(outside.begin(), outside.end(), std::size_t{0});
  std::iota(inside.begin(), inside.end(), width);
  Rational value = 0;  // minus the value of the goal
  for (;;) {
    std::size_t column = width;
    for (std::size_t k = 0; k < width; ++k) {
      if (p.goal[k] > 0 && (column == width || outside[k] < outside[column])) column = k;
    }
    if (column == width) break;
    std::size_t row = p.rows.size();
    Rational least;
    for (std::size_t i = 0; i < p.rows.size(); ++i) {
      if (p.rows[i][column] <= 0) continue;
      const Rational ratio = p.limits[i] / p.rows[i][column];
      if (row == p.rows.size() || ratio < least || (ratio == least && inside[i] < inside[row])) {
        row = i;
        least = ratio;
      }
    }
    if (row == p.rows.size()) break;  // unbounded: excluded by the contract
    pivot(p, value, row, column);
    std::swap(inside[row], outside[column]);
  }
  Optimum optimum{-value, std::vector<Rational>(width, 0)};
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] < width) optimum.x[inside[i]] = p.limits[i];
  }
  return optimum;
}

/// The profiles in which `player` takes action 0 and everybody else one of the actions in `left`,
/// in order.
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

/// Everybody's actions.
std::vector<std::vector<std::size_t>> all_actions(const MatrixGame& game) {
  std::vector<std::vector<std::size_t>> all(game.players());
  for (std::size_t p = 0; p < all.size(); ++p) {
    all[p].resize(game.actions(p));
    std::iota(all[p].begin(), all[p].end(), std::size_t{0});
  }
  return all;
}

/// Throws Error if weighing mixtures of `actions` actions against so many profiles would not end
/// in reasonable time.
void require_weighable(std::size_t actions, std::size_t profiles) {
  if (actions <= kMostMixedActions && profiles <= kMostOpposing) return;
  throw Error(ErrorKind::invalid,
              "the game is too large for mixtures: " + std::to_string(actions) +
                  " actions against " + std::to_string(profiles) + " profiles of the others, and " +
                  std::to_string(kMostMixedActions) + " against " + std::to_string(kMostOpposing) +
                  " are the most",
              "game", "ask for single actions instead of mixtures");
}

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
