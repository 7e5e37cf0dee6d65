#include "classic/solve/solution.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>

namespace classic {
namespace {

namespace theory = agon::theory;

std::vector<double> copy_of(std::span<const double> payoffs) {
  return {payoffs.begin(), payoffs.end()};
}

/// "choice_2", or "1/2 choice_1 + 1/2 choice_3".
std::string mixture(const theory::MixedStrategy& strategy, const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t a = 0; a < strategy.size(); ++a) {
    if (strategy[a].text == "0") continue;
    text += text.empty() ? "" : " + ";
    text += strategy[a].text == "1" ? names[a] : strategy[a].text + " " + names[a];
  }
  return text;
}

Outlined cell_of(const Prepared& made, std::size_t cell) {
  Outlined out;
  const auto profile = made.matrix->profile(cell);
  for (std::size_t p = 0; p < profile.size(); ++p)
    out.actions.push_back(made.game.actions[p][profile[p]]);
  out.payoffs = copy_of(made.matrix->payoffs(cell));
  return out;
}

OutlinedDominance dominance_of(const Prepared& made, theory::Dominance kind) {
  OutlinedDominance out;
  const auto found = [&] {
    try {
      return theory::eliminate_dominated(*made.matrix, kind, theory::DominatedBy::mixed);
    } catch (const agon::Error&) {
      // Too many actions to weigh mixtures of: what single actions dominate can be told all the
      // same.
      out.by_single = true;
      return theory::eliminate_dominated(*made.matrix, kind, theory::DominatedBy::pure);
    }
  }();
  for (const theory::Elimination& e : found.eliminated)
    out.eliminated.push_back({static_cast<int>(e.round) + 1, made.game.players[e.player],
                              made.game.actions[e.player][e.action],
                              mixture(e.by, made.game.actions[e.player])});
  for (std::size_t p = 0; p < found.left.size(); ++p) {
    out.left.emplace_back();
    for (const std::size_t a : found.left[p]) out.left.back().push_back(made.game.actions[p][a]);
  }
  return out;
}

void solve_table(const Prepared& made, Solution& out) {
  const theory::MatrixGame& matrix = *made.matrix;
  for (std::size_t c = 0; c < made.nash.size(); ++c) {
    if (!made.nash[c]) continue;
    out.pure.push_back(cell_of(made, c));
    out.pure.back().best = made.best_nash[c];
  }
  for (std::size_t c = 0; c < made.pareto.size(); ++c)
    if (made.pareto[c]) out.pareto.push_back(cell_of(made, c));
  out.strict = dominance_of(made, theory::Dominance::strict);
  out.weak = dominance_of(made, theory::Dominance::weak);
  for (std::size_t p = 0; p < made.players(); ++p)
    out.safe.push_back(theory::pure_maximin(matrix, p).value.text);
  if (matrix.players() != 2) {
    out.mixed_missing = "they are worked out for two players only";
    return;
  }
  try {
    for (const theory::MixedEquilibrium& e : theory::extreme_equilibria(matrix)) {
      if (e.pure()) continue;
      OutlinedMix mix;
      for (const theory::MixedStrategy* strategy : {&e.first, &e.second}) {
        mix.probabilities.emplace_back();
        for (const theory::Exact& x : *strategy) mix.probabilities.back().push_back(x.text);
      }
      mix.payoffs = {e.first_payoff.text, e.second_payoff.text};
      out.mixed.push_back(std::move(mix));
    }
  } catch (const agon::Error& error) {
    out.mixed_missing = error.problem();
  }
  std::vector<theory::PayoffPair> points;
  for (std::size_t c = 0; c < matrix.profiles(); ++c)
    points.push_back({matrix.payoff(c, 0), matrix.payoff(c, 1)});
  for (const std::size_t c :
       theory::nash_bargains(points, {made.anchors[0].zero, made.anchors[1].zero}))
    out.bargain.push_back(cell_of(made, c));
}

void solve_tree(const Prepared& made, Solution& out) {
  const theory::TreeGame& tree = *made.tree;
  const std::size_t decisions = made.game.nodes.size();
  std::vector<std::vector<std::string>> ways(tree.nodes().size());
  std::vector<std::size_t> before(tree.nodes().size(), 0);
  std::size_t number = 0;
  for (const std::size_t n : tree.order()) {
    if (n < decisions) ++number;
    for (std::size_t m = 0; m < tree.nodes()[n].children.size(); ++m) {
      const std::size_t child = tree.nodes()[n].children[m];
      ways[child] = ways[n];
      ways[child].push_back(made.options[n][m]);
      before[child] = number;
    }
  }
  const auto end_of = [&](std::size_t place) {
    return Outlined{ways[place], tree.nodes()[place].payoffs, false};
  };
  const theory::TreeSolution& s = made.solution;
  for (const std::size_t n : tree.order()) {
    if (n >= decisions) continue;
    OutlinedNode node;
    for (const std::string& action : ways[n]) node.way += (node.way.empty() ? "" : ", ") + action;
    node.before = before[n];
    if (!ways[n].empty()) node.move = ways[n].back();
    node.player = made.game.players[tree.nodes()[n].player];
    node.best = made.options[n][s.choice[n]];
    node.value = tree.nodes()[s.end[n]].payoffs;
    node.tied = std::binary_search(s.ties.begin(), s.ties.end(), n);
    node.on_path = std::find(s.nodes.begin(), s.nodes.end(), n) != s.nodes.end();
    out.nodes.push_back(std::move(node));
  }
  out.pure.push_back(end_of(s.end[0]));
  out.pure.back().best = true;
  for (std::size_t o = 0; o < made.pareto.size(); ++o)
    if (made.pareto[o]) out.pareto.push_back(end_of(decisions + o));
  for (const Anchors& anchors : made.anchors) out.safe.push_back(fmt::format("{}", anchors.zero));
  if (made.players() != 2) return;
  std::vector<theory::PayoffPair> points;
  for (std::size_t o = 0; o < made.pareto.size(); ++o) {
    const auto& payoffs = tree.nodes()[decisions + o].payoffs;
    points.push_back({payoffs[0], payoffs[1]});
  }
  for (const std::size_t o :
       theory::nash_bargains(points, {made.anchors[0].zero, made.anchors[1].zero}))
    out.bargain.push_back(end_of(decisions + o));
}

}  // namespace

Solution solve(const Settings& settings, std::string name) {
  const Prepared made = prepare(settings);
  Solution out;
  out.name = settings.game.name;
  if (out.name.empty()) out.name = std::move(name);
  out.game = made.game;
  if (!settings.labels) out.labels = settings.game.actions;
  if (made.tree)
    solve_tree(made, out);
  else
    solve_table(made, out);
  return out;
}

}  // namespace classic
