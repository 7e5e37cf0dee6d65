#pragma once

#include <agon/game.hpp>
#include <agon/language.hpp>

#include "water-allocation/settings.hpp"

namespace water_allocation {

/// What everybody may know of the settings, for prompts.
struct Facts {
  int days = 0;
  int least_supply = 0;
  int most_supply = 0;
  int need = 0;
  int max_hp = 0;
  int drink_hp = 0;
  std::string phase = "day";
};
AGON_DESCRIBE(Facts, (days, "number of the last day"),
              (least_supply, "least water of any day", agon::unit("units of water")),
              (most_supply, "most water of any day", agon::unit("units of water")),
              (need, "what all residents together need a day", agon::unit("units of water")),
              (max_hp, "health never rises above this", agon::unit("health points")),
              (drink_hp, "health won by a day with water", agon::unit("health points")),
              (phase, "the event that ends a day", agon::phase_event, agon::unit("day")))

/// The facts of these settings.
[[nodiscard]] Facts facts(const Settings& settings);

/// The rules as players are told them, in their language, with the figures of these settings.
[[nodiscard]] std::string rules_text(const Settings& settings, const agon::Language& language);

/// The Water Allocation Challenge: residents of a town in drought bid for each day's water, pay
/// what they bid and try to stay alive (Alympics, arXiv 2311.03220).
agon::Game game();

/// Adds the game and its strategies.
void enter(agon::Registry& registry);

}  // namespace water_allocation
