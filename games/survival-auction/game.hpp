#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <string>
#include <vector>

namespace survival_auction {

/// Most residents and days that a match has room for.
inline constexpr int kMaxResidents = 16;
inline constexpr int kMaxDays = 40;

/// Names of the five residents of the paper.
std::vector<std::string> five_residents();

/// What happens to a bid above what the bidder owns.
enum class OverBalance { refused, wasted };
AGON_DESCRIBE_ENUM(OverBalance,
                   (refused, "it is against the rules: the seat is told so and asked again"),
                   (wasted, "it counts as said: as the highest bid it leaves the water to nobody"))

/// Settings of a match.
struct Settings {
  std::vector<std::string> residents = five_residents();
  int days = 10;
  agon::Money salary = agon::major(100);
  int start_hp = 8;
  int max_hp = 10;
  int drink_hp = 2;
  OverBalance over_balance = OverBalance::refused;
};
AGON_DESCRIBE(Settings,
              (residents, "names, one seat each, in the order of the seats",
               agon::length(2, kMaxResidents), agon::source("K-Level Reasoning: five residents")),
              (days, "how many days have to be lived through", agon::range(2, kMaxDays),
               agon::unit("days"), agon::source("K-Level Reasoning: 10")),
              (salary, "paid to everybody every morning before the bids", agon::range(0, 1e9),
               agon::unit("dollars"), agon::source("K-Level Reasoning: 100")),
              (start_hp, "health at the start", agon::range(1, 50), agon::unit("health points"),
               agon::source("K-Level Reasoning: 8")),
              (max_hp, "health never rises above this", agon::range(1, 50),
               agon::unit("health points"), agon::source("K-Level Reasoning: 10")),
              (drink_hp, "health won by a day with water", agon::range(0, 50),
               agon::unit("health points"), agon::source("K-Level Reasoning: 2")),
              (over_balance, "what happens to a bid above the bidder's balance",
               agon::source("K-Level Reasoning, published code: wasted")))

/// Why the settings make no sense together; empty if they do.
std::string check(const Settings& settings);

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
