#pragma once

#include <agon/language.hpp>
#include <agon/telling.hpp>

#include "shared/drought.hpp"
#include "water-allocation/game.hpp"

namespace water_allocation {

/// All that the game says in its rules, personas and tellings; the lives of the five residents of
/// the paper are among it, those of others stay as a suite has them.
inline constexpr std::string_view kSentences[] = {
    // the rules
    "A drought has come over your town, and there is not enough water for all. Each day the day's "
    "water is sold by auction. Your aim is to be alive after day {days}.",
    "The residents:",
    "- {name}: needs {need} a day, earns {salary} a day",
    "{n} unit",
    "{n} units",
    "{n} health point",
    "{n} health points",
    "Everybody starts with no money and {health}.",
    "The game is taken up on day {day}; money and health stand as announced.",
    "Health never rises above {health}; who falls to 0 or less is dead and out of the game, and "
    "the money is lost.",
    "Each day:",
    "1. Every living resident is paid the daily salary.",
    "2. The day's supply is announced: a whole number from {least} to {most} units, every number "
    "equally likely.",
    "3. All living residents bid at the same time, in secret and once. You may also make no bid. "
    "Cents are allowed.",
    "A bid above your balance is ignored: you get no water that day.",
    "You cannot bid more than your balance.",
    "4. Water goes to the highest bid first. A resident gets the whole daily need or nothing: who "
    "needs more than is left is passed over, and the next lower bid is looked at, until no "
    "bidder's need fits. Of equal bids the one with the lower need comes first.",
    "5. Who gets water pays the own bid and gains {health}. Who gets none pays nothing and loses "
    "health: 1 point on the first day without water, 2 on the second in a row, 3 on the third and "
    "so on. A day with water sets this count back.",
    "6. All are told all bids, who got water, and everybody's money and health.",
    "A bid of 0 is a bid: it can win water that nobody else takes. Unsold water cannot be kept. "
    "Money is worth nothing after the last day.",
    // the town before the first salary
    "The town before the salary of day {day}:",
    "name",
    "money",
    "health",
    "health lost first dry day",
    "dead",
    // a day that is over
    "Day {day}: there was {water} of water.",
    "Day {day}: there were {water} of water.",
    "Nobody got any.",
    "{names} got water for {price}.",
    "{names} got water. The lowest winning bid was {price}; winners pay what they bid.",
    "Ignored as above the balance: the bid of {names}.",
    "Ignored as above the balance: the bids of {names}.",
    "bid",
    "water",
    "health lost next dry day",
    "none",
    "yes",
    "no",
    shared::drought::kDeathSentences[0],
    shared::drought::kDeathSentences[1],
    // a morning
    "It is the morning of day {day} of {days}. Today there is {water} of water.",
    "It is the morning of day {day} of {days}. Today there are {water} of water.",
    "You need {need} a day and earn {salary}; today's pay is in your balance of {balance}. Your "
    "health is {health}. Without water today you lose {loss} of it; with water you gain {gain}, up "
    "to {most}.",
    // who a seat is to be
    "You are {name}.",
    "You are {name}, {profession}.",
    "Your character: {personality}.",
    "Your life so far: {background}.",
    "out of work",
    "slow with figures and slow with people, quickly irritated, keeps away from others",
    "grew up in a poor neighbourhood, dropped out of school very young and has never held a steady "
    "job",
    "teacher at a secondary school",
    "of ordinary intelligence, good with feelings, full of understanding for others",
    "comes from a family that sticks together and teaches because he wants to do some good",
    "psychologist",
    "clever and warm in equal measure: puts herself in other people's place and thinks things "
    "through",
    "answered calls at a crisis line as a volunteer before she became a therapist",
    "mathematician",
    "brilliant, looks for the best possible solution, afraid of company",
    "a child of a small town who lived among books and puzzles and took a doctorate in mathematics",
    "head of marketing",
    "brighter than most and sure of his feelings, charming, reads people and sways them",
    "raised in a big city, studied business and has led campaigns that everybody remembers",
};
using Line = agon::OneOf<kSentences>;

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

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Town& town, const agon::Scene& scene);
[[nodiscard]] std::string tell(const You& you, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Day& day, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Morning& morning, const agon::Scene& scene);
///@}

/// Who the seat plays, in sentences; empty where personas are off.
[[nodiscard]] std::string persona(const Settings& settings, int seat,
                                  const agon::Language& language);

}  // namespace water_allocation
