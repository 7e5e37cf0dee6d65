#include <agon/error.hpp>
#include <algorithm>
#include <set>

#include "catch.hpp"
#include "design/seats.hpp"

using namespace agon::design;

namespace {

using Lists = std::vector<std::vector<int>>;

const std::vector<std::string> buyer{"buyer"};
const std::vector<std::string> seller{"seller"};
const std::vector<std::string> either{"buyer", "seller"};

std::set<std::vector<int>> seats_of(const Seating& seating) {
  std::set<std::vector<int>> out;
  for (std::uint64_t i = 0; i < seating.size(); ++i) out.insert(seating.assignment(i));
  REQUIRE(out.size() == seating.size());
  return out;
}

bool allowed(const std::vector<int>& seats, const Roles& roles) {
  for (std::size_t s = 0; s < seats.size(); ++s) {
    const auto& plays = roles.plays[static_cast<std::size_t>(seats[s])];
    if (!plays.empty() && std::find(plays.begin(), plays.end(), roles.seats[s]) == plays.end())
      return false;
  }
  return true;
}

/// Every distinct permutation that the roles allow, by trying all.
std::set<std::vector<int>> tried(std::vector<int> agents, const Roles& roles) {
  std::set<std::vector<int>> out;
  std::sort(agents.begin(), agents.end());
  do {
    if (allowed(agents, roles)) out.insert(agents);
  } while (std::next_permutation(agents.begin(), agents.end()));
  return out;
}

}  // namespace

TEST_CASE("by-role: pools are crossed and never mixed", "[design]") {
  const Roles roles{{"buyer", "seller", "buyer"}, {buyer, seller, buyer}, {}};
  const Seating seating = Seating::make({{1, 0, 2}, -1}, SeatDesign::automatic, roles);
  CHECK(seating.design() == SeatDesign::by_role);
  CHECK(seats_of(seating) == std::set<std::vector<int>>{{0, 1, 2}, {2, 1, 0}});
}

TEST_CASE("by-role: exactly the assignments where everybody can play", "[design]") {
  // Every choice of abilities for every agent, on several tables of buyers and sellers.
  const std::vector<std::vector<std::string>> abilities{buyer, seller, either, {}};
  int seated = 0;
  int refused = 0;
  for (const auto& seats :
       std::vector<std::vector<std::string>>{{"buyer", "seller"},
                                             {"buyer", "seller", "seller"},
                                             {"seller", "buyer", "seller", "buyer"},
                                             {"buyer", "buyer", "buyer", "seller"}}) {
    const std::size_t n = seats.size();
    for (unsigned code = 0; code < 1U << (2 * n); ++code) {
      Roles roles{seats, {}, {}};
      LineUp line_up;
      for (std::size_t i = 0; i < n; ++i) {
        roles.plays.push_back(abilities[code >> (2 * i) & 3U]);
        line_up.agents.push_back(static_cast<int>(i));
      }
      // The last agent is a copy of the first in half of the cases.
      if (code % 2 == 1) line_up.agents.back() = 0;
      const auto expected = tried(line_up.agents, roles);
      CHECK(can_be_seated(line_up, roles) == !expected.empty());
      if (expected.empty()) {
        ++refused;
        CHECK_THROWS_AS(Seating::by_role(line_up, roles), agon::Error);
        continue;
      }
      ++seated;
      const auto got = seats_of(Seating::by_role(line_up, roles));
      if (expected.size() <= most_by_default) {
        CHECK(got == expected);
      } else {  // more than 12 only without any restriction: the automatic rule may take fewer
        CHECK(std::includes(expected.begin(), expected.end(), got.begin(), got.end()));
      }
    }
  }
  CHECK(seated > 100);
  CHECK(refused > 100);
}

TEST_CASE("by-role: large tables with agents that connect the pools", "[design]") {
  Roles roles{{"buyer", "buyer", "buyer", "seller", "seller", "seller", "seller"},
              {buyer, buyer, either, either, seller, seller, either},
              {}};
  const LineUp line_up{{0, 1, 2, 3, 4, 5, 6}, -1};
  const Seating seating = Seating::by_role(line_up, roles);
  CHECK(seats_of(seating) == tried(line_up.agents, roles));
  const LineUp copies{{0, 2, 2, 3, 4, 4, 6}, -1};
  CHECK(seats_of(Seating::by_role(copies, roles)) == tried(copies.agents, roles));
}

TEST_CASE("by-role: large pools are thinned by the automatic rule and crossed", "[design]") {
  Roles roles;
  LineUp line_up;
  for (int i = 0; i < 10; ++i) {
    roles.seats.push_back(i % 2 == 0 ? "buyer" : "seller");
    roles.plays.push_back(i < 5 ? buyer : seller);
    line_up.agents.push_back(i);
  }
  const Seating seating = Seating::by_role(line_up, roles);
  CHECK(seating.size() == 20 * 20);
  // Every buyer meets every seller equally often in every pair of a buyer's and a seller's seat.
  std::vector<int> together(10 * 10 * 10 * 10, 0);
  for (const auto& seats : seats_of(seating)) {
    REQUIRE(allowed(seats, roles));
    for (std::size_t s = 0; s < 10; s += 2)
      for (std::size_t t = 1; t < 10; t += 2)
        ++together[((s * 10 + t) * 10 + static_cast<std::size_t>(seats[s])) * 10 +
                   static_cast<std::size_t>(seats[t])];
  }
  CHECK(std::count(together.begin(), together.end(), 16) == 5 * 5 * 5 * 5);
  CHECK(std::count(together.begin(), together.end(), 0) == 10'000 - 5 * 5 * 5 * 5);
}

TEST_CASE("by-role: without restrictions the usual rule holds", "[design]") {
  const Roles roles{{"buyer", "seller", "buyer", "seller"}, {{}, either, {}, either}, {}};
  const LineUp line_up{{0, 1, 2, 3}, -1};
  CHECK(Seating::make(line_up, SeatDesign::automatic, roles).design() == SeatDesign::pairwise);
  CHECK(Seating::make(line_up, SeatDesign::latin, roles).size() == 4);
  CHECK(Seating::make(line_up, SeatDesign::by_role, roles).size() == 12);
}

TEST_CASE("by-role: refusals name the agents and the role", "[design]") {
  const Roles roles{{"buyer", "seller"}, {buyer, buyer, either}, {"ann", "bob", "cy"}};
  CHECK_THROWS_WITH(Seating::make({{0, 1}, -1}, SeatDesign::automatic, roles),
                    "the line-up 'ann', 'bob' cannot be seated: 1 of its seats are 'seller', and 0 "
                    "of its agents can play that; "
                    "change the line-up or the roles that its agents can play");
  CHECK_THROWS_WITH(Seating::make({{2, 0}, -1}, SeatDesign::all, roles),
                    "the seat design all moves every agent over every seat, but 'ann' cannot play "
                    "'seller'; use the seat design by-role");
  CHECK_THROWS_WITH(Seating::make({{0, 1, 2}, -1}, SeatDesign::automatic, roles),
                    "the line-up has 3 agents, but 2 seats have roles; name one agent a seat");
  CHECK_THROWS_WITH(Seating::make({{0, 3}, -1}, SeatDesign::automatic, roles),
                    "it is not known which roles agent 3 can play; "
                    "give its roles, or an empty list if it can play all of them");
  // Enough agents for every single role, but not for all of them together.
  const Roles tight{{"a", "b", "c"}, {{"a"}, {"a"}, {"b", "c"}}, {}};
  CHECK_THROWS_WITH(Seating::by_role({{0, 1, 2}, -1}, tight),
                    "the line-up agent 0, agent 1, agent 2 cannot be seated: no assignment lets "
                    "each of them play its seat's role; "
                    "change the line-up or the roles that its agents can play");
  Roles wide{{}, {}, {}};
  LineUp many;
  for (int i = 0; i < 21; ++i) {
    wide.seats.push_back(i == 0 ? "buyer" : "seller");
    wide.plays.push_back(i == 1 ? seller : either);
    many.agents.push_back(i);
  }
  CHECK_THROWS_WITH(Seating::by_role(many, wide),
                    "too many different agents (21) can change roles in one line-up; "
                    "give the agents fixed roles, or seat fewer different agents together");
}

TEST_CASE("line-ups that cannot fill the roles are left out", "[design]") {
  const Roles roles{{"buyer", "seller"}, {buyer, buyer, seller, either}, {}};
  const std::vector<std::string> names{"a", "b", "c", "d"};
  Lists left;
  for (const LineUp& line_up : seatable(round_robin(names, 2), roles))
    left.push_back(line_up.agents);
  CHECK(left == Lists{{0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
  CHECK(seatable(round_robin(names, 3), {}).size() == 4);
  CHECK_THROWS_WITH(seatable({{{0, 1}, -1}}, roles),
                    "none of the 1 line-ups can fill the roles buyer, seller; add agents that can "
                    "play the missing roles, or list the line-ups yourself");
}
