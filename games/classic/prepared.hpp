#pragma once

#include <agon/analysis/game_theory.hpp>
#include <optional>
#include <string>
#include <vector>

#include "classic/settings.hpp"

namespace classic {

/// What cooperation is in a payoff table, and what answers those who do not cooperate.
struct Cooperation {
  std::vector<std::size_t> action;  ///< by player: what it does to cooperate
  std::vector<std::size_t> punish;  ///< by player: what it does instead to answer others
  /// By player and action: does the action count as cooperation? One does if it leaves everybody
  /// else, as long as they cooperate, no less than `action` would.
  std::vector<std::vector<bool>> counts;
};

/// Cooperation by the payoffs alone: everybody's part of the fairest outcome, which is the one that
/// is best for the player who gets least in it, and of equals the one with more for all together.
/// Nothing if that is not one outcome, or if somebody would get as much where all punish.
[[nodiscard]] std::optional<Cooperation> cooperation_of(const agon::theory::MatrixGame& game);

/// Cooperation as given. To punish is to play the part of the pure equilibrium that is worst for
/// the others, of those in which the player does something else; where there is none, the action
/// that leaves the others least at best.
[[nodiscard]] Cooperation cooperation_by(const agon::theory::MatrixGame& game,
                                         std::vector<std::size_t> action);

/// Why nobody can say what cooperation is under these settings; empty if it can be said.
[[nodiscard]] std::string why_no_cooperation(const Settings& settings);

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

/// The game as players know it: payoffs scaled, actions called as they are shown.
[[nodiscard]] GameData as_told(const Settings& settings);

/// Works it out.
[[nodiscard]] Prepared prepare(const Settings& settings);

/// The outcomes in words for one player: a sentence a cell or end, own action and payoff first. In
/// a tree those that node `from` leads to.
[[nodiscard]] std::string sentences(const GameData& game, std::size_t player, std::size_t from = 0);

/// A payoff with its prefix: "$-3" is written -$3.
[[nodiscard]] std::string payoff_text(double payoff, std::string_view prefix);

}  // namespace classic
