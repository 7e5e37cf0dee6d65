#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "catch.hpp"
#include "design/seats.hpp"

using namespace agon::design;

namespace {

using Lists = std::vector<std::vector<int>>;

// Agents are numbered 10, 11, ... so that ranks and agents cannot be mixed up unnoticed.
LineUp different(int n) {
  LineUp out;
  out.agents.resize(static_cast<std::size_t>(n));
  std::iota(out.agents.begin(), out.agents.end(), 10);
  return out;
}

LineUp focal_and_copies(int n) {
  LineUp out{std::vector<int>(static_cast<std::size_t>(n), 1), 7};
  out.agents[0] = 7;
  return out;
}

Lists listed(const Seating& seating) {
  Lists out;
  for (std::uint64_t i = 0; i < seating.size(); ++i) out.push_back(seating.assignment(i));
  return out;
}

/// Every distinct permutation, in the order of the standard library.
Lists permutations(std::vector<int> agents) {
  std::sort(agents.begin(), agents.end());
  Lists out;
  do out.push_back(agents);
  while (std::next_permutation(agents.begin(), agents.end()));
  return out;
}

/// Every assignment is a permutation of the line-up and none comes twice.
bool sound(const Seating& seating, const LineUp& line_up) {
  std::vector<int> expected = line_up.agents;
  std::sort(expected.begin(), expected.end());
  std::set<std::vector<int>> seen;
  for (std::vector<int> seats : listed(seating)) {
    if (!seen.insert(seats).second) return false;
    std::sort(seats.begin(), seats.end());
    if (seats != expected) return false;
  }
  return true;
}

/// How often each agent is on each seat.
std::map<std::array<int, 2>, int> seat_counts(const Lists& lists) {
  std::map<std::array<int, 2>, int> out;
  for (const auto& seats : lists)
    for (std::size_t s = 0; s < seats.size(); ++s) ++out[{static_cast<int>(s), seats[s]}];
  return out;
}

/// How often each ordered pair of agents is on seats s and s+1, over all s.
std::map<std::array<int, 2>, int> neighbour_counts(const Lists& lists) {
  std::map<std::array<int, 2>, int> out;
  for (const auto& seats : lists)
    for (std::size_t s = 1; s < seats.size(); ++s) ++out[{seats[s - 1], seats[s]}];
  return out;
}

template <class Counts>
bool all_equal(const Counts& counts, std::size_t entries, int each) {
  return counts.size() == entries &&
         std::all_of(counts.begin(), counts.end(), [&](auto& c) { return c.second == each; });
}

}  // namespace

TEST_CASE("all: every distinct assignment once, in order", "[design]") {
  CHECK(listed(Seating::all({{4, 2}, -1})) == Lists{{4, 2}, {2, 4}});
  for (int n = 1; n <= 8; ++n) {
    const Seating seating = Seating::all(different(n));
    CHECK(listed(seating) == permutations(different(n).agents));
  }
  for (const auto& agents : Lists{{0, 0, 1}, {0, 1, 1, 2}, {0, 0, 0, 1, 1, 2, 2}, {3, 3, 3}}) {
    const Seating seating = Seating::all({agents, -1});
    CHECK(listed(seating) == permutations(agents));
  }
}

TEST_CASE("all: nine seats are addressed without a list", "[design]") {
  const Seating seating = Seating::all(different(9));
  REQUIRE(seating.size() == 362880);
  std::vector<int> expected = different(9).agents;
  bool same = true;
  for (std::uint64_t i = 0; i < seating.size(); ++i) {
    same = same && seating.assignment(i) == expected;
    std::next_permutation(expected.begin(), expected.end());
  }
  CHECK(same);
}

TEST_CASE("all: a focal agent among copies is on every seat once", "[design]") {
  for (int n = 2; n <= 9; ++n) {
    const LineUp line_up = focal_and_copies(n);
    const Seating seating = Seating::make(line_up);
    CHECK(seating.design() == SeatDesign::all);
    CHECK(seating.size() == static_cast<unsigned>(n));
    CHECK(seating.focal() == 7);
    CHECK(sound(seating, line_up));
    for (int s = 0; s < n; ++s) CHECK(seat_counts(listed(seating))[{s, 7}] == 1);
  }
}

TEST_CASE("all: counts stay exact up to 64 bits and are refused beyond", "[design]") {
  const Seating seating = Seating::all(different(20));
  CHECK(seating.size() == 2432902008176640000U);
  std::vector<int> reversed = different(20).agents;
  CHECK(seating.assignment(0) == reversed);
  std::reverse(reversed.begin(), reversed.end());
  CHECK(seating.assignment(seating.size() - 1) == reversed);
  CHECK_THROWS_WITH(Seating::all(different(21)),
                    "21 seats have more than 10^19 distinct assignments; "
                    "use the seat design pairwise or latin");
  // Two agents with 33 copies each on 66 seats: close to 2^63.
  LineUp halves;
  for (int i = 0; i < 66; ++i) halves.agents.push_back(i / 33);
  const Seating half = Seating::all(halves);
  CHECK(half.size() == 7219428434016265740U);
  std::vector<int> last = halves.agents;
  std::reverse(last.begin(), last.end());
  CHECK(half.assignment(half.size() - 1) == last);
}

TEST_CASE("pairwise: every ordered pair in every ordered pair of seats once", "[design]") {
  for (const int n : {2, 3, 4, 5, 7, 8, 9, 11, 13, 16}) {
    INFO("seats " << n);
    const Seating seating = Seating::pairwise(different(n));
    REQUIRE(seating.size() == static_cast<unsigned>(n * (n - 1)));
    CHECK(sound(seating, different(n)));
    CHECK(seating.assignment(0) == different(n).agents);
    std::map<std::array<int, 4>, int> pairs;
    for (const auto& seats : listed(seating))
      for (int s = 0; s < n; ++s)
        for (int t = 0; t < n; ++t)
          if (s != t)
            ++pairs[{s, t, seats[static_cast<std::size_t>(s)], seats[static_cast<std::size_t>(t)]}];
    const auto entries = static_cast<std::size_t>(n * (n - 1) * n * (n - 1));
    CHECK(all_equal(pairs, entries, 1));
  }
}

TEST_CASE("pairwise: refusals say what to use", "[design]") {
  CHECK_THROWS_WITH(Seating::pairwise(different(6)),
                    "the seat design pairwise does not exist for 6 seats; use the seat design "
                    "latin, or all; pairwise needs a prime number of seats, or 4, 8, 9 or 16");
  CHECK_THROWS_WITH(Seating::pairwise(different(1)),
                    "the seat design pairwise does not exist for 1 seat; use the seat design all");
  CHECK_THROWS_WITH(Seating::pairwise(focal_and_copies(5)),
                    "the seat design pairwise needs different agents, but a line-up has one of "
                    "them twice; use the seat design all, or latin");
}

TEST_CASE("latin: seats and neighbours are balanced", "[design]") {
  for (int n = 2; n <= 9; ++n) {
    INFO("seats " << n);
    const Seating seating = Seating::latin(different(n));
    const int squares = n % 2 == 0 ? 1 : 2;
    REQUIRE(seating.size() == static_cast<unsigned>(squares * n));
    CHECK(sound(seating, different(n)));
    const Lists lists = listed(seating);
    const auto count = static_cast<std::size_t>(n);
    CHECK(all_equal(seat_counts(lists), count * count, squares));
    CHECK(all_equal(neighbour_counts(lists), count * (count - 1), squares));
  }
  CHECK(listed(Seating::latin({{0, 1, 2, 3}, -1})) ==
        Lists{{0, 1, 3, 2}, {1, 2, 0, 3}, {2, 3, 1, 0}, {3, 0, 2, 1}});
}

TEST_CASE("latin: copies of agents keep the balance and nothing is played twice", "[design]") {
  for (int n = 2; n <= 9; ++n) {
    // Every pattern of copies: bit i of `joins` makes agent i+1 a copy of agent i.
    for (unsigned joins = 0; joins < (1U << (n - 1)); ++joins) {
      LineUp line_up;
      int agent = 0;
      for (int i = 0; i < n; ++i) {
        if (i > 0 && (joins >> (i - 1) & 1U) == 0) ++agent;
        line_up.agents.push_back(agent);
      }
      const Seating seating = Seating::latin(line_up);
      const Lists lists = listed(seating);
      REQUIRE(sound(seating, line_up));
      const auto size = static_cast<int>(lists.size());
      bool balanced = true;
      std::map<std::array<int, 2>, int> on_seat = seat_counts(lists);
      std::map<std::array<int, 2>, int> beside = neighbour_counts(lists);
      for (int a = 0; a <= agent; ++a) {
        const auto copies_a =
            static_cast<int>(std::count(line_up.agents.begin(), line_up.agents.end(), a));
        for (int s = 0; s < n; ++s) balanced = balanced && on_seat[{s, a}] * n == size * copies_a;
        for (int b = 0; b <= agent; ++b) {
          // n(n-1) ordered pairs of chairs share size * (n-1) pairs of neighbours evenly.
          const auto copies_b =
              static_cast<int>(std::count(line_up.agents.begin(), line_up.agents.end(), b));
          const int pairs = a == b ? copies_a * (copies_a - 1) : copies_a * copies_b;
          balanced = balanced && beside[{a, b}] * n == size * pairs;
        }
      }
      CHECK(balanced);
    }
  }
}

TEST_CASE("by-block: each block plays one row of the Williams square, in turn", "[design]") {
  for (int n = 2; n <= 7; ++n) {
    INFO("seats " << n);
    const Seating square = Seating::latin(different(n));
    const Seating seating = Seating::make(different(n), SeatDesign::by_block);
    CHECK(seating.design() == SeatDesign::by_block);
    REQUIRE(seating.size() == 1);
    for (std::uint64_t block = 0; block < 3 * square.size(); ++block)
      CHECK(seating.assignment(0, block) == square.assignment(block % square.size()));
    CHECK_THROWS_AS(seating.assignment(1, 1), agon::Error);
  }
  // Copies of one agent have one row.
  CHECK(Seating::by_block({{4, 4, 4}, -1}).assignment(0, 5) == std::vector<int>{4, 4, 4});
  // The others do not look at the block.
  CHECK(Seating::all(different(3)).assignment(2, 1) == Seating::all(different(3)).assignment(2));
  const Roles roles{{"buyer", "seller"}, {{"buyer"}, {"seller"}}, {"b", "s"}};
  CHECK_THROWS_WITH(Seating::make({{0, 1}, -1}, SeatDesign::by_block, roles),
                    Catch::Matchers::Contains("by-block moves every agent over every seat"));
  // Where both could play both, no block would have two agents in one role.
  CHECK_THROWS_WITH(Seating::make({{0, 1}, -1}, SeatDesign::by_block,
                                  {{"buyer", "seller"}, {{}, {}}, {"b", "s"}}),
                    Catch::Matchers::Contains("by-block plays one assignment a block"));
  CHECK(Seating::make({{0, 1}, -1}, SeatDesign::by_block,
                      {{"bidder", "bidder"}, {{}, {}}, {"b", "s"}})
            .size() == 1);
}

TEST_CASE("the automatic design follows its rule", "[design]") {
  CHECK(Seating::make(different(1)).size() == 1);
  CHECK(Seating::make(different(2)).design() == SeatDesign::all);
  CHECK(Seating::make(different(3)).design() == SeatDesign::all);
  for (const int n : {4, 5, 7, 8, 9})
    CHECK(Seating::make(different(n)).design() == SeatDesign::pairwise);
  CHECK(Seating::make(different(5)).size() == 20);
  CHECK(Seating::make(different(6)).design() == SeatDesign::latin);
  CHECK(Seating::make(different(30)).design() == SeatDesign::latin);
  CHECK(Seating::make({{0, 0, 1, 2}, -1}).design() == SeatDesign::all);             // 12
  CHECK(Seating::make({{0, 0, 1, 1, 1, 1, 1}, -1}).design() == SeatDesign::latin);  // 21
  CHECK(Seating::make(different(4), SeatDesign::all).size() == 24);
  CHECK(Seating::make(different(4), SeatDesign::latin).size() == 4);
  CHECK(Seating::make(different(3), SeatDesign::pairwise).size() == 6);
  CHECK(Seating::make(different(5), SeatDesign::by_role).design() == SeatDesign::pairwise);
}

TEST_CASE("as listed, everybody stays on the seat that the line-up gives", "[design]") {
  const Seating seating = Seating::make({{1, 0, 1, 2}, 0}, SeatDesign::as_listed);
  CHECK(seating.design() == SeatDesign::as_listed);
  CHECK(seating.size() == 1);
  CHECK(seating.assignment(0) == std::vector<int>{1, 0, 1, 2});
  CHECK(seating.focal() == 0);
  const Roles roles{{"buyer", "seller"}, {{"buyer"}, {}}, {"a", "b"}};
  CHECK(Seating::make({{0, 1}, -1}, SeatDesign::as_listed, roles).size() == 1);
  CHECK_THROWS_WITH(Seating::make({{1, 0}, -1}, SeatDesign::as_listed, roles),
                    Catch::Contains("puts 'a' on a seat that is 'seller'"));
}

TEST_CASE("a seating refuses what is not there", "[design]") {
  CHECK_THROWS_WITH(Seating::make({}), "a line-up has no agents; name one agent a seat");
  CHECK_THROWS_WITH(Seating::make(different(2)).assignment(2),
                    "there is no assignment number 2: there are 2; count from 0");
}
