#include "classic/prepared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace classic {
namespace {

namespace theory = agon::theory;

/// Scales payoffs, and calls everything as players know it.
GameData as_told(const Settings& s) {
  GameData game = s.game;
  // Adding zero makes -0 into 0, so that nobody reads "-0".
  const auto scaled = [&](std::vector<double>& payoffs) {
    for (double& x : payoffs) x = x * s.scale + 0.0;
  };
  for (auto& cell : game.payoffs) scaled(cell);
  for (TreeNode& node : game.nodes)
    for (TreeMove& move : node.moves) scaled(move.payoffs);
  if (s.labels) return game;
  for (auto& own : game.actions)
    for (std::size_t a = 0; a < own.size(); ++a) own[a] = fmt::format("choice_{}", a + 1);
  for (TreeNode& node : game.nodes)
    for (std::size_t m = 0; m < node.moves.size(); ++m)
      node.moves[m].label = fmt::format("choice_{}", m + 1);
  return game;
}

/// What `player` is sure of in a tree: it moves for its best, everybody else for its worst.
double tree_maximin(const theory::TreeGame& tree, std::size_t player) {
  std::vector<double> value(tree.nodes().size());
  const auto& order = tree.order();
  for (auto n = order.rbegin(); n != order.rend(); ++n) {
    const theory::TreeNode& node = tree.nodes()[*n];
    if (node.children.empty()) {
      value[*n] = node.payoffs[player];
      continue;
    }
    double best = value[node.children.front()];
    for (const std::size_t child : node.children)
      best = node.player == player ? std::max(best, value[child]) : std::min(best, value[child]);
    value[*n] = best;
  }
  return value[0];
}

void add_anchors(Prepared& made) {
  const std::size_t n = made.players();
  made.anchors.resize(n);
  for (std::size_t p = 0; p < n; ++p)
    made.anchors[p].zero =
        made.tree ? tree_maximin(*made.tree, p) : theory::pure_maximin(*made.matrix, p).value.value;
  for (std::size_t p = 0; p < n; ++p) {
    double& one = made.anchors[p].one;
    one = -std::numeric_limits<double>::infinity();
    for (std::size_t o = 0; o * n < made.ends.size(); ++o) {
      const std::span<const double> payoffs = std::span(made.ends).subspan(o * n, n);
      bool rational = true;
      for (std::size_t q = 0; q < n; ++q)
        rational = rational && (q == p || payoffs[q] >= made.anchors[q].zero);
      if (rational) one = std::max(one, payoffs[p]);
    }
  }
}

void add_outcomes(Prepared& made) {
  const std::size_t n = made.players();
  std::vector<std::vector<double>> points;
  const auto add = [&](std::span<const double> payoffs) {
    made.ends.insert(made.ends.end(), payoffs.begin(), payoffs.end());
    points.emplace_back(payoffs.begin(), payoffs.end());
    double welfare = 0;
    for (const double x : payoffs) welfare += x;
    const bool first = made.ends.size() == n;
    made.worst_welfare = first ? welfare : std::min(made.worst_welfare, welfare);
    made.best_welfare = first ? welfare : std::max(made.best_welfare, welfare);
  };
  if (made.tree) {
    for (const theory::TreeNode& node : made.tree->nodes())
      if (node.children.empty()) add(node.payoffs);
  } else {
    for (std::size_t c = 0; c < made.matrix->profiles(); ++c) add(made.matrix->payoffs(c));
  }
  made.pareto.resize(points.size());
  for (const std::size_t o : theory::pareto_frontier(points)) made.pareto[o] = true;
}

void add_cooperation(Prepared& made, const Settings& settings) {
  const std::string& named = settings.game.cooperate;
  if (named.empty()) {
    made.cooperation = cooperation_of(*made.matrix);
  } else {
    std::vector<std::size_t> actions;
    for (const auto& own : settings.game.actions)
      actions.push_back(
          static_cast<std::size_t>(std::find(own.begin(), own.end(), named) - own.begin()));
    made.cooperation = cooperation_by(*made.matrix, std::move(actions));
    // What a game names is that and nothing else.
    for (std::size_t p = 0; p < made.players(); ++p) {
      std::vector<bool>& counts = made.cooperation->counts[p];
      std::fill(counts.begin(), counts.end(), false);
      counts[made.cooperation->action[p]] = true;
    }
  }
  if (!made.cooperation) return;
  for (const std::size_t a : made.cooperation->action)
    made.focal.push_back(static_cast<int>(a) + 1);
  made.counts_cooperation = !named.empty() || settings.periods > 1;
}

}  // namespace

theory::MatrixGame matrix_of(std::span<const std::vector<std::string>> actions,
                             std::span<const std::vector<double>> payoffs) {
  std::vector<std::size_t> counts;
  for (const auto& own : actions) counts.push_back(own.size());
  std::vector<double> flat;
  flat.reserve(payoffs.size() * actions.size());
  for (const auto& cell : payoffs) flat.insert(flat.end(), cell.begin(), cell.end());
  return {std::move(counts), std::move(flat)};
}

theory::TreeGame tree_of(std::span<const TreeNode> nodes) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes[i].name, i);
  std::vector<theory::TreeNode> made(nodes.size());
  std::size_t players = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    made[i].player = static_cast<std::size_t>(nodes[i].player);
    for (const TreeMove& move : nodes[i].moves) {
      if (!move.to.empty()) {
        made[i].children.push_back(places.at(move.to));
        continue;
      }
      players = move.payoffs.size();
      made[i].children.push_back(made.size());
      theory::TreeNode end;
      end.payoffs = move.payoffs;
      made.push_back(std::move(end));
    }
  }
  return {players, std::move(made)};
}

std::span<const double> Prepared::payoffs(std::size_t outcome) const {
  return tree ? std::span<const double>(tree->nodes()[outcome].payoffs) : matrix->payoffs(outcome);
}

Prepared prepare(const Settings& settings) {
  Prepared made;
  made.game = as_told(settings);
  for (std::size_t p = 0; p < made.players(); ++p) made.told.push_back(sentences(made.game, p));
  if (is_tree(made.game)) {
    made.tree = tree_of(made.game.nodes);
    made.solution = theory::backward_induction(*made.tree);
    for (const TreeNode& node : made.game.nodes) {
      made.options.emplace_back();
      for (const TreeMove& move : node.moves) made.options.back().push_back(move.label);
    }
  } else {
    made.matrix = matrix_of(made.game.actions, made.game.payoffs);
    const std::size_t cells = made.matrix->profiles();
    const auto pure = theory::pure_equilibria(*made.matrix);
    if (!pure.empty()) made.nash.resize(cells), made.best_nash.resize(cells);
    for (const std::size_t c : pure) made.nash[c] = true;
    for (const std::size_t c : theory::best_pure_equilibria(*made.matrix)) made.best_nash[c] = true;
    add_cooperation(made, settings);
  }
  add_outcomes(made);
  add_anchors(made);
  return made;
}

}  // namespace classic
