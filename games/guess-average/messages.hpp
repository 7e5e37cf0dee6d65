#pragma once

#include <agon/language.hpp>
#include <agon/table.hpp>
#include <agon/telling.hpp>

#include "guess-average/settings.hpp"

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

/// The one answer of the game.
struct Pick {
  int number = 1;
};
AGON_DESCRIBE(Pick, (number, "the whole number you choose"))

/// A player as everybody sees it.
struct Player {
  std::string_view name;
  bool alive = true;
  int hp = 0;
};
AGON_DESCRIBE(Player, (name, "who"), (alive, "false: out of the game"),
              (hp, "health", agon::unit("health points")))

/// What one player did in one round.
struct Choice {
  std::string_view name;
  int number = 0;
  bool won = false;
  int hp = 0;
};
AGON_DESCRIBE(Choice, (name, "who"), (number, "the number chosen"), (won, "won the round"),
              (hp, "health after it; 0: out", agon::unit("health points")))

/// A round that is over, in views.
struct PastRound {
  int round = 0;
  double mean = 0;
  double target = 0;
  std::span<const Choice> choices;
};
AGON_DESCRIBE(PastRound, (round, "number of the round"), (mean, "average of the numbers"),
              (target, "the number that had to be met"),
              (choices, "all who took part, in order of the seats"))

/// What a player knows when it chooses.
struct Turn {
  int round = 0;
  int rounds_left = 0;
  std::string_view name;
  int hp = 0;
  int lowest = 0;
  int highest = 0;
  int percent = 0;
  std::span<const Player> players;
  std::span<const PastRound> history;
};
AGON_DESCRIBE(Turn, (round, "number of this round"),
              (rounds_left, "rounds still to come after it", agon::unit("rounds")),
              (name, "you are"), (hp, "your health; at 0 you are out", agon::unit("health points")),
              (lowest, "smallest number you can choose"), (highest, "largest number"),
              (percent, "the target is so much of the average of all numbers",
               agon::unit("percent")),
              (players, "everybody, you as well, in order of the seats"),
              (history, "the rounds before, first to last"))

/// Announced after every round.
struct Round {
  int round = 0;
  double mean = 0;
  double target = 0;
  std::optional<int> winning_number;
  agon::InlineList<Choice, kMaxPlayers> choices;
};
AGON_DESCRIBE(Round, (round, "number of the round"), (mean, "average of the numbers"),
              (target, "the number that had to be met, to two decimals"),
              (winning_number, "the number that won; null: all chose the same, and nobody won"),
              (choices, "all who took part, in order of the seats"))

/// Announced after the round that took a player's last health point.
struct Out {
  int round = 0;
  std::string_view name;
};
AGON_DESCRIBE(Out, (round, "number of the round"), (name, "who is out of the game"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Round& round, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Out& out, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Turn& turn, const agon::Scene& scene);
///@}

}  // namespace guess_average
