#pragma once

#include <agon/describe.hpp>
#include <agon/stage.hpp>
#include <cstdint>
#include <string>

/// @file
/// What carries over between the matches of a sequence, in any game. Before a match is over, seats
/// whose agents answer such questions write down what they take from it; it is the first thing that
/// they are told in the next. A game that hands a seat something of its own (Table::carry) is left
/// to do so for that seat. Chen et al. 2023, AucArena, the learning module, for all games.
namespace agon {

/// What a seat takes to the next match.
struct Learnings {
  std::string learnings;  ///< 1 to 4000 characters
};
AGON_DESCRIBE(Learnings, (learnings, "advice to yourself for the next match, the weightiest first",
                          agon::length(1, 4000)))

/// What a seat is shown when it is asked for that.
struct MatchOver {
  std::string score;  ///< of the seat, in words; how the match ended it was told by events
};
AGON_DESCRIBE(MatchOver, (score, "your score, in words", agon::prose))

/// What a seat brought along, told to it before a match begins.
struct TakenAlong {
  std::int64_t match = 2;  ///< number of this match in its sequence, from 2
  std::string ended;       ///< how the match before ended for the seat
  std::string learnings;   ///< what it took from it
};
AGON_DESCRIBE(TakenAlong, (match, "number of this match in its sequence", agon::at_least(2)),
              (ended, "how the match before ended for you", agon::prose),
              (learnings, "what you took from it"))

/// Both in sentences. Model agents have the learnings from the part that keeps them.
///@{
AGON_API std::string tell(const MatchOver& over, const Scene& scene);
AGON_API std::string tell(const TakenAlong& taken, const Scene& scene);
///@}

/// Asked by the arena when a match of a sequence is decided and another follows; no game may list a
/// stage of this name.
inline constexpr Probe<"take-along", Learnings, MatchOver> kTakeAlong{
    "The match is over, and another one of the same game with the same players follows. Write down "
    "what you take from it: advice to yourself for the next match, the weightiest first. What you "
    "had taken along before and still holds has to be in it again.",
    "in a sequence, all seats that the game carries nothing over for", Purpose::learn, &tell};

/// Told by the arena before the next match begins; no game may list an event of this name.
inline constexpr PrivateEvent<"taken-along", TakenAlong> kTakenAlong{
    "what a seat took along from the match before", &tell};

}  // namespace agon
