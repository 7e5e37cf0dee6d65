#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classic/game_data.hpp"

namespace classic {

/// Somebody said something in a negotiation. Also an entry of the history.
struct MessageSent {
  int step = 0;
  int round = 0;
  std::string_view player;
  std::string text;
  bool halt = false;
};
AGON_DESCRIBE(MessageSent, (step, "before which move it was said, from 1; a payoff table has one"),
              (round, "number of the round, from 1"), (player, "who said it"),
              (text, "what was said"), (halt, "true if the player wants to halt the negotiation"))

/// Somebody moved in a tree. Also an entry of the history.
struct Moved {
  int step = 0;
  std::string_view player;
  std::string_view action;
};
AGON_DESCRIBE(Moved, (step, "number of the move, from 1"), (player, "who moved"),
              (action, "the action"))

/// A period of a repeated game is over. Also an entry of the history.
struct PeriodPlayed {
  int period = 0;
  std::vector<std::string_view> actions;
  std::span<const double> payoffs;
};
AGON_DESCRIBE(PeriodPlayed, (period, "number of the period, from 1"),
              (actions, "the actions: of each player at once, or one after another"),
              (payoffs, "what each player got in this period"))

/// What a player sees whenever it is asked.
struct View {
  std::string_view game;
  std::span<const std::vector<std::string>> actions;
  std::span<const std::vector<double>> payoffs;
  std::span<const TreeNode> nodes;
  int at = 0;
  std::span<const std::string> options;
  std::span<const Moved> moves;
  std::span<const MessageSent> messages;
  int round = 0;
  int rounds_left = 0;
  std::string_view advice;
  int period = 1;
  std::optional<int> periods_left;
  std::span<const PeriodPlayed> history;
  std::span<const int> focal;
};
AGON_DESCRIBE(
    View, (game, "every outcome in words, your own actions and payoffs first", agon::prose),
    (actions, "payoff table: the actions of each player"),
    (payoffs,
     "payoff table: for each cell the payoff of each player; the last player's action "
     "changes first"),
    (nodes, "tree: every node where somebody moves; the first is where play began"),
    (at, "tree: 0-based place in nodes where play stands"),
    (options, "what you can choose now; in a negotiation what you will choose from"),
    (moves, "tree: the moves so far in this period"), (messages, "all that was said so far"),
    (round, "number of this round of negotiation, from 1; 0 when it is over"),
    (rounds_left, "rounds of negotiation left now, this one included", agon::unit("rounds")),
    (advice, "a hint on what to make of the negotiation; empty: none", agon::prose),
    (period, "number of this period, from 1; a game that is played once has one"),
    (periods_left,
     "periods that are left, this one included; null: that is not told, or is left to "
     "chance",
     agon::unit("periods")),
    (history, "the periods that were played, oldest first"),
    (focal,
     "payoff table: the joint action that strategies of repeated play hold to, each player's by "
     "its place, from 1; empty: there is none",
     agon::unshown))

}  // namespace classic
