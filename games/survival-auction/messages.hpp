#pragma once

#include <agon/telling.hpp>

#include "shared/drought.hpp"
#include "survival-auction/settings.hpp"

namespace survival_auction {

/// The one answer of the game.
struct Bid {
  agon::Money bid{};
};
AGON_DESCRIBE(Bid, (bid, "what you pay if you get the water today; 0 if you do not want it",
                    agon::at_least(0), agon::unit("dollars")))

/// A resident as everybody sees it this morning.
struct Neighbour {
  std::string_view name;
  bool alive = true;
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
};
AGON_DESCRIBE(Neighbour, (name, "who"), (alive, "false: dead, bids no more"),
              (balance, "money, with today's salary", agon::unit("dollars")),
              (hp, "health", agon::unit("health points")),
              (no_drink, "health lost today without water", agon::unit("health points")))

/// How one resident came through one day.
struct ResidentDay {
  std::string_view name;
  agon::Money bid{};
  bool won = false;
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
};
AGON_DESCRIBE(ResidentDay, (name, "who"), (bid, "the bid", agon::unit("dollars")),
              (won, "got the water, and paid the bid for it"),
              (balance, "money in the evening", agon::unit("dollars")),
              (hp, "health in the evening; 0 or less: dead", agon::unit("health points")),
              (no_drink, "health that the next dry day costs", agon::unit("health points")))

/// A day that is over, in views.
struct PastDay {
  int day = 0;
  std::span<const ResidentDay> residents;
};
AGON_DESCRIBE(PastDay, (day, "number of the day"),
              (residents, "all who lived that morning, in order of the seats"))

/// What a resident knows when it bids.
struct Morning {
  int day = 0;
  int days_left = 0;
  std::string_view name;
  agon::Money salary{};
  agon::Money balance{};
  int hp = 0;
  int no_drink = 1;
  int max_hp = 0;
  int drink_hp = 0;
  std::span<const Neighbour> town;
  std::span<const PastDay> history;
};
AGON_DESCRIBE(
    Morning, (day, "today"), (days_left, "days still to come after today", agon::unit("days")),
    (name, "you are"), (salary, "what everybody is paid every morning", agon::unit("dollars")),
    (balance, "your money, with today's salary; a higher bid wins nothing", agon::unit("dollars")),
    (hp, "your health; at 0 or less you are dead", agon::unit("health points")),
    (no_drink, "health you lose if you get no water today; then one more the next dry day",
     agon::unit("health points")),
    (max_hp, "your health never rises above this", agon::unit("health points")),
    (drink_hp, "health you gain if you get the water", agon::unit("health points")),
    (town, "everybody, you as well, as things stand this morning, in order of the seats"),
    (history, "the days before, first to last"))

/// Announced every evening: all that happened.
struct Day {
  int day = 0;
  std::optional<std::string_view> winner;
  agon::InlineList<ResidentDay, kMaxResidents> residents;
};
AGON_DESCRIBE(Day, (day, "number of the day"),
              (winner,
               "who got the water; null: nobody, because the highest bid was made by "
               "several or could not be paid"),
              (residents, "all who lived this morning, in order of the seats"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Day& day, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
///@}

}  // namespace survival_auction
