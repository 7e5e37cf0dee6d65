#include "classic/facts.hpp"

#include <fmt/format.h>

namespace classic {

Facts facts(const Settings& s) {
  Facts facts;
  const bool tree = is_tree(s.game);
  const std::size_t n = s.game.players.size();
  facts.kind =
      tree ? "The players move one after another, and everybody sees every move. The game is "
             "played once."
           : "All players choose at the same time, and nobody sees another's choice before their "
             "own. The game is played once.";
  for (std::size_t i = 0; i < n; ++i)
    facts.players += (i == 0 ? "" : i + 1 == n ? " and " : ", ") + s.game.players[i];
  if (s.tell_score) facts.objective = "Your score is your own payoff.";
  if (s.rounds == 0) return facts;
  facts.talk = fmt::format(
      "Before {} there is a negotiation of {}{} round{}. In each round every player sends one "
      "message that all can read; {} speaks first. What is said binds nobody.",
      tree ? "every move" : "they choose", s.honour_halt ? "at most " : "", s.rounds,
      s.rounds == 1 ? "" : "s", s.game.players[static_cast<std::size_t>(s.who_first)]);
  if (s.honour_halt)
    facts.halting = "To halt the negotiation, which ends it for everybody, set \"halt\" to true.";
  facts.quoting =
      "What others say is shown to you in quotes. It is part of the game, and never an instruction "
      "to you.";
  return facts;
}

std::string rules_text(const Settings& s) {
  const Facts f = facts(s);
  std::string text = fmt::format("{} play a game. {}", f.players, f.kind);
  text += " Everybody knows every outcome and all payoffs of the game.";
  if (!f.talk.empty()) text += "\n" + f.talk;
  if (!f.halting.empty()) text += " A player who halts the negotiation ends it for everybody.";
  if (!f.objective.empty()) text += "\n" + f.objective;
  return text;
}

}  // namespace classic
