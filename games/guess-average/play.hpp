#pragma once

#include <agon/describe.hpp>
#include <agon/language.hpp>
#include <agon/outcome.hpp>
#include <agon/table.hpp>
#include <agon/telling.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "guess-average/game.hpp"

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

/// What the numbers of a round come to.
struct Target {
  double mean = 0;
  std::int64_t hundredths = 0;  ///< the target, rounded to two decimals, halves up
  double exact = 0;             ///< the target without rounding
  [[nodiscard]] double shown() const { return static_cast<double>(hundredths) / 100; }
};

/// `percent` of the mean of the numbers; there is at least one.
[[nodiscard]] Target target_of(std::span<const int> numbers, int percent);

/// The number that wins the round: the one nearest to the target, of two as near on both sides the
/// lower. None if several players all say the same; a player alone always wins.
[[nodiscard]] std::optional<int> winning_number(std::span<const int> numbers, const Target& target);

/// How many steps of reasoning a choice stands for: the power of the share that takes 50, what
/// people who do not think about others choose on average, to the choice. Rounded to four decimals.
/// Undefined for a share of 1. K-Level Reasoning, appendix C.
[[nodiscard]] std::optional<double> strategic_depth(double choice, int percent);

inline constexpr agon::Stage<"pick", Pick, Turn> kPick{"Choose your number for this round.",
                                                       "every player still in, all at once", &tell};

inline constexpr agon::Event<"round", Round> kRound{"a round is over", &tell};
inline constexpr agon::Event<"out", Out> kOut{"a player is out", &tell};

using Table = agon::Table<kPick, kRound, kOut>;

/// What is measured of one player. Counted up while the match runs.
struct SeatMetrics {
  int wins = 0;
  double win_rate = 0;
  int rounds_played = 0;
  bool survived = true;
  int hp_end = 0;
  std::optional<int> first_choice;
  std::optional<double> strategic_depth;
  std::optional<double> mean_choice;
  double distance_first = 0;
  double distance_second = 0;
  std::optional<double> adaption_index;
  std::optional<double> mean_distance;
};
AGON_DESCRIBE(
    SeatMetrics,
    (wins, "rounds won", agon::unit("rounds"), agon::range(0, kMaxRounds), agon::Better::higher),
    (win_rate, "rounds won / rounds of the match", agon::range(0, 1), agon::Better::higher,
     agon::source("K-Level Reasoning, appendix C: win rate")),
    (rounds_played, "rounds with a choice", agon::unit("rounds"), agon::range(0, kMaxRounds)),
    (survived, "has health left at the end", agon::Better::higher),
    (hp_end, "health at the end", agon::unit("health points"), agon::range(0, 1000),
     agon::Better::higher),
    (first_choice, "number chosen in the first round"),
    (strategic_depth,
     "of the first choice: how often the share, 0.8, has to be taken of 50 to come to it",
     agon::source("K-Level Reasoning, appendix C: strategic level")),
    (mean_choice, "mean of the numbers chosen"),
    (distance_first,
     "sum over the first half of the rounds of how far the choice was from the target, the target "
     "not rounded",
     agon::at_least(0), agon::Better::lower),
    (distance_second, "the same over the second half", agon::at_least(0), agon::Better::lower),
    (adaption_index,
     "second / first: below 1 it came nearer as the match went on; undefined if the first is 0 or "
     "there were no choices in the second half",
     agon::at_least(0), agon::Better::lower,
     agon::source("K-Level Reasoning, published code: adaption index")),
    (mean_distance, "mean distance of the choice from the target", agon::at_least(0),
     agon::Better::lower))

/// What is measured of the match as a whole.
struct MatchMetrics {
  int rounds_played = 0;
  int survivors = 0;
  int rounds_without_winner = 0;
  int shared_wins = 0;
  std::optional<double> mean_choice;
  std::optional<double> first_mean;
  std::optional<double> last_mean;
  std::optional<double> last_target;
  std::optional<double> equilibrium_gap;
};
AGON_DESCRIBE(
    MatchMetrics,
    (rounds_played, "rounds in which numbers were chosen", agon::unit("rounds"),
     agon::range(0, kMaxRounds)),
    (survivors, "players with health left", agon::range(0, kMaxPlayers)),
    (rounds_without_winner, "rounds in which all chose the same", agon::unit("rounds"),
     agon::range(0, kMaxRounds)),
    (shared_wins, "rounds won by several", agon::unit("rounds"), agon::range(0, kMaxRounds)),
    (mean_choice, "mean of all numbers chosen"), (first_mean, "mean of the first round"),
    (last_mean, "mean of the last round"), (last_target, "target of the last round"),
    (equilibrium_gap,
     "mean of the last round less the lowest number, which iterated dominance leaves where the "
     "share is below 1",
     agon::at_least(0)))

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace guess_average
