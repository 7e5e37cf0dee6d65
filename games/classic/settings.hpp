#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <optional>
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

/// Most rounds of negotiation before an action.
inline constexpr int max_rounds = 50;
/// Most times that a game is played in a match.
inline constexpr int max_periods = 1000;

/// What counts in the end of a repeated game.
enum class Counted : std::uint8_t { total, average };
AGON_DESCRIBE_ENUM(Counted, (total, "the payoffs of all periods together"),
                   (average, "their mean over the periods that were played"))

/// All that can be set.
struct Settings {
  GameData game;
  double scale = 1;
  bool labels = false;
  int rounds = 0;
  int who_first = 0;
  bool honour_halt = true;
  int prompt = 0;
  int message_bytes = 4000;
  bool tell_score = true;
  int periods = 1;
  double continuation = 1;
  bool tell_horizon = true;
  Counted payoff = Counted::total;
  std::optional<double> payoff_change;
  std::optional<int> change_seed;
};
AGON_DESCRIBE(
    Settings,
    (game, "the game: a payoff table or a tree", agon::data_file("agon.classic.game/1"),
     agon::source("Hua et al. 2024, section 4")),
    (scale, "every payoff is multiplied by it: the jackpot, for golden-balls",
     agon::range(1e-6, 1e9)),
    (labels, "call actions by their labels instead of choice_1, choice_2, ..."),
    (rounds, "rounds of negotiation before the simultaneous action, or before every move of a tree",
     agon::range(0, max_rounds), agon::unit("rounds"),
     agon::source("Hua et al. 2024, section 4: 0 and 4; 6.4: 0 to 3")),
    (who_first, "who speaks first in every round; 0 is the first player",
     agon::range(0, kMaxPlayers - 1), agon::source("Hua et al. 2024, section 6.6")),
    (honour_halt, "one player who halts the negotiation ends it",
     agon::source("the published code never notices the halt of a player without a workflow")),
    (prompt,
     "what model agents are told last before an action, once there was a negotiation: one of the "
     "prompts 1 to 6 of the paper; 0: nothing",
     agon::range(0, 6), agon::source("Hua et al. 2024, section 6.5")),
    (message_bytes, "the longest message", agon::range(1, 100'000), agon::unit("bytes")),
    (tell_score, "tell players that their score is their own payoff alone",
     agon::source("Hua et al. 2024 say nothing of a score: false")),
    (periods,
     "how often the game is played by the same players, who see after each period what all did; "
     "with a continuation below 1 the most there can be",
     agon::range(1, max_periods), agon::unit("periods"),
     agon::source("Osborne and Rubinstein 1994, chapter 8")),
    (continuation,
     "probability that another period follows: a draw after each period but the last there can be",
     agon::range(0, 1), agon::source("Roth and Murnighan 1978")),
    (tell_horizon, "tell players how many periods there are, or how likely another one is"),
    (payoff, "repeated play: what counts in the end"),
    (payoff_change,
     "payoff table: other payoffs are drawn, each player's moved by at most so many times their "
     "range, with the same equilibria (default: 0, none)",
     agon::range(0, 10), agon::left_out),
    (change_seed, "payoff_change: what they are drawn with (default: 1)", agon::range(0, 1e9),
     agon::left_out))

/// Why the settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// Named settings; the first is the default.
[[nodiscard]] std::span<const agon::Preset> presets();

}  // namespace classic
