#pragma once

#include <agon/game.hpp>
#include <agon/language.hpp>

#include "guess-average/settings.hpp"

namespace guess_average {

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
