#pragma once

#include "shared/drought.hpp"
#include "water-allocation/settings.hpp"

namespace water_allocation {

/// The one answer of the game. No bid is not a bid of 0: a bid of 0 may win water nobody wants.
struct Bid {
  std::optional<agon::Money> bid;
};
AGON_DESCRIBE(Bid, (bid,
                    "what you pay if you get water today; 0 can win water that is left over; null: "
                    "no bid, and no water",
                    agon::at_least(0), agon::unit("dollars")))

/// A resident as everybody sees it this morning.
struct Neighbour {
  std::string_view name;
  bool alive = true;
  int need = 0;
  agon::Money salary{};
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
};
AGON_DESCRIBE(Neighbour, (name, "who"), (alive, "false: dead, bids no more"),
              (need, "water for one day", agon::unit("units of water")),
              (salary, "paid every morning", agon::unit("dollars")),
              (balance, "money, with today's salary", agon::unit("dollars")),
              (hp, "health", agon::unit("health points")),
              (no_drink, "health lost today without water", agon::unit("health points")))

/// How one resident came through one day.
struct ResidentDay {
  std::string_view name;
  std::optional<agon::Money> bid;
  bool won = false;
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
};
AGON_DESCRIBE(ResidentDay, (name, "who"), (bid, "null: no bid", agon::unit("dollars")),
              (won, "got water, and paid the own bid for it"),
              (balance, "money in the evening", agon::unit("dollars")),
              (hp, "health in the evening; 0 or less: dead", agon::unit("health points")),
              (no_drink, "health that the next dry day costs", agon::unit("health points")))

/// A day that is over, in views.
struct PastDay {
  int day = 0;
  int supply = 0;
  std::span<const ResidentDay> residents;
};
AGON_DESCRIBE(PastDay, (day, "number of the day"),
              (supply, "water that there was", agon::unit("units of water")),
              (residents, "all who lived that morning, in order of the seats"))

/// Who a seat plays, if personas are on.
struct Persona {
  std::string_view profession;
  std::string_view personality;
  std::string_view background;
};
AGON_DESCRIBE(Persona, (profession, "your work"), (personality, "what you are like"),
              (background, "your life so far"))

/// What a resident knows when it bids.
struct Morning {
  int day = 0;
  int days_left = 0;
  int supply = 0;
  std::array<int, 2> supply_range{};
  std::string_view name;
  int need = 0;
  agon::Money salary{};
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
  int max_hp = 0;
  int drink_hp = 0;
  std::optional<Persona> persona;
  std::span<const Neighbour> town;
  std::span<const PastDay> history;
};
AGON_DESCRIBE(
    Morning, (day, "today"), (days_left, "days still to come after today", agon::unit("days")),
    (supply, "water to be had today, for all together", agon::unit("units of water")),
    (supply_range, "least and most water of any day", agon::unit("units of water")),
    (name, "you are"), (need, "water you need for one day", agon::unit("units of water")),
    (salary, "what you are paid every morning", agon::unit("dollars")),
    (balance, "your money, with today's salary; a higher bid wins nothing", agon::unit("dollars")),
    (hp, "your health; at 0 or less you are dead", agon::unit("health points")),
    (no_drink, "health you lose if you get no water today; then one more the next dry day",
     agon::unit("health points")),
    (max_hp, "your health never rises above this", agon::unit("health points")),
    (drink_hp, "health you gain if you get water", agon::unit("health points")),
    (persona, "who you are, if that plays a part"),
    (town, "everybody, you as well, as things stand this morning, in order of the seats"),
    (history, "the days before, first to last"))

/// Told to each seat at the start if personas are on.
struct You {
  std::string_view name;
  Persona persona;
};
AGON_DESCRIBE(You, (name, "you are"), (persona, "who you are"))

/// Announced once: the town before the first salary.
struct Town {
  int first_day = 1;
  int days = 0;
  agon::InlineList<Neighbour, kMaxResidents> residents;
};
AGON_DESCRIBE(Town, (first_day, "number of the first day"), (days, "number of the last day"),
              (residents, "everybody before the first salary, in order of the seats"))

/// Announced every evening: all that happened.
struct Day {
  int day = 0;
  int supply = 0;
  int used = 0;
  std::optional<agon::Money> price;
  agon::InlineList<ResidentDay, kMaxResidents> residents;
};
AGON_DESCRIBE(Day, (day, "number of the day"),
              (supply, "water that there was", agon::unit("units of water")),
              (used, "water that was handed out", agon::unit("units of water")),
              (price, "lowest bid that won; null: nobody won", agon::unit("dollars")),
              (residents, "all who lived this morning, in order of the seats"))

}  // namespace water_allocation
