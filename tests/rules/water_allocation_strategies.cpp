// The rule agents that come with the game.

#include "catch.hpp"
#include "water-allocation/messages.hpp"
#include "water-allocation/strategies.hpp"
#include "water_allocation_town.hpp"

using namespace water_allocation_test;
using water_allocation::Fixed;
using water_allocation::Fraction;
using water_allocation::Survivor;

namespace {

/// What the agent in seat 0 says in a match of two, the other saying `rival`.
std::vector<std::string> bids_of(const agon::Agent& agent, const std::string& settings,
                                 const std::vector<std::string>& rival) {
  const auto played =
      agon::test::ScriptedMatch(the_game(), settings).agent(0, agent).seat(1, rival).play();
  std::vector<std::string> bids;
  for (const auto& asked : played.asked)
    if (asked.seat == 0) bids.push_back(asked.answer_json);
  for (const auto& asked : played.asked) CHECK_FALSE(asked.forced);
  return bids;
}

std::string town(const std::string& mine, const std::string& rest,
                 const std::string& rivals = R"("need": 10, "salary": 100)") {
  return R"({"supply": [0, 1000], "residents": [{"name": "Me", "need": 8, "salary": 70, )" + mine +
         R"(}, {"name": "Rival", )" + rivals + R"(}], )" + rest + "}";
}

double days_of(const agon::Agent& focal, int seat, const agon::Agent& field) {
  double days = 0;
  for (std::uint64_t luck = 1; luck <= 60; ++luck) {
    agon::test::ScriptedMatch match(the_game(), "{}");
    for (int s = 0; s < 5; ++s) match.agent(s, s == seat ? focal : field);
    days += match.luck(luck).play().outcome[seat].score;
  }
  return days / 60;
}

using Bids = std::vector<std::string>;

}  // namespace

TEST_CASE("water: fixed bids its amount or all it has") {
  const Fixed fixed({agon::major(100)});
  CHECK(bids_of(fixed, town(R"("balance": 0)", R"("days": 2, "supply_list": [0, 0])"), {}) ==
        Bids{R"({"bid":70})", R"({"bid":100})"});
}

TEST_CASE("water: fraction bids its share, rounded down to a cent") {
  const Fraction third({1.0 / 3});
  CHECK(bids_of(third, town(R"("balance": 0)", R"("days": 2, "supply_list": [0, 0])"), {}) ==
        Bids{R"({"bid":23.33})", R"({"bid":46.66})"});
}

TEST_CASE("water: survivor makes no bid for water that cannot serve it") {
  CHECK(bids_of(Survivor({}), town(R"("hp": 1)", R"("days": 1, "supply_list": [7])"), {}) ==
        Bids{R"({"bid":null})"});
}

TEST_CASE("water: survivor bids nothing it need not") {
  CHECK(bids_of(Survivor({}), town(R"("hp": 8)", R"("days": 3, "supply_list": [8, 8, 8])"),
                {R"({"bid": 1})", R"({"bid": 1})", R"({"bid": 1})"}) ==
        Bids{R"({"bid":0})", R"({"bid":0})", R"({"bid":0})"});
}

TEST_CASE("water: survivor in mortal need beats all that its rivals own") {
  const Survivor survivor({});
  // The rival owns 100 and comes after it at the same bid: its need is the larger one.
  CHECK(bids_of(survivor, town(R"("hp": 1, "balance": 500)", R"("days": 1, "supply_list": [15])"),
                {R"({"bid": 100})"}) == Bids{R"({"bid":100})"});
  // A rival of lower need would be served first at the same bid.
  CHECK(bids_of(survivor,
                town(R"("hp": 1, "balance": 500)", R"("days": 1, "supply_list": [11])",
                     R"("need": 4, "salary": 100)"),
                {R"({"bid": 100})"}) == Bids{R"({"bid":100.01})"});
  // There is enough for both.
  CHECK(bids_of(survivor, town(R"("hp": 1, "balance": 500)", R"("days": 1, "supply_list": [18])"),
                {R"({"bid": 100})"}) == Bids{R"({"bid":0})"});
  // It never bids more than it has.
  CHECK(bids_of(survivor, town(R"("hp": 1)", R"("days": 1, "supply_list": [15])"),
                {R"({"bid": 100})"}) == Bids{R"({"bid":70})"});
}

TEST_CASE("water: survivor raises above the share of its money that its rival bid last") {
  const auto bids =
      bids_of(Survivor({}),
              town(R"("hp": 8, "balance": 1000)", R"("days": 9, "supply_list": [8, 10, 10, )"
                                                  R"(10, 10, 10, 10, 10, 10])"),
              {R"({"bid": 20})", R"({"bid": 30})"});
  REQUIRE(bids.size() == 9);
  // On day 1 the rival cannot be served. It bids 20 of 100, then 30 of 200.
  CHECK(bids[0] == R"({"bid":10})");
  CHECK(bids[1] == R"({"bid":50})");
  CHECK(bids[2] == R"({"bid":55})");
}

TEST_CASE("water: survivor outlives the others in their own company") {
  const Survivor survivor({});
  const Fixed fixed({});
  const Fraction half({});
  double against_fixed = 0, against_half = 0, fixed_itself = 0, half_itself = 0;
  for (int seat = 0; seat < 5; ++seat) {
    against_fixed += days_of(survivor, seat, fixed) / 5;
    against_half += days_of(survivor, seat, half) / 5;
    fixed_itself += days_of(fixed, seat, fixed) / 5;
    half_itself += days_of(half, seat, half) / 5;
  }
  INFO(against_fixed << " " << fixed_itself << " " << against_half << " " << half_itself);
  CHECK(against_fixed > fixed_itself + 2);
  CHECK(against_half > half_itself + 2);
}
