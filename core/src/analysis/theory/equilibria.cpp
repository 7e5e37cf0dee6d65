#include "theory/equilibria.hpp"

#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

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
    const bool dominated = std::ranges::any_of(equilibria, [&](std::size_t j) {
      return pareto_dominates(game.payoffs(j), game.payoffs(i));
    });
    if (!dominated) best.push_back(i);
  }
  return best;
}

namespace {

/// An extreme ray of a cone, in smallest whole numbers, and the constraints it meets with equality.
struct Ray {
  std::vector<Integer> at;
  std::uint64_t tight = 0;  ///< bit k: coordinate k is 0; bit d + j: row j is met with equality
};

void reduce(std::vector<Integer>& at) {
  Integer divisor = 0;
  for (const Integer& x : at) divisor = gcd(divisor, x);
  if (divisor > 1) {
    for (Integer& x : at) x /= divisor;
  }
}

Integer side(const std::vector<Integer>& row, const Ray& ray) {
  Integer sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!row[k].is_zero() && !ray.at[k].is_zero()) sum += row[k] * ray.at[k];
  }
  return sum;
}

/// Two rays span a face of dimension two if no third one meets all the constraints they share.
bool adjacent(const std::vector<Ray>& rays, std::size_t a, std::size_t b, std::size_t d) {
  const std::uint64_t shared = rays[a].tight & rays[b].tight;
  if (static_cast<std::size_t>(std::popcount(shared)) + 2 < d) return false;
  for (std::size_t c = 0; c < rays.size(); ++c) {
    if (c != a && c != b && (rays[c].tight & shared) == shared) return false;
  }
  return true;
}

/// The extreme rays of { z >= 0 : row . z >= 0 for every row } in d dimensions (the length of each
/// row), by the double description method (Motzkin and others 1953; Fukuda and Prodon 1996), which
/// is right for degenerate cones too. d plus the number of rows is at most 64. Throws Error if more
/// than `most_rays` rays appear on the way.
std::vector<Ray> extreme_rays(std::size_t d, const std::vector<std::vector<Integer>>& rows,
                              std::size_t most_rays) {
  std::vector<Ray> rays(d);
  const std::uint64_t coordinates = (std::uint64_t{1} << d) - 1;
  for (std::size_t k = 0; k < d; ++k) {
    rays[k].at.assign(d, 0);
    rays[k].at[k] = 1;
    rays[k].tight = coordinates & ~(std::uint64_t{1} << k);
  }
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const std::uint64_t bit = std::uint64_t{1} << (d + j);
    std::vector<Integer> sides;
    for (const Ray& ray : rays) sides.push_back(side(rows[j], ray));
    std::vector<Ray> next;
    for (std::size_t a = 0; a < rays.size(); ++a) {
      if (sides[a] < 0) continue;
      next.push_back(rays[a]);
      if (sides[a].is_zero()) next.back().tight |= bit;
    }
    for (std::size_t a = 0; a < rays.size(); ++a) {
      if (sides[a] <= 0) continue;
      for (std::size_t b = 0; b < rays.size(); ++b) {
        if (sides[b] >= 0 || !adjacent(rays, a, b, d)) continue;
        Ray ray{std::vector<Integer>(d), (rays[a].tight & rays[b].tight) | bit};
        for (std::size_t k = 0; k < d; ++k) {
          ray.at[k] = sides[a] * rays[b].at[k] - sides[b] * rays[a].at[k];
        }
        reduce(ray.at);
        next.push_back(std::move(ray));
      }
      if (next.size() > most_rays) {
        throw Error(ErrorKind::invalid,
                    "the game is too large for mixed equilibria: its best-reply regions have more "
                    "than " +
                        std::to_string(most_rays) + " corners",
                    "game", "ask for its pure equilibria, or take fewer actions");
      }
    }
    rays = std::move(next);
  }
  return rays;
}

/// More corners than this take minutes.
constexpr std::size_t kMostCorners = 20'000;

using RationalMatrix = std::vector<std::vector<Rational>>;  // [row][column]

/// A strategy at a corner of a best-reply region. Labels: bit i for row i, bit m + j for column j:
/// an own action that is not used, or an action of the other that is a best reply.
struct Corner {
  std::vector<Rational> weights;
  std::uint64_t labels = 0;
};

RationalMatrix payoff_table(const MatrixGame& game, std::size_t player) {
  RationalMatrix table(game.actions(0), std::vector<Rational>(game.actions(1)));
  for (std::size_t i = 0; i < game.profiles(); ++i) {
    table[i / game.actions(1)][i % game.actions(1)] = exactly(game.payoff(i, player));
  }
  return table;
}

RationalMatrix transposed(const RationalMatrix& table) {
  RationalMatrix other(table.front().size(), std::vector<Rational>(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = 0; j < table[i].size(); ++j) other[j][i] = table[i][j];
  }
  return other;
}

/// The same preferences in positive whole numbers.
std::vector<std::vector<Integer>> positive_whole(const RationalMatrix& table) {
  Rational least = table.front().front();
  Integer scale = 1;
  for (const auto& row : table) {
    for (const Rational& x : row) {
      least = std::min(least, x);
      scale = lcm(scale, Integer(denominator(x)));
    }
  }
  std::vector<std::vector<Integer>> whole(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (const Rational& x : table[i]) {
      whole[i].push_back(Integer(numerator(Rational((x - least) * scale))) + 1);
    }
  }
  return whole;
}

/// The corners of { x >= 0 : no reply in `replies` pays more than 1 }, scaled to strategies.
/// `replies[r][k]` is what reply r earns against own action k. The labels of own actions start at
/// bit `own`, those of replies at bit `theirs`.
std::vector<Corner> corners(const RationalMatrix& replies, std::size_t own, std::size_t theirs) {
  const auto whole = positive_whole(replies);
  const std::size_t width = whole.front().size();
  std::vector<std::vector<Integer>> rows;
  for (const auto& reply : whole) {
    std::vector<Integer> row;
    for (const Integer& x : reply) row.push_back(-x);
    row.emplace_back(1);  // the coordinate that makes the region a cone
    rows.push_back(std::move(row));
  }
  std::vector<Corner> found;
  for (const Ray& ray : extreme_rays(width + 1, rows, kMostCorners)) {
    Integer sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += ray.at[k];
    if (sum.is_zero()) continue;  // no strategy: the origin
    Corner corner;
    for (std::size_t k = 0; k < width; ++k) {
      corner.weights.emplace_back(ray.at[k], sum);
      if (ray.at[k].is_zero()) corner.labels |= std::uint64_t{1} << (own + k);
    }
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if ((ray.tight >> (width + 1 + r) & 1) != 0)
        corner.labels |= std::uint64_t{1} << (theirs + r);
    }
    found.push_back(std::move(corner));
  }
  return found;
}

std::size_t in_use(const std::vector<Rational>& weights) {
  return static_cast<std::size_t>(
      std::ranges::count_if(weights, [](const Rational& w) { return w > 0; }));
}

/// What a table pays when both mix.
Rational expected(const RationalMatrix& table, const std::vector<Rational>& x,
                  const std::vector<Rational>& y) {
  Rational sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i].is_zero()) continue;
    for (std::size_t j = 0; j < y.size(); ++j) sum += x[i] * y[j] * table[i][j];
  }
  return sum;
}

MixedStrategy to_strategy(const std::vector<Rational>& weights) {
  MixedStrategy strategy;
  for (const Rational& weight : weights) strategy.push_back(to_exact(weight));
  return strategy;
}

bool one_action(const MixedStrategy& strategy) {
  return std::ranges::count_if(strategy, [](const Exact& w) { return w.value > 0; }) == 1;
}

}  // namespace

bool MixedEquilibrium::pure() const {
  return one_action(first) && one_action(second);
}

std::vector<MixedEquilibrium> extreme_equilibria(const MatrixGame& game) {
  if (game.players() != 2) {
    throw Error(ErrorKind::invalid,
                "mixed equilibria are found for two players, and the game has " +
                    std::to_string(game.players()),
                "game", "ask for its pure equilibria");
  }
  const std::size_t m = game.actions(0);
  const std::size_t n = game.actions(1);
  if (m > kMostMixedActions || n > kMostMixedActions) {
    throw Error(ErrorKind::invalid,
                "the game is too large for mixed equilibria: " + std::to_string(m) + " by " +
                    std::to_string(n) + " actions, and " + std::to_string(kMostMixedActions) +
                    " a player are the most",
                "game", "ask for its pure equilibria, or take fewer actions");
  }
  const RationalMatrix first = payoff_table(game, 0);
  const RationalMatrix second = payoff_table(game, 1);
  const auto rows = corners(transposed(second), 0, m);
  const auto columns = corners(first, m, 0);
  const std::uint64_t all = (std::uint64_t{1} << (m + n)) - 1;
  std::vector<std::pair<const Corner*, const Corner*>> pairs;
  for (const Corner& x : rows) {
    for (const Corner& y : columns) {
      if ((x.labels | y.labels) == all) pairs.emplace_back(&x, &y);
    }
  }
  std::ranges::sort(pairs, [](const auto& a, const auto& b) {
    const std::size_t used_a = in_use(a.first->weights) + in_use(a.second->weights);
    const std::size_t used_b = in_use(b.first->weights) + in_use(b.second->weights);
    if (used_a != used_b) return used_a < used_b;
    if (a.first->weights != b.first->weights) return a.first->weights > b.first->weights;
    return a.second->weights > b.second->weights;
  });
  std::vector<MixedEquilibrium> equilibria;
  for (const auto& [x, y] : pairs) {
    equilibria.push_back({to_strategy(x->weights), to_strategy(y->weights),
                          to_exact(expected(first, x->weights, y->weights)),
                          to_exact(expected(second, x->weights, y->weights))});
  }
  return equilibria;
}

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
