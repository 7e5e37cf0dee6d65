#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <string>
#include <utility>

#include "theory/cone.hpp"

namespace agon::theory {
namespace {

/// More corners than this take minutes.
constexpr std::size_t kMostCorners = 20'000;

using Table = std::vector<std::vector<Rational>>;  // [row][column]

/// A strategy at a corner of a best-reply region. Labels: bit i for row i, bit m + j for column j:
/// an own action that is not used, or an action of the other that is a best reply.
struct Corner {
  std::vector<Rational> weights;
  std::uint64_t labels = 0;
};

Table payoff_table(const MatrixGame& game, std::size_t player) {
  Table table(game.actions(0), std::vector<Rational>(game.actions(1)));
  for (std::size_t i = 0; i < game.profiles(); ++i) {
    table[i / game.actions(1)][i % game.actions(1)] = exactly(game.payoff(i, player));
  }
  return table;
}

Table transposed(const Table& table) {
  Table other(table.front().size(), std::vector<Rational>(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = 0; j < table[i].size(); ++j) other[j][i] = table[i][j];
  }
  return other;
}

/// The same preferences in positive whole numbers.
std::vector<std::vector<Integer>> positive_whole(const Table& table) {
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
std::vector<Corner> corners(const Table& replies, std::size_t own, std::size_t theirs) {
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
      std::count_if(weights.begin(), weights.end(), [](const Rational& w) { return w > 0; }));
}

/// What a table pays when both mix.
Rational expected(const Table& table, const std::vector<Rational>& x,
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
  return std::count_if(strategy.begin(), strategy.end(),
                       [](const Exact& w) { return w.value > 0; }) == 1;
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
  const Table first = payoff_table(game, 0);
  const Table second = payoff_table(game, 1);
  const auto rows = corners(transposed(second), 0, m);
  const auto columns = corners(first, m, 0);
  const std::uint64_t all = (std::uint64_t{1} << (m + n)) - 1;
  std::vector<std::pair<const Corner*, const Corner*>> pairs;
  for (const Corner& x : rows) {
    for (const Corner& y : columns) {
      if ((x.labels | y.labels) == all) pairs.emplace_back(&x, &y);
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
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

}  // namespace agon::theory
