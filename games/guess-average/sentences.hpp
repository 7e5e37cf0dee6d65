#pragma once

#include <agon/language.hpp>

namespace guess_average {

/// All that the game says in its rules and tellings.
inline constexpr std::string_view kSentences[] = {
    // the rules
    "{players} players play {rounds} rounds, and your aim is to win as many of them as you can. "
    "Everybody starts with {health}.",
    "{n} health point",
    "{n} health points",
    "Each round:",
    "1. All players choose a whole number from {lowest} to {highest}, at the same time and without "
    "talking.",
    "2. The target is {share} times the average of all numbers chosen, your own included, rounded "
    "to two decimals.",
    "3. The number nearest to the target wins the round, for everybody who chose it. If a lower "
    "and a higher number are equally near, the lower one wins. If all chose the same number, "
    "nobody wins.",
    "4. Who does not win loses 1 health point; at 0 a player is out.",
    "5. All are told all numbers, the average, the target, who won, and everybody's health.",
    "A player who is left alone wins the rounds that remain.",
    // a round that is over
    "Round {round}: the average was {mean}, the target {target}.",
    "{names} won with {number}.",
    "All chose the same number, and nobody won.",
    "name",
    "number",
    "health",
    "out",
    "{names} is out of the game.",
    "{names} are out of the game.",
    // a turn
    "This is round {round} of {rounds}. You are {name}, and your health is {health}.",
    "Still in the game: {names}.",
};
using Line = agon::OneOf<kSentences>;

}  // namespace guess_average
