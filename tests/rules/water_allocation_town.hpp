#pragma once

#include <agon/money.hpp>
#include <string>
#include <vector>

#include "support/scripted_match.hpp"

namespace water_allocation_test {

/// How a resident stands in the evening: money in dollars.
struct Evening {
  int balance = 0;
  int hp = 0;
  int no_drink = 1;
  friend bool operator==(const Evening&, const Evening&) = default;
};
std::ostream& operator<<(std::ostream& out, const Evening& e);

/// One resident of a golden case: what it has before the salary, and what it bids day by day.
struct Player {
  int need = 10;
  int salary = 100;
  std::vector<std::string> bids{};  ///< "50", "null"
  int balance = 0;
  int hp = 8;
  int no_drink = 1;
  std::string name{};
};

/// A match of these residents with these supplies, from day `first_day` on.
struct Case {
  std::vector<Player> players;
  std::vector<int> supplies;
  int first_day = 1;
  std::string more{};  ///< further settings: R"("over_balance": "ignored")"
};

/// The game, one object for all tests: what was played points to it.
const agon::Game& the_game();

/// Plays the case to its end; `supply` ranges over 0..1000.
agon::test::Played play(const Case& c);

/// The residents of day `n` (0: the first played), from the announced results.
std::vector<Evening> evening(const agon::test::Played& played, std::size_t n = 0);

/// The names of those who got water on day `n`.
std::vector<std::string> winners(const agon::test::Played& played, std::size_t n = 0);

/// The five residents of the paper, with one bid each.
std::vector<Player> five(const std::vector<std::string>& bids);

}  // namespace water_allocation_test
