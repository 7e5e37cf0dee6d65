// Tables of towns without water, from matches written by hand.

#include "catch.hpp"
#include "plugin/catalogue.hpp"
#include "support/written_matches.hpp"
#include "survival-auction/game.hpp"
#include "water-allocation/game.hpp"
#include "water-allocation/tables/tables.hpp"

namespace tables_of_towns_test {
namespace {

using agon::test::cells_of;
using agon::test::WrittenMatch;
using agon::test::WrittenMatches;
using Lines = std::vector<std::string>;

/// An evening, as either game has it: who is listed, with health and money.
std::pair<std::string, std::string> evening(
    int day, const std::vector<std::tuple<std::string, int, int>>& residents, int supply = 0) {
  std::string listed;
  for (const auto& [name, hp, balance] : residents)
    listed += fmt::format(
        R"({}{{"name": "{}", "bid": 1, "won": false, "balance": {}, "hp": {}, "no_drink": 1}})",
        listed.empty() ? "" : ", ", name, balance, hp);
  return {"day", fmt::format(R"({{"day": {}, "supply": {}, "used": 0, "residents": [{}]}})", day,
                             supply, listed)};
}

}  // namespace

TEST_CASE("survival and balances are shares and means of the evenings") {
  // Three days. In the first match Bob dies on day 2 and Alex on day 3; in the second Alex on
  // day 1.
  const WrittenMatches matches(
      {{.seats = {{"a", {}, "Alex"}, {"b", {}, "Bob"}},
        .settings = R"({"days": 3})",
        .block = 0,
        .events = {evening(1, {{"Alex", 5, 100}, {"Bob", 4, 90}}),
                   evening(2, {{"Alex", 3, 70}, {"Bob", 0, 30}}), evening(3, {{"Alex", -1, 10}})}},
       {.seats = {{"b", {}, "Alex"}, {"a", {}, "Bob"}},
        .settings = R"({"days": 3})",
        .block = 1,
        .events = {evening(1, {{"Alex", 0, 100}, {"Bob", 2, 60}}), evening(2, {{"Bob", 2, 50}}),
                   evening(3, {{"Bob", 1, 40}})}}});
  agon::Catalogue catalogue;
  water_allocation::enter(catalogue);
  survival_auction::enter(catalogue);
  std::size_t found = 0;
  for (const agon::TableCard* card : catalogue.all<agon::TableCard>()) {
    const bool survival = card->id.ends_with("/survival");
    if (!survival && !card->id.ends_with("/balances")) continue;
    ++found;
    const agon::PaperTable table = card->make(matches);
    CHECK(table.columns == Lines{"1", "2", "3"});
    if (survival)
      // a: both live on days 1 and 2, one of two on day 3; b: one of two on day 1, then nobody.
      CHECK(cells_of(table) == Lines{"a | 1.00 of 2 | 1.00 of 2 | 0.50 of 2",
                                     "b | 0.50 of 2 | 0.00 of 2 | 0.00 of 2"});
    else
      // a: (100 + 60) / 2, (70 + 50) / 2, then 40 alone; b: 90 on day 1.
      CHECK(cells_of(table) == Lines{"a | 80 of 2 | 60 of 2 | 40 of 1", "b | 90 of 1 |  | "});
  }
  CHECK(found == 4);  // of both games
}

TEST_CASE("personas are compared within pairs that had the same supply") {
  const auto game = [](bool persona, int block, std::vector<int> supply, double survivors,
                       double price) {
    WrittenMatch match{
        .seats = {}, .settings = persona ? R"({"persona": true})" : "{}", .block = block};
    for (const char* name : {"Alex", "Bob", "Cindy", "David", "Eric"})
      // The first ones survive.
      match.seats.push_back(
          {"gpt-4-32k",
           {{"survived", static_cast<double>(match.seats.size()) < survivors ? 1.0 : 0.0}},
           name});
    for (std::size_t d = 0; d < supply.size(); ++d)
      match.events.push_back(evening(static_cast<int>(d) + 1, {}, supply[d]));
    match.metrics = {{"survivors", survivors}, {"rsr_end", survivors / 4}};
    if (price > 0) match.metrics["price_mean"] = price;
    return match;
  };
  // Block 0: the game with personas is two days shorter, and begins as the other one. Block 1: no
  // price. Block 2: another supply on day 2, so that it is no pair. Block 3: nobody without.
  const WrittenMatches matches({game(false, 0, {10, 12, 20}, 1, 50), game(true, 0, {10}, 3, 70),
                                game(false, 1, {15, 11}, 2, 0), game(true, 1, {15, 11}, 2, 30),
                                game(false, 2, {10, 12}, 0, 10), game(true, 2, {10, 13}, 5, 99),
                                game(true, 3, {10, 12}, 5, 99)});
  const agon::PaperTable table = water_allocation::persona_contrast(matches);
  CHECK(table.columns ==
        Lines{"low supply: none", "low supply: persona", "low supply: persona minus none"});
  CHECK(cells_of(table) ==
        Lines{"survival of Alex | 1.00 of 2 | 1.00 of 2 | 0.00 of 2",
              // Bob: 0 and 1 without, 1 and 1 with.
              "survival of Bob | 0.50 of 2 | 1.00 of 2 | 0.50 of 2",
              "survival of Cindy | 0.00 of 2 | 0.50 of 2 | 0.50 of 2",
              "survival of David | 0.00 of 2 | 0.00 of 2 | 0.00 of 2",
              "survival of Eric | 0.00 of 2 | 0.00 of 2 | 0.00 of 2",
              "survivors | 1.50 of 2 | 2.50 of 2 | 1.00 of 2",
              "RSR at the end | 0.38 of 2 | 0.62 of 2 | 0.25 of 2",
              // One pair has both prices.
              "mean lowest winning bid, dollars | 50.00 of 1 | 70.00 of 1 | 20.00 of 1"});
  CHECK(table.notes.back() == "Left out: 1 pairs whose supply differs, as settings were changed.");
}

TEST_CASE("ratings of own play are people's, and a judge has one for each record of the game") {
  const char* const settings =
      R"({"records": [{"id": "R01", "key": "a", "identity": true, "text": "Game: water-allocation\nx"},
                      {"id": "R02", "key": "b", "identity": true, "text": "Game: classic\nx"}]})";
  const auto rated = [&](const std::string& judge, const std::string& person,
                         const std::string& record, const std::string& key, int ratings) {
    const bool own = record == "own";
    return WrittenMatch{
        .seats = {{judge, {}, "Judge", person}},
        .settings = own ? R"({"records": []})" : settings,
        .events = {{"rated",
                    fmt::format(R"({{"record": "{}", "key": "{}", "ratings": {{"IU": {}, "LR": null,
                             "SE": null, "AD": null, "LP": null, "IA": null}}}})",
                                record, key, ratings == 0 ? "null" : std::to_string(ratings))}}};
  };
  const WrittenMatches matches({
      rated("self", "anna", "own", "", 0),  // said nothing: the next one counts
      rated("self", "anna", "own", "", 4), rated("self", "anna", "own", "", 1),
      rated("self", "bo", "own", "", 2),
      rated("self", "", "own", "", 5),        // an agent, which has played nothing
      rated("human", "anna", "R01", "a", 3),  // people and agents judge records
      rated("human", "anna", "R01", "a", 1), rated("model", "", "R01", "a", 5),
      rated("model", "", "R01", "other", 1),  // of another study, which has other records
      rated("model", "", "R02", "b", 1),      // of another game
  });
  const agon::PaperTable spread = water_allocation::ratings_spread(matches);
  REQUIRE(spread.rows.size() > 2);
  const auto mean = [&](std::size_t row) { return spread.rows[row].cells[5].ours; };
  CHECK(spread.rows[1].label == "  agents");
  CHECK(mean(1).value == 4);
  CHECK(mean(1).n == 2);
  CHECK(spread.rows[2].label == "  own play");
  CHECK(mean(2).value == 3);
  CHECK(mean(2).n == 2);
  const agon::PaperTable table = water_allocation::judges_ratings(matches);
  CHECK(table.rows[0].cells[0].ours.value == 4);
  CHECK(table.rows[0].cells[2].ours.value == 3);
  CHECK(table.rows[0].cells[2].ours.n == 2);
  CHECK(table.notes.back().find("by: anna, bo, model (agents among them") != std::string::npos);
  // Of agents alone nothing is left.
  CHECK_THROWS_AS(
      water_allocation::ratings_spread(WrittenMatches({rated("self", "", "own", "", 5)})),
      agon::LacksData);
}

}  // namespace tables_of_towns_test
