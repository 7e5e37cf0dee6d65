#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/table.hpp>
#include <optional>

#include "classic/messages.hpp"
#include "classic/prepared.hpp"

/// What the game asks and says.
namespace classic {

inline constexpr agon::Stage<"message", Message, View> kMessage{
    "send a message to the others, or halt the negotiation",
    "every player in turn, in each round of a negotiation", &tell};
inline constexpr agon::Stage<"choose", Choice, View> kChoose{
    "choose your action; nobody sees it before all have chosen",
    "every player at once, in games with a payoff table", &tell};
inline constexpr agon::Stage<"move", Choice, View> kMove{
    "choose your move", "the player whose turn it is, in games that are trees", &tell};

inline constexpr agon::Note<"game", Played> kPlayed{"which game it was"};
inline constexpr agon::Event<"message", MessageSent> kMessageSent{"a player has spoken", &tell};
inline constexpr agon::Event<"talk-ended", TalkEnded> kTalkEnded{
    "a negotiation is over; an action follows", &tell};
inline constexpr agon::Event<"moved", Moved> kMoved{"a player has moved", &tell};
inline constexpr agon::Event<"period", PeriodPlayed> kPeriod{"a period of a repeated game is over",
                                                             &tell};
inline constexpr agon::Event<"ended", Ended> kEnded{"the game is over", &tell};

using Table = agon::Table<kMessage, kChoose, kMove, kPlayed, kMessageSent, kTalkEnded, kMoved,
                          kPeriod, kEnded>;

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

/// Plays one match.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

/// How a match was played, for scores and metrics.
struct Course {
  /// One playing of the game.
  struct Period {
    std::size_t outcome = 0;           ///< cell of the table, or place of the tree's end
    std::vector<std::size_t> actions;  ///< of each player at once, or one after another
    std::vector<std::size_t> nodes;    ///< tree: where each action was taken
    bool valid = true;                 ///< no action was forced
  };
  std::vector<Period> periods;  ///< one at least
  std::vector<int> messages;    ///< by player
  std::vector<bool> halted;     ///< by player
  std::vector<bool> forced;     ///< by player
};

/// What counts in the end, by player: the payoffs of all periods or their mean.
[[nodiscard]] std::vector<double> payoffs_of(const Settings& settings, const Prepared& prepared,
                                             const Course& course);

/// Scores, anchors and metrics.
[[nodiscard]] agon::Outcome settle(const Settings& settings, const Prepared& prepared,
                                   const Course& course);

}  // namespace classic
