#include "theory/support.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <bit>
#include <cmath>

namespace agon::theory {
namespace {

/// What counts as nothing, beside the largest payoff.
constexpr double nothing = 1e-12;
constexpr std::size_t kMostUnknowns = kMostMixedActions + 1;

/// The weights over `own` that make every action of `other` in `theirs` earn the same and the most,
/// `payoff(own, other)` being what `other` earns.
template <class Payoff>
std::optional<std::vector<double>> indifference(std::uint32_t own, std::size_t own_actions,
                                                std::uint32_t theirs, std::size_t their_actions,
                                                double largest, const Payoff& payoff) {
  std::array<std::size_t, kMostMixedActions> used{};
  std::size_t size = 0;
  for (std::size_t a = 0; a < own_actions; ++a)
    if ((own >> a & 1) != 0) used[size++] = a;
  // Unknowns: the weights, and what all of `theirs` earn.
  std::array<std::array<double, kMostUnknowns + 1>, kMostUnknowns> rows{};
  std::size_t n = 0;
  for (std::size_t b = 0; b < their_actions; ++b) {
    if ((theirs >> b & 1) == 0) continue;
    for (std::size_t k = 0; k < size; ++k) rows[n][k] = payoff(used[k], b) / largest;
    rows[n++][size] = -1;
  }
  for (std::size_t k = 0; k < size; ++k) rows[n][k] = 1;
  rows[n][size + 1] = 1;
  for (std::size_t c = 0; c <= size; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r <= size; ++r)
      if (std::abs(rows[r][c]) > std::abs(rows[best][c])) best = r;
    if (std::abs(rows[best][c]) < nothing) return std::nullopt;
    std::swap(rows[c], rows[best]);
    for (std::size_t r = 0; r <= size; ++r) {
      if (r == c || rows[r][c] == 0) continue;
      const double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= size + 1; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<double> weights(own_actions, 0);
  for (std::size_t k = 0; k < size; ++k) {
    const double weight = rows[k][size + 1] / rows[k][k];
    if (weight <= nothing) return std::nullopt;
    weights[used[k]] = weight;
  }
  const double value = rows[size][size + 1] / rows[size][size];
  for (std::size_t b = 0; b < their_actions; ++b) {
    if ((theirs >> b & 1) != 0) continue;
    double earned = 0;
    for (std::size_t k = 0; k < size; ++k)
      earned += weights[used[k]] * (payoff(used[k], b) / largest);
    if (earned > value + nothing) return std::nullopt;
  }
  return weights;
}

}  // namespace

std::optional<Weights> equilibrium_on(const MatrixGame& game, Support support) {
  if (std::popcount(support.first) != std::popcount(support.second)) return std::nullopt;
  const std::size_t m = game.actions(0);
  const std::size_t n = game.actions(1);
  double largest = 0;
  for (std::size_t i = 0; i < game.profiles(); ++i)
    for (const double payoff : game.payoffs(i)) largest = std::max(largest, std::abs(payoff));
  if (largest == 0) largest = 1;
  auto rows = indifference(support.first, m, support.second, n, largest,
                           [&](std::size_t a, std::size_t b) { return game.payoff(a * n + b, 1); });
  if (!rows) return std::nullopt;
  auto columns =
      indifference(support.second, n, support.first, m, largest,
                   [&](std::size_t b, std::size_t a) { return game.payoff(a * n + b, 0); });
  if (!columns) return std::nullopt;
  return Weights{std::move(*rows), std::move(*columns)};
}

std::vector<Support> equilibrium_supports(const MatrixGame& game) {
  if (game.players() != 2 || game.actions(0) > kMostEnumeratedActions ||
      game.actions(1) > kMostEnumeratedActions)
    throw Error(ErrorKind::invalid, "the game is too large for looking at every support", "game",
                "ask for its extreme equilibria");
  std::vector<Support> found;
  const std::size_t most = std::min(game.actions(0), game.actions(1));
  for (std::size_t size = 1; size <= most; ++size)
    for (std::uint32_t a = 1; a < 1U << game.actions(0); ++a) {
      if (static_cast<std::size_t>(std::popcount(a)) != size) continue;
      for (std::uint32_t b = 1; b < 1U << game.actions(1); ++b)
        if (static_cast<std::size_t>(std::popcount(b)) == size && equilibrium_on(game, {a, b}))
          found.emplace_back(a, b);
    }
  return found;
}

}  // namespace agon::theory
