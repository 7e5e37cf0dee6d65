#pragma once

#include <agon/language.hpp>

#include "shared/drought.hpp"

namespace water_allocation {

/// All that the game says in its rules, personas and tellings; the lives of the five residents of
/// the paper are among it, those of others stay as a suite has them.
inline constexpr std::string_view kSentences[] = {
    // the rules
    "A drought has come over your town, and there is not enough water for all. Each day the day's "
    "water is sold by auction. Your aim is to be alive after day {days}.",
    "The residents:",
    "- {name}: needs {need} a day, earns {salary} a day",
    "{n} unit",
    "{n} units",
    "{n} health point",
    "{n} health points",
    "Everybody starts with no money and {health}.",
    "The game is taken up on day {day}; money and health stand as announced.",
    "Health never rises above {health}; who falls to 0 or less is dead and out of the game, and "
    "the money is lost.",
    "Each day:",
    "1. Every living resident is paid the daily salary.",
    "2. The day's supply is announced: a whole number from {least} to {most} units, every number "
    "equally likely.",
    "3. All living residents bid at the same time, in secret and once. You may also make no bid. "
    "Cents are allowed.",
    "A bid above your balance is ignored: you get no water that day.",
    "You cannot bid more than your balance.",
    "4. Water goes to the highest bid first. A resident gets the whole daily need or nothing: who "
    "needs more than is left is passed over, and the next lower bid is looked at, until no "
    "bidder's need fits. Of equal bids the one with the lower need comes first.",
    "5. Who gets water pays the own bid and gains {health}. Who gets none pays nothing and loses "
    "health: 1 point on the first day without water, 2 on the second in a row, 3 on the third and "
    "so on. A day with water sets this count back.",
    "6. All are told all bids, who got water, and everybody's money and health.",
    "A bid of 0 is a bid: it can win water that nobody else takes. Unsold water cannot be kept. "
    "Money is worth nothing after the last day.",
    // the town before the first salary
    "The town before the salary of day {day}:",
    "name",
    "money",
    "health",
    "health lost first dry day",
    "dead",
    // a day that is over
    "Day {day}: there was {water} of water.",
    "Day {day}: there were {water} of water.",
    "Nobody got any.",
    "{names} got water for {price}.",
    "{names} got water. The lowest winning bid was {price}; winners pay what they bid.",
    "Ignored as above the balance: the bid of {names}.",
    "Ignored as above the balance: the bids of {names}.",
    "bid",
    "water",
    "health lost next dry day",
    "none",
    "yes",
    "no",
    shared::drought::kDeathSentences[0],
    shared::drought::kDeathSentences[1],
    // a morning
    "It is the morning of day {day} of {days}. Today there is {water} of water.",
    "It is the morning of day {day} of {days}. Today there are {water} of water.",
    "You need {need} a day and earn {salary}; today's pay is in your balance of {balance}. Your "
    "health is {health}. Without water today you lose {loss} of it; with water you gain {gain}, up "
    "to {most}.",
    // who a seat is to be
    "You are {name}.",
    "You are {name}, {profession}.",
    "Your character: {personality}.",
    "Your life so far: {background}.",
    "out of work",
    "slow with figures and slow with people, quickly irritated, keeps away from others",
    "grew up in a poor neighbourhood, dropped out of school very young and has never held a steady "
    "job",
    "teacher at a secondary school",
    "of ordinary intelligence, good with feelings, full of understanding for others",
    "comes from a family that sticks together and teaches because he wants to do some good",
    "psychologist",
    "clever and warm in equal measure: puts herself in other people's place and thinks things "
    "through",
    "answered calls at a crisis line as a volunteer before she became a therapist",
    "mathematician",
    "brilliant, looks for the best possible solution, afraid of company",
    "a child of a small town who lived among books and puzzles and took a doctorate in mathematics",
    "head of marketing",
    "brighter than most and sure of his feelings, charming, reads people and sways them",
    "raised in a big city, studied business and has led campaigns that everybody remembers",
};
using Line = agon::OneOf<kSentences>;

}  // namespace water_allocation
