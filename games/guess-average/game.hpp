#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/language.hpp>
#include <string>
#include <vector>

namespace guess_average {

/// Most players and rounds that a match has room for.
inline constexpr int kMaxPlayers = 16;
inline constexpr int kMaxRounds = 50;

/// Names of the five players of the paper.
std::vector<std::string> five_players();

/// Settings of a match.
struct Settings {
  std::vector<std::string> players = five_players();
  int rounds = 10;
  int start_hp = 10;
  int lowest = 1;
  int highest = 100;
  int percent = 80;
};
AGON_DESCRIBE(Settings,
              (players, "names, one seat each, in the order of the seats",
               agon::length(2, kMaxPlayers), agon::source("K-Level Reasoning: five players")),
              (rounds, "how many rounds are played", agon::range(2, kMaxRounds),
               agon::unit("rounds"), agon::source("K-Level Reasoning: 10")),
              (start_hp, "health at the start", agon::range(1, 1000), agon::unit("health points"),
               agon::source("K-Level Reasoning: 10")),
              (lowest, "smallest number that can be chosen", agon::range(0, 1e6),
               agon::source("K-Level Reasoning: 1")),
              (highest, "largest number that can be chosen", agon::range(1, 1e6),
               agon::source("K-Level Reasoning: 100")),
              (percent, "the target is so much of the average", agon::range(1, 200),
               agon::unit("percent"),
               agon::source("K-Level Reasoning: 80, hence 0.8 of the average")))

/// Why the settings make no sense together; empty if they do.
std::string check(const Settings& settings);

/// What everybody may know of the settings, for prompts.
struct Facts {
  int rounds = 0;
  int players = 0;
  int lowest = 0;
  int highest = 0;
  std::string share;
  int start_hp = 0;
  std::string phase = "round";
};
AGON_DESCRIBE(Facts, (rounds, "how many rounds are played"), (players, "how many play"),
              (lowest, "smallest number that can be chosen"),
              (highest, "largest number that can be chosen"),
              (share, "what the average is multiplied by: 0.8"),
              (start_hp, "health at the start", agon::unit("health points")),
              (phase, "the event that ends a round", agon::phase_event, agon::unit("round")))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// The rules as players are told them, in their language.
[[nodiscard]] std::string rules_text(const Settings& settings, const agon::Language& language);

/// Guess 0.8 of the average: who comes nearest to a share of the average of all numbers wins
/// the round (K-Level Reasoning, arXiv 2402.01521; after Nagel 1995).
agon::Game game();

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

/// Adds the game, its strategies and its tables.
void enter(agon::Registry& registry);

}  // namespace guess_average
