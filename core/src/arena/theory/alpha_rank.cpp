#include "theory/alpha_rank.hpp"

#include <algorithm>
#include <cmath>

namespace agon::theory {
namespace {

/// Chances below this are as good as none, and would be rounded to none further on.
constexpr double kLeastChance = 1e-100;
/// Payoffs closer than this share of the largest are the same but for rounding.
constexpr double kSamePayoff = 1e-12;

double largest_payoff(const MatrixGame& game) {
  double largest = 0;
  for (std::size_t i = 0; i < game.profiles(); ++i)
    for (const double payoff : game.payoffs(i)) largest = std::max(largest, std::abs(payoff));
  return largest;
}

/// The chance that a mutant which earns `gain` more than the others takes over.
double fixation(double gain, double largest, const AlphaRankOptions& options) {
  const auto m = static_cast<double>(options.population);
  if (std::abs(gain) <= kSamePayoff * largest) return 1 / m;
  if (!options.alpha) return gain > 0 ? 1 - options.perturbation : options.perturbation;
  const double pull = *options.alpha * std::abs(gain);
  if (pull == 0) return 1 / m;
  const double up = std::expm1(-pull) / std::expm1(-m * pull);
  return std::max(gain > 0 ? up : std::exp(-(m - 1) * pull) * up, kLeastChance);
}

}  // namespace

Stationary stationary(const std::vector<double>& chances, std::size_t states) {
  constexpr double large = 1e200;
  std::vector<double> left = chances;
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return left[i * states + j]; };
  for (std::size_t n = states; n-- > 1;) {
    double out = 0;
    for (std::size_t j = 0; j < n; ++j) out += at(n, j);
    for (std::size_t i = 0; i < n; ++i) {
      const double in = at(i, n) /= out;
      if (in == 0) continue;
      for (std::size_t j = 0; j < n; ++j) at(i, j) += in * at(n, j);
    }
  }
  Stationary found;
  found.mass.assign(states, 0);
  found.mass[0] = 1;
  for (std::size_t n = 1; n < states; ++n) {
    for (std::size_t i = 0; i < n; ++i) found.mass[n] += found.mass[i] * at(i, n);
    if (found.mass[n] < large) continue;
    for (std::size_t i = 0; i <= n; ++i) found.mass[i] /= large;
  }
  double sum = 0;
  for (const double mass : found.mass) sum += mass;
  for (double& mass : found.mass) mass /= sum;
  for (std::size_t j = 0; j < states; ++j) {
    double flow = 0;
    for (std::size_t i = 0; i < states; ++i) {
      if (i == j) continue;
      flow += found.mass[i] * chances[i * states + j] - found.mass[j] * chances[j * states + i];
    }
    found.residual = std::max(found.residual, std::abs(flow));
  }
  return found;
}

Stationary alpha_rank(const MatrixGame& game, const AlphaRankOptions& options) {
  const std::size_t states = game.profiles();
  const double largest = largest_payoff(game);
  std::size_t ways = 0;
  for (std::size_t p = 0; p < game.players(); ++p) ways += game.actions(p) - 1;
  std::vector<double> chances(states * states, 0);
  for (std::size_t from = 0; from < states; ++from) {
    for (std::size_t p = 0; p < game.players(); ++p) {
      const std::size_t own = from / game.stride(p) % game.actions(p);
      for (std::size_t a = 0; a < game.actions(p); ++a) {
        if (a == own) continue;
        const std::size_t to = from - own * game.stride(p) + a * game.stride(p);
        chances[from * states + to] =
            fixation(game.payoff(to, p) - game.payoff(from, p), largest, options) /
            static_cast<double>(ways);
      }
    }
  }
  return stationary(chances, states);
}

Stationary alpha_rank_symmetric(const MatrixGame& game, const AlphaRankOptions& options) {
  const std::size_t states = game.actions(0);
  const double largest = largest_payoff(game);
  std::vector<double> chances(states * states, 0);
  for (std::size_t resident = 0; resident < states; ++resident) {
    for (std::size_t mutant = 0; mutant < states; ++mutant) {
      if (mutant == resident) continue;
      std::vector<std::size_t> table(game.players(), resident);
      table[0] = mutant;
      const std::size_t profile = game.index(table);
      const double gain =
          game.payoff(profile, 0) - (game.players() > 1 ? game.payoff(profile, 1) : 0);
      chances[resident * states + mutant] =
          fixation(gain, largest, options) / static_cast<double>(states - 1);
    }
  }
  return stationary(chances, states);
}

}  // namespace agon::theory
