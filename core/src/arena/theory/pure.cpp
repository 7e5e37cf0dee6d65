#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>

#include "theory/rational.hpp"

namespace agon::theory {
namespace {

/// The profile that differs from `profile` in nothing but that `player` takes its action 0.
std::size_t first_of_line(const MatrixGame& game, std::size_t player, std::size_t profile) {
  const std::size_t own = profile / game.stride(player) % game.actions(player);
  return profile - own * game.stride(player);
}

double best_payoff(const MatrixGame& game, std::size_t player, std::size_t profile) {
  const std::size_t first = first_of_line(game, player, profile);
  double best = game.payoff(first, player);
  for (std::size_t a = 1; a < game.actions(player); ++a) {
    best = std::max(best, game.payoff(first + a * game.stride(player), player));
  }
  return best;
}

}  // namespace

std::vector<std::size_t> best_replies(const MatrixGame& game, std::size_t player,
                                      std::size_t profile) {
  const double best = best_payoff(game, player, profile);
  const std::size_t first = first_of_line(game, player, profile);
  std::vector<std::size_t> replies;
  for (std::size_t a = 0; a < game.actions(player); ++a) {
    if (game.payoff(first + a * game.stride(player), player) == best) replies.push_back(a);
  }
  return replies;
}

std::vector<std::size_t> best_replies(const MatrixGame& game, std::size_t player,
                                      const MixedStrategy& other) {
  if (game.players() != 2 || player > 1) {
    throw Error(ErrorKind::invalid, "a reply to one mixed strategy needs a game of two players",
                "game");
  }
  const std::size_t opponent = 1 - player;
  if (other.size() != game.actions(opponent)) {
    throw Error(ErrorKind::invalid,
                "the strategy has " + std::to_string(other.size()) + " weights for " +
                    std::to_string(game.actions(opponent)) + " actions",
                "strategy", "give one weight for each action");
  }
  std::vector<Rational> weights;
  for (const Exact& weight : other) weights.push_back(from_text(weight.text));
  std::vector<std::size_t> replies;
  Rational best;
  for (std::size_t a = 0; a < game.actions(player); ++a) {
    Rational expected = 0;
    for (std::size_t b = 0; b < weights.size(); ++b) {
      const std::size_t profile = a * game.stride(player) + b * game.stride(opponent);
      expected += weights[b] * exactly(game.payoff(profile, player));
    }
    if (replies.empty() || expected > best) {
      replies.assign(1, a);
      best = expected;
    } else if (expected == best) {
      replies.push_back(a);
    }
  }
  return replies;
}

std::vector<std::size_t> pure_equilibria(const MatrixGame& game) {
  std::vector<char> stable(game.profiles(), 1);
  for (std::size_t p = 0; p < game.players(); ++p) {
    for (std::size_t i = 0; i < game.profiles(); ++i) {
      if (first_of_line(game, p, i) != i) continue;
      const double best = best_payoff(game, p, i);
      for (std::size_t a = 0; a < game.actions(p); ++a) {
        const std::size_t profile = i + a * game.stride(p);
        if (game.payoff(profile, p) != best) stable[profile] = 0;
      }
    }
  }
  std::vector<std::size_t> equilibria;
  for (std::size_t i = 0; i < stable.size(); ++i) {
    if (stable[i] != 0) equilibria.push_back(i);
  }
  return equilibria;
}

std::vector<std::size_t> best_pure_equilibria(const MatrixGame& game) {
  std::vector<std::size_t> best;
  const auto equilibria = pure_equilibria(game);
  for (const std::size_t i : equilibria) {
    const bool dominated = std::any_of(equilibria.begin(), equilibria.end(), [&](std::size_t j) {
      return pareto_dominates(game.payoffs(j), game.payoffs(i));
    });
    if (!dominated) best.push_back(i);
  }
  return best;
}

}  // namespace agon::theory
