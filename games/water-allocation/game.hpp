#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/language.hpp>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace water_allocation {

/// Most days and residents that a match has room for.
inline constexpr int kMaxDays = 100;
inline constexpr int kMaxResidents = 16;
/// Most units of water a day, and a resident's largest need.
inline constexpr int kMaxWater = 1000;

/// One inhabitant of the town: a seat. Need and salary are known to all, the persona to nobody
/// else.
struct Resident {
  std::string name;
  int need = 10;
  agon::Money salary = agon::major(100);
  std::string profession;
  std::string personality;
  std::string background;
  agon::Money balance{};
  std::optional<int> hp;
  int no_drink = 1;
};
AGON_DESCRIBE(
    Resident, (name, "what the others call the resident", agon::length(1, 40)),
    (need, "water for one day: all of it or nothing", agon::range(1, kMaxWater),
     agon::unit("units of water")),
    (salary, "paid every morning before the bids", agon::range(0, 1e9), agon::unit("dollars")),
    (profession, "told to the seat alone if personas are on", agon::length(0, 200)),
    (personality, "traits; told to the seat alone if personas are on", agon::length(0, 500)),
    (background, "life so far; told to the seat alone if personas are on", agon::length(0, 1000)),
    (balance, "money before the first salary", agon::range(0, 1e11), agon::unit("dollars")),
    (hp, "health points before the first day; none: `start_hp`; 0: dead already",
     agon::range(0, 50), agon::unit("health points")),
    (no_drink, "health that the first day costs if it stays dry", agon::range(1, 50),
     agon::unit("health points")))

/// The five residents of the paper, by rising need.
std::vector<Resident> five_residents();

/// What happens to a bid above what the bidder owns.
enum class OverBalance { refused, ignored };
AGON_DESCRIBE_ENUM(OverBalance,
                   (refused, "it is against the rules: the seat is told so and asked again"),
                   (ignored, "it counts as said but wins no water, and nobody asks again"))

/// Settings of a match.
struct Settings {
  std::vector<Resident> residents = five_residents();
  bool persona = false;
  int days = 20;
  int first_day = 1;
  std::array<int, 2> supply{10, 20};
  std::vector<int> supply_list;
  int start_hp = 8;
  int max_hp = 10;
  int drink_hp = 2;
  OverBalance over_balance = OverBalance::refused;
};
AGON_DESCRIBE(
    Settings,
    (residents, "who lives in the town, one seat each, in the order of the seats",
     agon::length(2, kMaxResidents), agon::source("Alympics, the residents of the water game")),
    (persona, "each seat is told its own profession, personality and background",
     agon::source("Alympics, settings 4 to 6")),
    (days, "number of the last day", agon::range(1, kMaxDays), agon::unit("days"),
     agon::source("Alympics: 20 days")),
    (first_day, "number of the first day: above 1 to take up a game in its middle",
     agon::range(1, kMaxDays), agon::unit("days")),
    (supply, "least and most water of a day; each day's supply is drawn uniformly, both included",
     agon::range(0, kMaxWater), agon::unit("units of water"),
     agon::source("Alympics: 10 to 20 low, 15 to 25 medium, 20 to 30 high")),
    (supply_list, "instead of the draws: the supply of every day from `first_day` to `days`",
     agon::range(0, kMaxWater), agon::length(0, kMaxDays), agon::unit("units of water")),
    (start_hp, "health at the start", agon::range(1, 50), agon::unit("health points"),
     agon::source("Alympics: 8")),
    (max_hp, "health never rises above this", agon::range(1, 50), agon::unit("health points"),
     agon::source("Alympics: 10")),
    (drink_hp, "health won by a day with water", agon::range(0, 50), agon::unit("health points"),
     agon::source("Alympics: 2")),
    (over_balance, "what happens to a bid above the bidder's balance",
     agon::source("Alympics' published code ignores it")))

/// Why the settings make no sense together; empty if they do.
std::string check(const Settings& settings);

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
