// The golden cases of the rules, section 2.12, each played as a match.

#include <cmath>

#include "catch.hpp"
#include "water-allocation/play.hpp"
#include "water_allocation_town.hpp"

using namespace water_allocation_test;
using Names = std::vector<std::string>;
using Evenings = std::vector<Evening>;

TEST_CASE("water 2.12 case 1: one rich bidder takes the day and the weakest dies") {
  auto players = five({"150", "200", "120", "180", "300"});
  const int before[] = {340, 375, 360, 570, 720};
  const int hp[] = {7, 1, 5, 5, 1};
  const int no_drink[] = {3, 3, 1, 2, 4};
  for (std::size_t i = 0; i < 5; ++i) {
    players[i].balance = before[i] - players[i].salary;
    players[i].hp = hp[i];
    players[i].no_drink = no_drink[i];
  }
  const auto played = play({.players = players, .supplies = {19}, .first_day = 7});
  CHECK(winners(played) == Names{"Eric"});
  CHECK(evening(played) ==
        Evenings{{340, 4, 4}, {375, -2, 4}, {360, 4, 2}, {570, 3, 3}, {420, 3, 1}});
  REQUIRE(played.count("death") == 1);
  CHECK(played.event("death").json.find("Bob") != std::string::npos);
  CHECK(played.metric("forfeited", 1) == 37500);
  CHECK(played.metric("balance_end", 1) == 0);
  CHECK(played.metric("survived", 1) == 0);
  CHECK(played.metric("died_on", 1) == 7);
  CHECK(played.metric("hp_end", 1) == -2);
  CHECK(played.metric("survivors") == 4);
}

TEST_CASE("water 2.12 case 2: too thirsty a high bidder is passed over, a tie goes to low need") {
  const auto played = play({.players = five({"40", "40", "40", "40", "60"}), .supplies = {11}});
  CHECK(winners(played) == Names{"Alex"});
  CHECK(evening(played) ==
        Evenings{{30, 10, 1}, {75, 7, 2}, {100, 7, 2}, {120, 7, 2}, {120, 7, 2}});
  CHECK(played.metric("tied_days") == 1);
  CHECK(played.metric("skipped_days") == 1);
  CHECK(played.metric("price_mean") == 40);
}

TEST_CASE("water 2.12 case 3: the day after, what is left serves nobody else") {
  auto players = five({"40", "40", "40", "40", "60"});
  const char* second[] = {"50", "85", "90", "80", "110"};
  for (std::size_t i = 0; i < 5; ++i) players[i].bids.push_back(second[i]);
  const auto played = play({.players = players, .supplies = {11, 17}});
  CHECK(winners(played, 1) == Names{"Eric"});
  CHECK(evening(played, 1) ==
        Evenings{{100, 9, 2}, {150, 5, 3}, {200, 5, 3}, {240, 5, 3}, {130, 9, 1}});
}

TEST_CASE("water 2.12 case 4: the second bidder needs too much, the third is served") {
  const auto played =
      play({.players = {{.need = 8, .bids = {"200"}, .balance = 500, .name = "Alex"},
                        {.need = 9, .bids = {"120"}, .balance = 500, .name = "Bob"},
                        {.need = 12, .bids = {"180"}, .balance = 500, .name = "Eric"}},
            .supplies = {19},
            .first_day = 7});
  CHECK(winners(played) == Names{"Alex", "Bob"});
  CHECK(played.metric("skipped_days") == 1);
  CHECK(played.metric("price_lowest") == 12000);
}

TEST_CASE("water 2.12 case 5: a tie for the first place, then nobody fits") {
  const auto played =
      play({.players = {{.need = 9, .bids = {"200"}, .balance = 500, .name = "Bob"},
                        {.need = 11, .bids = {"200"}, .balance = 500, .name = "David"},
                        {.need = 12, .bids = {"180"}, .balance = 500, .name = "Eric"}},
            .supplies = {19},
            .first_day = 7});
  CHECK(winners(played) == Names{"Bob"});
  CHECK(played.metric("water_used") == 9);
}

TEST_CASE("water 2.12 case 6: a bid above the balance wins nothing, one of all of it is legal") {
  const std::vector<Player> players{{.need = 8, .salary = 70, .bids = {"71"}},
                                    {.need = 9, .salary = 75, .bids = {"75"}}};
  SECTION("ignored, and not asked again") {
    const auto played =
        play({.players = players, .supplies = {20}, .more = R"("over_balance": "ignored")"});
    CHECK(winners(played) == Names{"Bob"});
    CHECK(evening(played) == Evenings{{70, 7, 2}, {0, 10, 1}});
    CHECK(played.metric("ignored_bids", 0) == 1);
    CHECK_FALSE(played.asked.at(0).forced);
    CHECK(played.asked.at(0).rejected == 0);
  }
  SECTION("refused: asked three times more, then no bid") {
    auto stubborn = players;
    stubborn[0].bids = {"71", "71", "71", "71"};
    const auto played = play({.players = stubborn, .supplies = {20}});
    CHECK(winners(played) == Names{"Bob"});
    CHECK(evening(played) == Evenings{{70, 7, 2}, {0, 10, 1}});
    CHECK(played.metric("no_bids", 0) == 1);
    CHECK(played.asked.at(0).rejected == 4);
    CHECK(played.asked.at(0).forced);
  }
  SECTION("refused: the second answer counts") {
    auto again = players;
    again[0].bids.push_back("70");
    const auto played = play({.players = again, .supplies = {20}});
    CHECK(winners(played) == Names{"Alex", "Bob"});
    CHECK(played.asked.at(0).rejected == 1);
  }
  SECTION("a cent more than the balance is above it") {
    auto cent = players;
    cent[0].bids = {"70.01"};
    const auto played =
        play({.players = cent, .supplies = {20}, .more = R"("over_balance": "ignored")"});
    CHECK(winners(played) == Names{"Bob"});
  }
}

TEST_CASE("water 2.12 case 7: health stops at its upper end") {
  const auto played = play(
      {.players = {{.need = 8, .bids = {"10"}, .hp = 9}, {.need = 9, .bids = {"10"}, .hp = 10}},
       .supplies = {20}});
  CHECK(evening(played) == Evenings{{90, 10, 1}, {90, 10, 1}});
}

TEST_CASE("water 2.12 case 8: who never drinks is dead on day 4") {
  const auto played = play({.players = five({"null", "null", "null", "null", "null"}),
                            .supplies = {10, 11, 12, 13, 14}});
  const int hp[] = {7, 5, 2, -2};
  for (std::size_t day = 0; day < 4; ++day) CHECK(evening(played, day)[0].hp == hp[day]);
  CHECK(played.count("day") == 4);
  CHECK(played.count("death") == 5);
  CHECK(played.metric("days_survived", 0) == 3);
  CHECK(played.metric("died_on", 0) == 4);
  CHECK(played.metric("days_played") == 4);
  CHECK(std::isnan(played.metric("rsr_end")));
  CHECK(std::isnan(played.metric("price_median")));
  CHECK(played.metric("days_without_winner") == 4);
  CHECK(played.outcome[0].score == 3);
  CHECK(played.outcome[0].ideal == 5);
}

TEST_CASE("water 2.12 case 9: bids of 0 win water that nobody pays for, no bid does not") {
  SECTION("all bid 0") {
    const auto played = play({.players = five({"0", "0", "0", "0", "0"}), .supplies = {30}});
    CHECK(winners(played) == Names{"Alex", "Bob", "Cindy"});
    CHECK(played.metric("water_used") == 27);
    CHECK(played.metric("spent") == 0);
    CHECK(played.metric("free_wins", 2) == 1);
  }
  SECTION("Alex makes no bid") {
    const auto played = play({.players = five({"null", "0", "0", "0", "0"}), .supplies = {30}});
    CHECK(winners(played) == Names{"Bob", "Cindy", "David"});
  }
}

TEST_CASE("water 2.12 case 10: the search goes on after a tie or a misfit") {
  auto players = five({"90", "150", "100", "120", "150"});
  for (Player& p : players) p.balance = 200;
  const auto played = play({.players = players, .supplies = {22}});
  CHECK(winners(played) == Names{"Bob", "Eric"});
  CHECK(played.metric("water_used") == 21);
}

TEST_CASE("water 2.12 case 11: resource satisfaction rates of the survivors") {
  using water_allocation::satisfaction_rate;
  const auto rate = [](int needs) { return *satisfaction_rate(15, needs); };
  CHECK(rate(10 + 12) == Approx(15.0 / 22));
  CHECK(rate(22) == Approx(.68).margin(.005));
  CHECK(rate(11) == Approx(1.36).margin(.005));
  CHECK(rate(12) == Approx(1.25).margin(.005));
  CHECK(rate(50) == Approx(.30));
  CHECK_FALSE(satisfaction_rate(15, 0));
  // The same in a match: Alex, Bob and David die on its one day.
  const auto played = agon::test::ScriptedMatch(the_game(),
                                                R"({"days": 1, "supply_list": [10], "residents": [
      {"name": "Alex", "need": 8, "hp": 1}, {"name": "Bob", "need": 9, "hp": 1},
      {"name": "Cindy", "need": 10}, {"name": "David", "need": 11, "hp": 1},
      {"name": "Eric", "need": 12}]})")
                          .play();
  CHECK(played.metric("rsr_start") == Approx(.30));
  CHECK(played.metric("needs_end") == 22);
  CHECK(played.metric("rsr_end") == Approx(15.0 / 22));
}
