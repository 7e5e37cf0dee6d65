#pragma once

#include <agon/analysis/game_theory.hpp>
#include <optional>
#include <string>
#include <vector>

#include "classic/cooperation.hpp"
#include "classic/settings.hpp"

namespace classic {

/// The cells of a payoff table as the library of game theory takes them; each player has as many
/// actions as `actions` lists.
[[nodiscard]] agon::theory::MatrixGame matrix_of(std::span<const std::vector<std::string>> actions,
                                                 std::span<const std::vector<double>> payoffs);

/// A tree as the library takes it: place i < nodes.size() is node i, the ends follow.
[[nodiscard]] agon::theory::TreeGame tree_of(std::span<const TreeNode> nodes);

/// The best and the safe outcomes of a player: anchors of the normalised score.
struct Anchors {
  double zero = 0;  ///< what one action, or one plan in a tree, makes sure of
  double one = 0;   ///< the best outcome that leaves everybody else what they are sure of
};

/// What is worked out once for given settings.
struct Prepared {
  GameData game;                  ///< payoffs scaled, actions called as players know them
  std::vector<std::string> told;  ///< by player: the outcomes in words
  std::vector<Anchors> anchors;   ///< by player
  std::vector<std::vector<std::string>> options;  ///< by node of a tree: names of the moves
  std::vector<double> ends;  ///< all outcomes: a payoff for each player, one after another
  std::vector<bool> pareto;  ///< by outcome
  double worst_welfare = 0;
  double best_welfare = 0;
  std::optional<Cooperation> cooperation;  ///< where it can be said
  /// By player: the place of the action that cooperates, from 1; empty: none does. Views have it
  /// under a name that tells no story.
  std::vector<int> focal;
  /// True if metrics count cooperation: in games that name it, and in repeated play.
  bool counts_cooperation = false;
  // payoff table
  std::optional<agon::theory::MatrixGame> matrix;
  std::vector<bool> nash;       ///< by cell; empty if there is no pure equilibrium
  std::vector<bool> best_nash;  ///< by cell
  // tree
  std::optional<agon::theory::TreeGame> tree;
  agon::theory::TreeSolution solution;

  [[nodiscard]] std::size_t players() const { return game.players.size(); }
  /// The payoffs of an outcome: a cell of the table, or an end of the tree by its place.
  [[nodiscard]] std::span<const double> payoffs(std::size_t outcome) const;
};

/// Works it out.
[[nodiscard]] Prepared prepare(const Settings& settings);

/// The outcomes in words for one player: a sentence a cell or end, own action and payoff first. In
/// a tree those that node `from` leads to.
[[nodiscard]] std::string sentences(const GameData& game, std::size_t player, std::size_t from = 0);

/// A payoff with its prefix: "$-3" is written -$3.
[[nodiscard]] std::string payoff_text(double payoff, std::string_view prefix);

}  // namespace classic
