#include <agon/analysis/game_theory.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "theory/rational.hpp"

namespace agon::theory {
namespace {

[[noreturn]] void refuse(std::string problem, std::string where, std::string hint = {}) {
  throw Error(ErrorKind::invalid, std::move(problem), std::move(where), std::move(hint));
}

}  // namespace

MatrixGame::MatrixGame(std::vector<std::size_t> actions, std::vector<double> payoffs)
    : actions_(std::move(actions)), strides_(actions_.size(), 1), payoffs_(std::move(payoffs)) {
  if (actions_.empty() || actions_.size() > kMostPlayers) {
    refuse("a matrix game has 1 to " + std::to_string(kMostPlayers) + " players, not " +
               std::to_string(actions_.size()),
           "actions", "list how many actions each player has");
  }
  std::size_t profiles = 1;
  for (std::size_t p = actions_.size(); p-- > 0;) {
    const std::string where = "actions[" + std::to_string(p) + "]";
    if (actions_[p] == 0) refuse("a player needs at least one action", where, "name its actions");
    strides_[p] = profiles;
    if (actions_[p] > kMostProfiles / profiles) {
      refuse("the players' actions make more than " + std::to_string(kMostProfiles) + " profiles",
             where, "take fewer players or actions");
    }
    profiles *= actions_[p];
  }
  if (payoffs_.size() != profiles * actions_.size()) {
    refuse("the table has a hole: " + std::to_string(profiles) + " profiles of " +
               std::to_string(actions_.size()) + " players need " +
               std::to_string(profiles * actions_.size()) + " payoffs, not " +
               std::to_string(payoffs_.size()),
           "payoffs", "give every player's payoff for every profile");
  }
  for (std::size_t i = 0; i < payoffs_.size(); ++i) {
    if (!std::isfinite(payoffs_[i])) {
      refuse("a payoff is not a finite number", "payoffs[" + std::to_string(i) + "]",
             "give a number");
    }
  }
}

std::size_t MatrixGame::index(std::span<const std::size_t> profile) const {
  if (profile.size() != players()) {
    refuse("a profile names one action for each of " + std::to_string(players()) +
               " players, not " + std::to_string(profile.size()),
           "profile");
  }
  std::size_t index = 0;
  for (std::size_t p = 0; p < profile.size(); ++p) {
    if (profile[p] >= actions_[p]) {
      refuse("there is no action " + std::to_string(profile[p]) + ", counted from 0",
             "profile[" + std::to_string(p) + "]",
             "the player has " + std::to_string(actions_[p]) + " actions");
    }
    index += profile[p] * strides_[p];
  }
  return index;
}

std::vector<std::size_t> MatrixGame::profile(std::size_t index) const {
  std::vector<std::size_t> actions(players());
  for (std::size_t p = 0; p < actions.size(); ++p) actions[p] = index / strides_[p] % actions_[p];
  return actions;
}

namespace {

void check_node(const TreeNode& node, std::size_t players, std::size_t count,
                const std::string& where) {
  if (node.children.empty()) {
    if (node.payoffs.empty()) {
      refuse("a branch is missing: the node has neither children nor payoffs", where,
             "give it children, or one payoff for each player");
    }
    if (node.payoffs.size() != players) {
      refuse("an end of the tree has " + std::to_string(node.payoffs.size()) + " payoffs for " +
                 std::to_string(players) + " players",
             where + ".payoffs", "give one payoff for each player");
    }
    for (std::size_t p = 0; p < players; ++p) {
      if (!std::isfinite(node.payoffs[p])) {
        refuse("a payoff is not a finite number", where + ".payoffs[" + std::to_string(p) + "]",
               "give a number");
      }
    }
    return;
  }
  if (!node.payoffs.empty()) {
    refuse("a node with children has payoffs", where + ".payoffs",
           "only the ends of a tree have payoffs");
  }
  if (node.player >= players) {
    refuse("there is no player " + std::to_string(node.player) + ", counted from 0",
           where + ".player", "the tree has " + std::to_string(players) + " players");
  }
  for (std::size_t a = 0; a < node.children.size(); ++a) {
    if (node.children[a] < count) continue;
    refuse("a branch is missing: there is no node " + std::to_string(node.children[a]) +
               ", counted from 0",
           where + ".children[" + std::to_string(a) + "]",
           "the tree has " + std::to_string(count) + " nodes");
  }
}

}  // namespace

TreeGame::TreeGame(std::size_t players, std::vector<TreeNode> nodes)
    : players_(players), nodes_(std::move(nodes)) {
  if (players_ == 0 || players_ > kMostPlayers) {
    refuse("a tree has 1 to " + std::to_string(kMostPlayers) + " players, not " +
               std::to_string(players_),
           "players", "");
  }
  if (nodes_.empty() || nodes_.size() > kMostNodes) {
    refuse("a tree has 1 to " + std::to_string(kMostNodes) + " nodes, not " +
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
        refuse("two branches lead to node " + std::to_string(nodes_[i].children[a]),
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
  refuse("the node is not reached from the root",
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

namespace {

/// All rows have `width` numbers, none of them NaN.
void check_rows(std::span<const std::vector<double>> rows, std::size_t width) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string where = "[" + std::to_string(i) + "]";
    if (rows[i].size() != width) {
      refuse("a row has " + std::to_string(rows[i].size()) + " numbers where " +
                 std::to_string(width) + " are needed",
             where);
    }
    for (std::size_t j = 0; j < width; ++j) {
      if (std::isnan(rows[i][j])) {
        refuse("a value is not a number", where + "[" + std::to_string(j) + "]");
      }
    }
  }
}

}  // namespace

bool pareto_dominates(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(a[i] >= b[i])) return false;
    better = better || a[i] > b[i];
  }
  return better;
}

std::vector<std::size_t> pareto_frontier(std::span<const std::vector<double>> points) {
  if (!points.empty()) check_rows(points, points.front().size());
  std::vector<std::size_t> frontier;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bool dominated = false;
    for (std::size_t j = 0; j < points.size() && !dominated; ++j) {
      dominated = pareto_dominates(points[j], points[i]);
    }
    if (!dominated) frontier.push_back(i);
  }
  return frontier;
}

bool envy_free(std::span<const std::vector<double>> values) {
  check_rows(values, values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const double other : values[i]) {
      if (other > values[i][i]) return false;
    }
  }
  return true;
}

std::vector<std::size_t> nash_bargains(std::span<const PayoffPair> points,
                                       PayoffPair disagreement) {
  const auto check = [](const PayoffPair& point, const std::string& where) {
    if (std::isfinite(point.first) && std::isfinite(point.second)) return;
    refuse("a payoff is not a finite number", where);
  };
  check(disagreement, "disagreement");
  const Rational first = exactly(disagreement.first);
  const Rational second = exactly(disagreement.second);
  std::vector<std::size_t> best;
  Rational largest = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    check(points[i], "points[" + std::to_string(i) + "]");
    if (!(points[i].first > disagreement.first && points[i].second > disagreement.second)) continue;
    const Rational product =
        (exactly(points[i].first) - first) * (exactly(points[i].second) - second);
    if (product > largest) {
      largest = product;
      best.clear();
    }
    if (product == largest) best.push_back(i);
  }
  return best;
}

double equilibrium_bid(SealedBid format, double value, std::size_t bidders, double highest) {
  const std::size_t fewest = format == SealedBid::third_price ? 3 : 2;
  if (bidders < fewest) {
    refuse("an equilibrium bid needs at least " + std::to_string(fewest) + " bidders", "bidders");
  }
  if (!(std::isfinite(highest) && highest > 0)) {
    refuse("the highest possible value is not a positive number", "highest");
  }
  if (!(value >= 0 && value <= highest)) {
    refuse("a value lies between 0 and the highest possible one", "value");
  }
  const auto n = static_cast<double>(bidders);
  switch (format) {
    case SealedBid::first_price:
      return value * (n - 1) / n;
    case SealedBid::second_price:
      return value;
    case SealedBid::third_price:
      return value * (n - 1) / (n - 2);
    case SealedBid::all_pay:
      break;
  }
  // Plain products: pow() need not give the same last bit everywhere.
  double share = 1;
  for (std::size_t i = 1; i < bidders; ++i) share *= value / highest;
  return value * (n - 1) / n * share;
}

}  // namespace agon::theory
