#pragma once

#include <agon/game.hpp>

#include "survival-auction/settings.hpp"

namespace survival_auction {

/// What everybody may know of the settings, for prompts.
struct Facts {
  int days = 0;
  int residents = 0;
  std::string salary;
  int max_hp = 0;
  int drink_hp = 0;
  std::string phase = "day";
};
AGON_DESCRIBE(Facts, (days, "how many days have to be lived through"),
              (residents, "how many live in the town"), (salary, "paid every morning"),
              (max_hp, "health never rises above this", agon::unit("health points")),
              (drink_hp, "health won by a day with water", agon::unit("health points")),
              (phase, "the event that ends a day", agon::phase_event, agon::unit("day")))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// The rules as players are told them.
[[nodiscard]] std::string rules_text(const Settings& settings);

/// The Survival Auction Game: equal residents bid for the one ration of water a day (K-Level
/// Reasoning, arXiv 2402.01521; after the water game of Alympics).
agon::Game game();

/// Adds the tables of this game.
void add_tables(agon::Registry& registry);

/// Adds the game, its strategies and its tables.
void enter(agon::Registry& registry);

}  // namespace survival_auction
