#pragma once

#include <agon/describe.hpp>
#include <string>
#include <vector>

namespace classic {

/// Most players of a game.
inline constexpr int kMaxPlayers = 6;
/// Most actions that a player of a matrix game has, and moves that a node of a tree has.
inline constexpr int kMaxActions = 64;
/// Most cells of a payoff table.
inline constexpr int kMaxCells = 4096;
/// Most places of a tree: nodes where somebody moves and ends together.
inline constexpr int kMaxPlaces = 10'000;
/// The longest way through a tree, in moves.
inline constexpr int max_depth = 64;
/// The largest payoff, in either direction.
inline constexpr double kMaxPayoff = 1e12;

/// One way on from a node of a tree: to another node, or to the end.
struct TreeMove {
  std::string label;
  std::string to;
  std::vector<double> payoffs;
};
AGON_DESCRIBE(TreeMove, (label, "what the move is called where labels are shown; may be empty"),
              (to, "name of the node that it leads to; empty: the game ends"),
              (payoffs, "what each player gets if the game ends with it"))

/// A place in a tree where somebody moves.
struct TreeNode {
  std::string name;
  int player = 0;
  std::vector<TreeMove> moves;
};
AGON_DESCRIBE(TreeNode, (name, "a name of its own within the tree"),
              (player, "who moves: 0 is the first player", agon::range(0, kMaxPlayers - 1)),
              (moves, "the ways on", agon::length(1, kMaxActions)))

/// A game as data: either a payoff table (`actions` and `payoffs`) or a tree (`nodes`).
struct GameData {
  std::string name;
  std::string title;
  std::vector<std::string> players;
  std::vector<std::vector<std::string>> actions;
  std::string cooperate;
  std::string prefix;
  std::vector<std::vector<double>> payoffs;
  std::vector<TreeNode> nodes;
};
AGON_DESCRIBE(
    GameData, (name, "short name, for people and tables"),
    (title, "what it is called; players are not told", agon::length(0, 200)),
    (players, "names of the players, as they see each other", agon::length(2, kMaxPlayers)),
    (actions,
     "payoff table: for each player what the actions are called where labels are shown; else they "
     "are choice_1, choice_2 and so on",
     agon::length(0, kMaxPlayers)),
    (cooperate, "payoff table: the label that counts as cooperation in metrics; empty: none"),
    (prefix, "what stands before a payoff, such as $", agon::length(0, 8)),
    (payoffs,
     "payoff table: one list a cell with a payoff for each player; the last player's action "
     "changes first, the first player's last",
     agon::length(0, kMaxCells)),
    (nodes, "tree: the first is where play begins", agon::length(0, kMaxPlaces)))

/// What is wrong with a game, with the place in it ("payoffs[3]: ..."); empty if nothing is.
[[nodiscard]] std::string problem_of(const GameData& game);

/// True for a game that is a tree.
[[nodiscard]] inline bool is_tree(const GameData& game) {
  return !game.nodes.empty();
}

}  // namespace classic
