#pragma once

#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>
#include <string>
#include <vector>

#include "classic/prepared.hpp"

namespace classic {

/// An outcome that is pointed out: a cell of the table, or an end of the tree.
struct Outlined {
  std::vector<std::string> actions;  ///< of each player, or one after another
  std::vector<double> payoffs;
  bool best = false;  ///< equilibria: no other pure one Pareto-dominates it
};

/// A mixed equilibrium of two players.
struct OutlinedMix {
  std::vector<std::vector<std::string>> probabilities;  ///< by player and action: "1/3"
  std::vector<std::string> payoffs;                     ///< by player
};

/// An action that is crossed out.
struct OutlinedElimination {
  int round = 0;
  std::string player;
  std::string action;
  std::string by;  ///< "choice_2", or "1/2 choice_1 + 1/2 choice_3"
};

/// What repeated crossing out comes to.
struct OutlinedDominance {
  std::vector<OutlinedElimination> eliminated;
  std::vector<std::vector<std::string>> left;  ///< by player
  bool by_single = false;  ///< mixtures were not looked at: the game is too large for them
};

/// A node of a tree and what backward induction says of it.
struct OutlinedNode {
  std::string way;         ///< how it is reached: "choice_1, choice_2"; empty: the first
  std::size_t before = 0;  ///< the node before it, from 1; 0: it is the first
  std::string move;        ///< what leads here from there
  std::string player;
  std::string best;
  std::vector<double> value;
  bool tied = false;
  bool on_path = false;
};

/// Everything that can be said of a game.
struct Solution {
  std::string name;
  GameData game;                                 ///< scaled, actions as players know them
  std::vector<std::vector<std::string>> labels;  ///< payoff table: what the data call them
  std::vector<Outlined> pure;                    ///< pure equilibria; in a tree the principal path
  std::vector<OutlinedMix> mixed;                ///< extreme equilibria that mix; two players only
  std::string mixed_missing;  ///< why there are none to show; empty: there are none
  OutlinedDominance strict;
  OutlinedDominance weak;
  std::vector<OutlinedNode> nodes;
  std::vector<Outlined> pareto;
  std::vector<std::string> safe;  ///< by player: what it is sure of, as an exact number
  std::vector<Outlined> bargain;  ///< two players: Nash's points over what they are sure of
};

/// Works it out.
[[nodiscard]] Solution solve(const Settings& settings, std::string name);

/// For people.
[[nodiscard]] std::string as_text(const Solution& solution);
/// One JSON object.
[[nodiscard]] std::string as_json(const Solution& solution);

/// `agon solve`: equilibria, dominance, backward induction and bargains of classic games.
[[nodiscard]] agon::PluginCommand solve_command();

}  // namespace classic
