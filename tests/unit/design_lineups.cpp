#include <agon/error.hpp>
#include <algorithm>
#include <set>

#include "catch.hpp"
#include "design/lineups.hpp"

using namespace agon::design;

namespace {

std::vector<std::string> letters(int count) {
  std::vector<std::string> out;
  for (int i = 0; i < count; ++i) out.push_back(std::string(1, static_cast<char>('a' + i)));
  return out;
}

std::vector<std::vector<int>> agents_of(const std::vector<LineUp>& line_ups) {
  std::vector<std::vector<int>> out;
  for (const LineUp& line_up : line_ups) out.push_back(line_up.agents);
  return out;
}

using Lists = std::vector<std::vector<int>>;

}  // namespace

TEST_CASE("a round robin has every combination of different agents once", "[design]") {
  CHECK(agents_of(round_robin(letters(4), 2)) ==
        Lists{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
  for (int count = 1; count <= 9; ++count) {
    for (int seats = 1; seats <= count; ++seats) {
      const auto line_ups = agents_of(round_robin(letters(count), seats));
      // Every subset, found as a bit pattern, must be there exactly once.
      std::set<std::vector<int>> expected;
      for (unsigned bits = 0; bits < (1U << count); ++bits) {
        std::vector<int> subset;
        for (int agent = 0; agent < count; ++agent)
          if ((bits >> agent & 1U) != 0) subset.push_back(agent);
        if (static_cast<int>(subset.size()) == seats) expected.insert(subset);
      }
      CHECK(line_ups == Lists(expected.begin(), expected.end()));
    }
  }
}

TEST_CASE("a round robin with fewer agents than seats repeats agents", "[design]") {
  CHECK(agents_of(round_robin(letters(1), 3)) == Lists{{0, 0, 0}});
  CHECK(agents_of(round_robin(letters(2), 3)) == Lists{{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}});
  for (int count = 1; count <= 5; ++count) {
    for (int seats = count + 1; seats <= 7; ++seats) {
      const auto line_ups = agents_of(round_robin(letters(count), seats));
      CHECK(line_ups.size() ==
            binomial(static_cast<unsigned>(count + seats - 1), static_cast<unsigned>(seats)));
      CHECK(std::is_sorted(line_ups.begin(), line_ups.end()));
      CHECK(std::set(line_ups.begin(), line_ups.end()).size() == line_ups.size());
      for (const auto& agents : line_ups) {
        REQUIRE(static_cast<int>(agents.size()) == seats);
        CHECK(std::is_sorted(agents.begin(), agents.end()));
      }
    }
  }
}

TEST_CASE("a round robin is refused when it is empty or too large", "[design]") {
  CHECK_THROWS_WITH(round_robin({}, 2), "a round robin has no agents; list at least one agent");
  CHECK_THROWS_WITH(round_robin(letters(2), 0),
                    "this design needs at least 1 seat, not 0; "
                    "choose a game or a setting with more seats");
  CHECK_THROWS_WITH(round_robin(letters(25), 12),
                    "the design has 5200300 line-ups; at most 1000000 are supported; "
                    "use fewer agents, a gauntlet, or a focal agent in a fixed field");
  CHECK_THROWS_AS(round_robin(std::vector<std::string>(300, "x"), 100), agon::Error);
}

TEST_CASE("a gauntlet sets challengers against the others only", "[design]") {
  const std::vector<int> one{2};
  CHECK(gauntlet(letters(4), one, 2) == std::vector<LineUp>{{{2, 0}, 2}, {{2, 1}, 2}, {{2, 3}, 2}});
  CHECK(gauntlet(letters(4), one, 3) ==
        std::vector<LineUp>{{{2, 0, 1}, 2}, {{2, 0, 3}, 2}, {{2, 1, 3}, 2}});
  const std::vector<int> two{3, 0};
  CHECK(gauntlet(letters(4), two, 2) ==
        std::vector<LineUp>{{{3, 1}, 3}, {{3, 2}, 3}, {{0, 1}, 0}, {{0, 2}, 0}});
  const std::vector<int> first{0};
  CHECK(gauntlet(letters(3), first, 4) ==
        std::vector<LineUp>{
            {{0, 1, 1, 1}, 0}, {{0, 1, 1, 2}, 0}, {{0, 1, 2, 2}, 0}, {{0, 2, 2, 2}, 0}});
}

TEST_CASE("a gauntlet says what is wrong with it", "[design]") {
  const std::vector<int> everybody{0, 1}, twice{1, 1}, unknown{5}, none, good{0};
  CHECK_THROWS_WITH(gauntlet(letters(2), everybody, 2),
                    "every agent is a challenger, so that nobody is left to play against; "
                    "leave at least one agent out of the challengers, or use a round robin");
  CHECK_THROWS_WITH(gauntlet(letters(2), twice, 2),
                    "'b' is listed twice as challenger; "
                    "list it once and ask for more blocks or repeats instead");
  CHECK_THROWS_WITH(gauntlet(letters(2), unknown, 2),
                    "there is no agent number 5: the suite has 2; "
                    "name an agent that the suite lists");
  CHECK_THROWS_WITH(gauntlet(letters(2), none, 2),
                    "the design has no challenger; name at least one challenger");
  CHECK_THROWS_WITH(gauntlet(letters(2), good, 1),
                    "this design needs at least 2 seats, not 1; "
                    "choose a game or a setting with more seats");
}

TEST_CASE("focal agents meet the same field", "[design]") {
  const std::vector<int> focal{0, 2}, copies{2}, listed{1, 2, 3};
  CHECK(focal_in_field(letters(4), focal, copies, 4) ==
        std::vector<LineUp>{{{0, 2, 2, 2}, 0}, {{2, 2, 2, 2}, 2}});
  CHECK(focal_in_field(letters(4), focal, listed, 4) ==
        std::vector<LineUp>{{{0, 1, 2, 3}, 0}, {{2, 1, 2, 3}, 2}});
  CHECK_THROWS_WITH(focal_in_field(letters(4), focal, listed, 3),
                    "the field has 3 agents, but 2 seats are left beside the focal agent; "
                    "name one agent (copies of it fill the seats) or 2");
  CHECK_THROWS_WITH(focal_in_field(letters(4), {}, copies, 3),
                    "the design has no focal agent; name at least one focal agent");
  const std::vector<int> unknown{-1};
  CHECK_THROWS_AS(focal_in_field(letters(4), focal, unknown, 3), agon::Error);
}

TEST_CASE("fixed line-ups are taken as listed", "[design]") {
  const Lists listed{{2, 0}, {1, 1}};
  CHECK(fixed(letters(3), listed, 2) == std::vector<LineUp>{{{2, 0}, -1}, {{1, 1}, -1}});
  CHECK_THROWS_WITH(fixed(letters(3), Lists{{0, 1}, {0, 1, 2}}, 2),
                    "line-up 2 has 3 agents, but there are 2 seats; "
                    "name one agent a seat; an agent may be named more than once");
  CHECK_THROWS_WITH(fixed(letters(3), Lists{{0, 1}, {1, 2}, {1, 0}}, 2),
                    "line-up 3 has the same agents as line-up 1; "
                    "list it once and ask for more blocks or repeats instead");
  // Where seats are as listed, another order is another line-up; the same order never is.
  CHECK(fixed(letters(3), Lists{{0, 1}, {1, 0}}, 2, true).size() == 2);
  CHECK_THROWS_AS(fixed(letters(3), Lists{{0, 1}, {1, 0}, {0, 1}}, 2, true), agon::Error);
  CHECK_THROWS_WITH(fixed(letters(3), Lists{{0, 3}}, 2),
                    "there is no agent number 3: the suite has 3; "
                    "name an agent that the suite lists");
  CHECK_THROWS_WITH(fixed(letters(3), Lists{}, 2),
                    "the design lists no line-ups; list at least one");
}

TEST_CASE("binomial coefficients are exact and know when they do not fit", "[design]") {
  for (unsigned n = 1; n <= 67; ++n)
    for (unsigned k = 1; k < n; ++k)
      REQUIRE(binomial(n, k) == *binomial(n - 1, k - 1) + *binomial(n - 1, k));
  CHECK(binomial(67, 33) == 14226520737620288370U);
  CHECK_FALSE(binomial(68, 34).has_value());
  CHECK(binomial(3, 4) == 0U);
}
