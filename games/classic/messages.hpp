#pragma once

#include <agon/describe.hpp>
#include <agon/telling.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classic/settings.hpp"

namespace classic {

/// The action that a player takes.
struct Choice {
  std::string action;
};
AGON_DESCRIBE(Choice, (action, "the action that you choose, by its name"))

/// One message of a negotiation.
struct Message {
  std::string text;
  bool halt = false;
};
AGON_DESCRIBE(Message, (text, "what you say to the others; may be empty"),
              (halt, "true if you want to halt the negotiation"))

/// True if the message asks to halt: by its flag, or because "halt negotiation" is all that it
/// says. The same words inside a sentence ask for nothing.
[[nodiscard]] bool asks_to_halt(const Message& message);

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
              (action, "the action", agon::prose))

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
  std::optional<double> continuation{};
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
    (options, "what you can choose now; in a negotiation what you will choose from", agon::prose),
    (moves, "tree: the moves so far in this period"), (messages, "all that was said so far"),
    (round, "number of this round of negotiation, from 1; 0 when it is over"),
    (rounds_left, "rounds of negotiation left now, this one included", agon::unit("rounds")),
    (advice, "a hint on what to make of the negotiation; empty: none", agon::prose),
    (period, "number of this period, from 1; a game that is played once has one"),
    (periods_left,
     "periods that are left, this one included; null: that is not told, or is left to "
     "chance",
     agon::unit("periods")),
    (continuation,
     "probability that another period follows this one; left out: that is not told, or the number "
     "of periods is fixed",
     agon::left_out),
    (history, "the periods that were played, oldest first"),
    (focal,
     "payoff table: the joint action that strategies of repeated play hold to, each player's by "
     "its place, from 1; empty: there is none",
     agon::unshown))

/// Why a negotiation ended.
enum class TalkEnd : std::uint8_t { halted, out_of_rounds };
AGON_DESCRIBE_ENUM(TalkEnd, (halted, "a player halted it"),
                   (out_of_rounds, "the last round is over"))

/// A negotiation is over; an action follows.
struct TalkEnded {
  int step = 0;
  int round = 0;
  TalkEnd why = TalkEnd::out_of_rounds;
};
AGON_DESCRIBE(TalkEnded, (step, "before which move, from 1"), (round, "the last round"),
              (why, "why it ended"))

/// How the game ended.
struct Ended {
  std::vector<std::string_view> actions;
  std::span<const double> payoffs;
};
AGON_DESCRIBE(Ended,
              (actions,
               "the actions: of each player at once, or one after another; in repeated play empty, "
               "as each period told its own"),
              (payoffs, "what each player gets; in repeated play as it counts"))

/// For the record: which game it was.
struct Played {
  std::string_view game;
  double scale = 1;
};
AGON_DESCRIBE(Played, (game, "its name"), (scale, "what payoffs were multiplied by"))

/// What model agents are told last before an action, by its number in the paper (section 6.5, in
/// our own words); empty for 0. The published code numbers them 1, 2, 6, 3, 4, 5.
[[nodiscard]] std::string_view advice_text(int number);

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const MessageSent& message, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkEnded& ended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Moved& moved, const agon::Scene& scene);
[[nodiscard]] std::string tell(const PeriodPlayed& period, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Ended& ended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const View& view, const agon::Scene& scene);
///@}

}  // namespace classic
