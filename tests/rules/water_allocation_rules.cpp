// The rules as pure functions, and what follows from the settings.

#include <agon/random.hpp>
#include <bit>

#include "catch.hpp"
#include "water-allocation/game.hpp"
#include "water-allocation/play.hpp"

using namespace water_allocation;
using agon::Dice;
using agon::major;
using agon::Money;

namespace {

std::vector<Claim> random_claims(Dice& dice) {
  std::vector<Claim> claims;
  for (int seat = 0; seat < 5; ++seat) {
    const bool bids = dice.below(6) != 0;
    const auto bid = static_cast<std::int64_t>(dice.below(6));
    const auto need = static_cast<int>(1 + dice.below(12));
    if (bids) claims.push_back({Money{bid}, need, seat});
  }
  return claims;
}

/// The rule as it is written: the highest bid that fits, again and again.
std::uint32_t by_the_letter(const std::vector<Claim>& claims, int supply) {
  std::uint32_t winners = 0;
  for (;;) {
    const Claim* best = nullptr;
    for (const Claim& c : claims) {
      if ((winners >> c.seat & 1U) != 0 || c.need > supply) continue;
      if (best == nullptr || c.bid > best->bid || (c.bid == best->bid && c.need < best->need))
        best = &c;
    }
    if (best == nullptr) return winners;
    winners |= 1U << best->seat;
    supply -= best->need;
  }
}

bool wins_with(std::vector<Claim> claims, Claim mine, int supply) {
  std::erase_if(claims, [&](const Claim& c) { return c.seat == mine.seat; });
  claims.push_back(mine);
  rank(claims);
  return allocate(claims, supply).has(mine.seat);
}

}  // namespace

TEST_CASE("water: the one-pass allocation is the rule of section 2.3") {
  Dice dice(7);
  for (int round = 0; round < 3000; ++round) {
    auto claims = random_claims(dice);
    const auto supply = static_cast<int>(dice.below(31));
    const std::uint32_t expected = by_the_letter(claims, supply);
    rank(claims);
    const Allocation got = allocate(claims, supply);
    REQUIRE(got.winners == expected);
    REQUIRE(got.used <= supply);
  }
}

TEST_CASE("water: the lowest winning bid wins, and a cent less does not") {
  Dice dice(8);
  int none = 0, free = 0, paid = 0;
  for (int round = 0; round < 3000; ++round) {
    auto claims = random_claims(dice);
    const auto supply = static_cast<int>(dice.below(31));
    const auto seat = static_cast<int>(dice.below(5));
    int need = static_cast<int>(1 + dice.below(12));
    for (const Claim& c : claims)
      if (c.seat == seat) need = c.need;
    rank(claims);
    const auto lowest = lowest_winning_bid(claims, seat, need, supply);
    if (!lowest) {
      ++none;
      REQUIRE_FALSE(wins_with(claims, {major(1000), need, seat}, supply));
      continue;
    }
    REQUIRE(wins_with(claims, {*lowest, need, seat}, supply));
    lowest->cents == 0 ? ++free : ++paid;
    if (lowest->cents > 0)
      REQUIRE_FALSE(wins_with(claims, {*lowest - Money{1}, need, seat}, supply));
  }
  CHECK(none > 100);
  CHECK(free > 100);
  CHECK(paid > 100);
}

TEST_CASE("water: equal bids of equal needs go to the first in the order of seats") {
  std::vector<Claim> claims{{major(5), 6, 2}, {major(5), 6, 0}, {major(5), 6, 1}};
  rank(claims);
  CHECK(allocate(claims, 13).winners == 0b011);
  CHECK(has_tie(claims));
}

TEST_CASE("water: health by days") {
  Health h{8, 1};
  for (const int hp : {7, 5, 2, -2}) {
    CHECK(h.alive());
    h = dry(h);
    CHECK(h.hp == hp);
  }
  CHECK_FALSE(h.alive());
  CHECK(h.no_drink == 5);
  CHECK(drunk({9, 3}, {}) == Health{10, 1});
  CHECK(drunk({10, 1}, {}) == Health{10, 1});
  CHECK(drunk({3, 4}, {10, 2}) == Health{5, 1});
}

TEST_CASE("water: the fewest drinks agree with trying every plan") {
  const HealthRules rules{10, 2};
  const int days = 9;
  const ThirstTable table(days, rules);
  for (const Health start : {Health{8, 1}, Health{1, 1}, Health{10, 4}, Health{3, 2}}) {
    int best = days + 1;
    for (std::uint32_t plan = 0; plan < 1U << days; ++plan) {
      Health h = start;
      for (int d = 0; d < days && h.alive(); ++d)
        h = (plan >> d & 1U) != 0 ? drunk(h, rules) : dry(h);
      if (h.alive()) best = std::min(best, std::popcount(plan));
    }
    CHECK(table.least_drinks(days, start) == best);
  }
  CHECK(table.least_drinks(0, {1, 1}) == 0);
  CHECK(table.least_drinks(3, {8, 1}) == 0);
  CHECK(table.least_drinks(4, {8, 1}) == 1);
  CHECK(table.least_drinks(1, {10, 30}) == 1);
}

TEST_CASE("water: a planner's day agrees with trying every set of residents") {
  Dice dice(9);
  for (int round = 0; round < 500; ++round) {
    std::vector<int> needs;
    const auto n = dice.below(7);
    for (std::uint64_t i = 0; i < n; ++i) needs.push_back(static_cast<int>(1 + dice.below(40)));
    const auto supply = static_cast<int>(dice.below(120));
    int water = 0, served = 0;
    for (std::uint32_t set = 0; set < 1U << needs.size(); ++set) {
      int sum = 0;
      for (std::size_t i = 0; i < needs.size(); ++i)
        if ((set >> i & 1U) != 0) sum += needs[i];
      if (sum > supply) continue;
      water = std::max(water, sum);
      served = std::max(served, std::popcount(set));
    }
    const DayYardstick got = day_yardstick(needs, supply);
    REQUIRE(got.most_water == water);
    REQUIRE(got.most_served == served);
  }
  CHECK(day_yardstick(std::vector{1000, 1}, 1000).most_water == 1000);
  CHECK(day_yardstick(std::vector{63}, 63).most_water == 63);
  CHECK(day_yardstick(std::vector{64}, 64).most_water == 64);
}

TEST_CASE("water: no more can survive than the water pays for") {
  CHECK(survivors_bound(std::vector{5, 5, 5}, std::vector{8, 9, 10}, 134) == 2);
  CHECK(survivors_bound(std::vector{5, 5, 5}, std::vector{8, 9, 10}, 135) == 3);
  CHECK(survivors_bound(std::vector{0, 5, 5}, std::vector{99, 9, 10}, 0) == 1);
}

TEST_CASE("water: prices of a match, mean and median over the days with a winner") {
  MatchMetrics metrics;
  metrics.days_played = 5;
  std::vector<Money> prices{major(30), major(10), major(20), Money{2501}};
  summarise_prices(prices, metrics);
  CHECK(metrics.days_with_winner == 4);
  CHECK(metrics.days_without_winner == 1);
  CHECK(metrics.price_sum == Money{8501});
  CHECK(*metrics.price_mean == Approx(21.2525));
  CHECK(*metrics.price_median == Approx(22.505));
  CHECK(*metrics.price_lowest == major(10));
  CHECK(*metrics.price_highest == major(30));
  MatchMetrics odd;
  std::vector<Money> three{major(30), major(10), major(20)};
  summarise_prices(three, odd);
  CHECK(*odd.price_median == 20);
}

TEST_CASE("water 2.1: the five residents and their personas are data") {
  const auto residents = five_residents();
  REQUIRE(residents.size() == 5);
  const char* names[] = {"Alex", "Bob", "Cindy", "David", "Eric"};
  const int needs[] = {8, 9, 10, 11, 12};
  const int salaries[] = {70, 75, 100, 120, 120};
  int total = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(residents[i].name == names[i]);
    CHECK(residents[i].need == needs[i]);
    CHECK(residents[i].salary == major(salaries[i]));
    CHECK_FALSE(residents[i].profession.empty());
    CHECK_FALSE(residents[i].personality.empty());
    CHECK_FALSE(residents[i].background.empty());
    total += residents[i].need;
  }
  CHECK(total == 50);
}

TEST_CASE("water: settings that make no sense together are refused with a reason") {
  CHECK(check({}).empty());
  const auto reason = [](auto change) {
    Settings s;
    change(s);
    return check(s);
  };
  CHECK(reason([](Settings& s) { s.first_day = 21; }).find("first_day") != std::string::npos);
  CHECK(reason([](Settings& s) { s.supply = {20, 10}; }).find("supply") != std::string::npos);
  CHECK(reason([](Settings& s) { s.supply_list = {10}; }).find("20 days") != std::string::npos);
  CHECK(reason([](Settings& s) {
          s.days = 1;
          s.supply_list = {21};
        }).find("supply_list[0]") != std::string::npos);
  CHECK(reason([](Settings& s) { s.start_hp = 11; }).find("max_hp") != std::string::npos);
  CHECK(reason([](Settings& s) { s.residents[2].hp = 11; }).find("residents[2].hp") !=
        std::string::npos);
  CHECK(reason([](Settings& s) { s.residents[2].name = "Alex"; }).find("both called Alex") !=
        std::string::npos);
  CHECK(reason([](Settings& s) {
          for (Resident& r : s.residents) r.hp = 0;
        }).find("dead") != std::string::npos);
}

TEST_CASE("water: the rules that players read carry the figures of the settings") {
  Settings s;
  s.supply = {15, 25};
  s.residents[0].salary = Money{7050};
  const std::string text = rules_text(s, agon::Language::english());
  for (const char* part :
       {"after day 20", "15 to 25 units", "Alex: needs 8 units a day, earns $70.50 a day",
        "Eric: needs 12", "8 health points", "above 10", "cannot bid more than your balance"})
    CHECK(text.find(part) != std::string::npos);
  // Nobody's persona is told to all.
  for (const Resident& r : s.residents) CHECK(text.find(r.profession) == std::string::npos);
  s.over_balance = OverBalance::ignored;
  CHECK(rules_text(s, agon::Language::english()).find("above your balance is ignored") !=
        std::string::npos);
}
