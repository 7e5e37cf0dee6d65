#pragma once

#include <agon/describe.hpp>
#include <optional>

namespace classic {

/// What is measured for each player.
struct SeatMetrics {
  double payoff = 0;
  int choice = 0;
  std::optional<double> cooperated;
  double regret = 0;
  int messages = 0;
  bool halted = false;
  bool forced = false;
  std::optional<bool> cooperated_first;
  std::optional<bool> cooperated_last;
};
AGON_DESCRIBE(
    SeatMetrics, (payoff, "what the player got", agon::Better::higher),
    (choice,
     "its action, from 1; in a tree its first one, 0 if it never moved; in repeated play that of "
     "the first period",
     agon::at_least(0)),
    (cooperated,
     "did it take the action that the game calls cooperation? In repeated play the share of "
     "periods, by the payoffs where the game names none",
     agon::range(0, 1)),
    (regret,
     "what the best reply to the others would have brought more; in a tree, what backward "
     "induction from one of its own nodes would have; in repeated play as payoffs count",
     agon::at_least(0), agon::Better::lower),
    (messages, "messages it wrote", agon::at_least(0)),
    (halted, "did it ask to halt a negotiation?", agon::range(0, 1)),
    (forced, "was an action of its own not legal, and another played for it?", agon::range(0, 1),
     agon::Better::lower),
    (cooperated_first, "did it cooperate in the first period?", agon::range(0, 1)),
    (cooperated_last, "did it cooperate in the last period?", agon::range(0, 1)))

/// What is measured for the match. A match in which an action was forced is an invalid trial: it
/// reaches no equilibrium, and stays in the denominator of every rate. Of repeated play these are
/// shares of its periods.
struct MatchMetrics {
  bool valid = true;
  std::optional<double> nash;
  std::optional<double> best_nash;
  std::optional<double> spe;
  std::optional<int> cell;
  double pareto = 0;
  double welfare = 0;
  std::optional<double> welfare_share;
  std::optional<double> cooperation;
  int messages = 0;
  bool halted = false;
  int moves = 0;
  int periods = 1;
  std::optional<double> cooperation_first;
  std::optional<double> cooperation_last;
  std::optional<double> mutual_cooperation;
};
AGON_DESCRIBE(
    MatchMetrics, (valid, "did every player choose a legal action?", agon::range(0, 1)),
    (nash,
     "did play end in a pure equilibrium? In a tree: did it follow the path of backward "
     "induction? Not defined where there is no pure equilibrium",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 4"), agon::Better::higher),
    (best_nash, "in a pure equilibrium that no other pure equilibrium Pareto-dominates?",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 4"), agon::Better::higher),
    (spe, "tree: did play follow the path of backward induction?", agon::range(0, 1),
     agon::Better::higher),
    (cell,
     "payoff table: the joint action, 0-based, the last player's action changing first; in "
     "repeated play that of the last period",
     agon::at_least(0)),
    (pareto, "is no other outcome as good for all and better for one?", agon::range(0, 1),
     agon::Better::higher),
    (welfare, "all payoffs together", agon::Better::higher),
    (welfare_share, "welfare, from 0 at the worst outcome to 1 at the best", agon::range(0, 1),
     agon::Better::higher),
    (cooperation,
     "share of players that cooperated, where the game calls an action so; in repeated play "
     "of all their choices, by the payoffs where the game names none",
     agon::range(0, 1)),
    (messages, "messages written", agon::at_least(0)),
    (halted, "was a negotiation halted?", agon::range(0, 1)),
    (moves, "actions taken", agon::at_least(0)),
    (periods, "how often the game was played", agon::at_least(1)),
    (cooperation_first, "share of players that cooperated in the first period", agon::range(0, 1)),
    (cooperation_last, "share of players that cooperated in the last period", agon::range(0, 1)),
    (mutual_cooperation, "share of periods in which all cooperated", agon::range(0, 1)))

}  // namespace classic
