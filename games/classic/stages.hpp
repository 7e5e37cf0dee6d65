#pragma once

#include <agon/table.hpp>

#include "classic/answers.hpp"
#include "classic/telling.hpp"

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

}  // namespace classic
