#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace agon::theory {
namespace {

[[noreturn]] void refuse_tree(std::string problem, std::string where, std::string mend) {
  throw Error(ErrorKind::invalid, std::move(problem), std::move(where), std::move(mend));
}

void check_node(const TreeNode& node, std::size_t players, std::size_t count,
                const std::string& where) {
  if (node.children.empty()) {
    if (node.payoffs.empty()) {
      refuse_tree("a branch is missing: the node has neither children nor payoffs", where,
                  "give it children, or one payoff for each player");
    }
    if (node.payoffs.size() != players) {
      refuse_tree("an end of the tree has " + std::to_string(node.payoffs.size()) +
                      " payoffs for " + std::to_string(players) + " players",
                  where + ".payoffs", "give one payoff for each player");
    }
    for (std::size_t p = 0; p < players; ++p) {
      if (!std::isfinite(node.payoffs[p])) {
        refuse_tree("a payoff is not a finite number",
                    where + ".payoffs[" + std::to_string(p) + "]", "give a number");
      }
    }
    return;
  }
  if (!node.payoffs.empty()) {
    refuse_tree("a node with children has payoffs", where + ".payoffs",
                "only the ends of a tree have payoffs");
  }
  if (node.player >= players) {
    refuse_tree("there is no player " + std::to_string(node.player) + ", counted from 0",
                where + ".player", "the tree has " + std::to_string(players) + " players");
  }
  for (std::size_t a = 0; a < node.children.size(); ++a) {
    if (node.children[a] < count) continue;
    refuse_tree("a branch is missing: there is no node " + std::to_string(node.children[a]) +
                    ", counted from 0",
                where + ".children[" + std::to_string(a) + "]",
                "the tree has " + std::to_string(count) + " nodes");
  }
}

}  // namespace

TreeGame::TreeGame(std::size_t players, std::vector<TreeNode> nodes)
    : players_(players), nodes_(std::move(nodes)) {
  if (players_ == 0 || players_ > kMostPlayers) {
    refuse_tree("a tree has 1 to " + std::to_string(kMostPlayers) + " players, not " +
                    std::to_string(players_),
                "players", "");
  }
  if (nodes_.empty() || nodes_.size() > kMostNodes) {
    refuse_tree("a tree has 1 to " + std::to_string(kMostNodes) + " nodes, not " +
                    std::to_string(nodes_.size()),
                "nodes", "");
  }
  const auto place = [](std::size_t i) { return "nodes[" + std::to_string(i) + "]"; };
  std::vector<char> has_parent(nodes_.size(), 0);
  has_parent[0] = 1;  // the root needs none
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    check_node(nodes_[i], players_, nodes_.size(), place(i));
    for (std::size_t a = 0; a < nodes_[i].children.size(); ++a) {
      char& taken = has_parent[nodes_[i].children[a]];
      if (taken != 0) {
        refuse_tree("two branches lead to node " + std::to_string(nodes_[i].children[a]),
                    place(i) + ".children[" + std::to_string(a) + "]",
                    "write the part of the tree twice, and let nothing lead back to the root");
      }
      taken = 1;
    }
  }
  order_.reserve(nodes_.size());
  order_.push_back(0);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const auto& children = nodes_[order_[k]].children;
    order_.insert(order_.end(), children.begin(), children.end());
  }
  if (order_.size() == nodes_.size()) return;
  std::vector<char> reached(nodes_.size(), 0);
  for (const std::size_t i : order_) reached[i] = 1;
  const auto lost = std::find(reached.begin(), reached.end(), 0);
  refuse_tree("the node is not reached from the root",
              place(static_cast<std::size_t>(lost - reached.begin())),
              "make it a child of another node, or leave it out");
}

TreeSolution backward_induction(const TreeGame& game) {
  const auto& nodes = game.nodes();
  TreeSolution solution;
  solution.choice.assign(nodes.size(), 0);
  solution.end.assign(nodes.size(), 0);
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const std::size_t i = game.order()[k];
    const TreeNode& node = nodes[i];
    if (node.children.empty()) {
      solution.end[i] = i;
      continue;
    }
    const auto value = [&](std::size_t action) {
      return nodes[solution.end[node.children[action]]].payoffs[node.player];
    };
    std::size_t best = 0;
    std::size_t equals = 1;
    for (std::size_t a = 1; a < node.children.size(); ++a) {
      if (value(a) == value(best)) ++equals;
      if (value(a) > value(best)) {
        best = a;
        equals = 1;
      }
    }
    solution.choice[i] = best;
    solution.end[i] = solution.end[node.children[best]];
    if (equals > 1) solution.ties.push_back(i);
  }
  std::sort(solution.ties.begin(), solution.ties.end());
  std::size_t at = 0;
  solution.nodes.push_back(at);
  while (!nodes[at].children.empty()) {
    solution.path.push_back(solution.choice[at]);
    at = nodes[at].children[solution.choice[at]];
    solution.nodes.push_back(at);
  }
  return solution;
}

}  // namespace agon::theory
