#pragma once

#include <agon/describe.hpp>
#include <agon/outcome.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <optional>
#include <span>

#include "guess-average/messages.hpp"
#include "guess-average/settings.hpp"

namespace guess_average {

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

}  // namespace guess_average

/// What the game asks and says.
namespace guess_average {

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
