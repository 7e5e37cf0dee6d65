// What a seat is told and shown, and what it is not.

#include <boost/json.hpp>

#include "catch.hpp"
#include "water-allocation/game.hpp"
#include "water_allocation_town.hpp"

using namespace water_allocation_test;
namespace json = boost::json;

namespace {

/// All that one seat hears and sees, in order.
std::string heard_by(const agon::test::Played& played, int seat) {
  std::string all;
  for (const auto& said : played.said)
    if ((said.audience >> seat & 1U) != 0) all += said.name + said.json + "\n";
  for (const auto& asked : played.asked)
    if (asked.seat == seat) all += asked.view_json + "\n";
  return all;
}

agon::test::Played with_personas(const std::string& background_of_bob) {
  const std::string settings =
      R"({"days": 2, "supply_list": [12, 20], "persona": true, "residents": [
        {"name": "Ann", "need": 8, "salary": 70.5, "profession": "baker", "personality": "calm",
         "background": "born here"},
        {"name": "Bob", "need": 9, "salary": 75, "profession": "smith", "personality": "loud",
         "background": ")" +
      background_of_bob + R"("}]})";
  return agon::test::ScriptedMatch(the_game(), settings)
      .seat(0, {R"({"bid": 20})", R"({"bid": null})"})
      .seat(1, {R"({"bid": 30})", R"({"bid": 0})"})
      .play();
}

}  // namespace

TEST_CASE("water: the view of a morning") {
  const auto played = with_personas("a stranger");
  REQUIRE(played.asked.size() == 4);
  CHECK(json::parse(played.asked[0].view_json) == json::parse(R"({
    "day": 1, "days_left": 1, "supply": 12, "supply_range": [10, 20], "name": "Ann", "need": 8,
    "salary": 70.5, "balance": 70.5, "hp": 8, "no_drink": 1, "max_hp": 10, "drink_hp": 2,
    "persona": {"profession": "baker", "personality": "calm", "background": "born here"},
    "town": [
      {"name": "Ann", "alive": true, "need": 8, "salary": 70.5, "balance": 70.5, "hp": 8,
       "no_drink": 1},
      {"name": "Bob", "alive": true, "need": 9, "salary": 75, "balance": 75, "hp": 8,
       "no_drink": 1}],
    "history": []})"));
  const json::value next = json::parse(played.asked[2].view_json);
  CHECK(next.at("day") == 2);
  CHECK(next.at("days_left") == 0);
  CHECK(next.at("balance") == 141);
  CHECK(next.at("hp") == 7);
  CHECK(next.at("no_drink") == 2);
  CHECK(next.at("history") == json::parse(R"([{"day": 1, "supply": 12, "residents": [
      {"name": "Ann", "bid": 20, "won": false, "balance": 70.5, "hp": 7, "no_drink": 2},
      {"name": "Bob", "bid": 30, "won": true, "balance": 45, "hp": 10, "no_drink": 1}]}])"));
}

TEST_CASE("water: one event a day says all that happened") {
  const auto played = with_personas("a stranger");
  CHECK(played.count("town") == 1);
  REQUIRE(played.count("day") == 2);
  CHECK(json::parse(played.event("day", 1).json) == json::parse(R"({
    "day": 2, "supply": 20, "used": 9, "price": 0, "residents": [
      {"name": "Ann", "bid": null, "won": false, "balance": 141, "hp": 5, "no_drink": 3},
      {"name": "Bob", "bid": 0, "won": true, "balance": 120, "hp": 10, "no_drink": 1}]})"));
}

TEST_CASE("water 2.1: a persona is told to its own seat alone") {
  const auto one = with_personas("a stranger");
  const auto other = with_personas("a former mayor");
  REQUIRE(one.count("private") == 2);
  CHECK(one.event("private", 0).audience == 1);
  CHECK(one.event("private", 1).audience == 2);
  CHECK(heard_by(one, 0) == heard_by(other, 0));
  CHECK(heard_by(one, 1) != heard_by(other, 1));
  CHECK(heard_by(one, 1).find("a stranger") != std::string::npos);
  CHECK(heard_by(one, 0).find("smith") == std::string::npos);
}

TEST_CASE("water 2.6: without personas nobody is told one") {
  const auto played = agon::test::ScriptedMatch(the_game(), R"({"days": 1})").play();
  CHECK(played.count("private") == 0);
  for (const auto& asked : played.asked) {
    CHECK(json::parse(asked.view_json).at("persona").is_null());
    for (const auto& r : water_allocation::five_residents())
      CHECK(asked.view_json.find(r.background) == std::string::npos);
  }
}

TEST_CASE("water: who is dead before the first day takes no part") {
  const auto played = agon::test::ScriptedMatch(the_game(), R"({"first_day": 7, "days": 7,
    "supply_list": [19], "residents": [{"name": "Ann", "hp": 0}, {"name": "Bob"}]})")
                          .seat(0, {R"({"bid": 5})"})
                          .seat(1, {R"({"bid": 5})"})
                          .play();
  REQUIRE(played.asked.size() == 1);
  CHECK(played.asked[0].seat == 1);
  CHECK_FALSE(json::parse(played.asked[0].view_json).at("town").at(0).at("alive").as_bool());
  CHECK(played.outcome[0].score == 0);
  CHECK(played.metric("residents") == 1);
  CHECK(played.metric("survival_rate") == 1);
  CHECK(played.metric("rsr_start") == Approx(1.5));
}
