#pragma once

#include <agon/game.hpp>
#include <optional>
#include <string>
#include <vector>

#include "classic/settings.hpp"

namespace classic {

/// A cell of a payoff table as one of its two players sees it.
struct ToldCell {
  std::string reader;
  std::string own;
  std::string rival;
  std::string theirs;
  bool equal = false;
  std::string payoff;
  std::string rival_payoff;
};
AGON_DESCRIBE(ToldCell, (reader, "the player who sees it so", agon::prose),
              (own, "the reader's action", agon::prose), (rival, "the other player", agon::prose),
              (theirs, "the other's action", agon::prose), (equal, "both actions have one name"),
              (payoff, "what the reader gets", agon::prose),
              (rival_payoff, "what the other gets", agon::prose))

/// Somebody's move on the way to an end of a tree.
struct ToldMove {
  std::string player;
  std::string action;
};
AGON_DESCRIBE(ToldMove, (player, "who moves", agon::prose), (action, "the move", agon::prose))

/// What a player gets at an end of a tree.
struct ToldPayoff {
  std::string player;
  std::string amount;
};
AGON_DESCRIBE(ToldPayoff, (player, "who gets it", agon::prose), (amount, "the payoff", agon::prose))

/// An end of a tree.
struct ToldEnd {
  std::vector<ToldMove> moves;
  std::vector<ToldPayoff> payoffs;
};
AGON_DESCRIBE(ToldEnd, (moves, "the way to it"), (payoffs, "what each player gets"))

/// Most cells or ends of a game that is told in pieces.
inline constexpr std::size_t kMostTold = 256;

/// A game of two players that is played once, in pieces from which prompts make sentences.
struct ToldGame {
  int rounds = 0;
  int closing = 0;
  bool money = false;
  std::vector<ToldCell> cells;
  std::vector<ToldEnd> ends;
};
AGON_DESCRIBE(ToldGame, (rounds, "rounds of negotiation before an action"),
              (closing, "number of the closing prompt; 0: none"), (money, "payoffs are dollars"),
              (cells,
               "payoff table: for each reader all cells, the reader's own action last to "
               "change"),
              (ends, "tree: all ends, those after fewer moves first"))

/// What everybody may know of the settings, for prompts.
struct Facts {
  std::string kind;
  std::string players;
  std::string talk;
  std::string halting;
  std::string quoting;
  std::string objective;
  std::string phase;
  std::optional<ToldGame> told;
};
AGON_DESCRIBE(Facts, (kind, "whether all choose at once or one after another"),
              (players, "who plays"), (talk, "when there are negotiations; empty: never"),
              (halting, "how to halt a negotiation; empty: nobody can, or there is none"),
              (quoting, "how words of others are shown; empty: there are none"),
              (objective, "what counts in the end"),
              (phase, "repeated play: the event that ends a period; else empty", agon::phase_event,
               agon::unit("period")),
              (told,
               "the game in pieces: of two players who play once, with at most 256 outcomes; else "
               "null",
               agon::left_out))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// What players are told of the rules; the outcomes stand in their views.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// The game as it is registered.
[[nodiscard]] agon::Game game();

/// Adds the parts of a model agent that are for this game alone.
void add_workflows(agon::Registry& registry);

/// What the plugin brings.
void enter(agon::Registry& registry);

}  // namespace classic
