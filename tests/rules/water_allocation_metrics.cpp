// Every metric of the water game by figures worked out by hand, and comparisons where they turn.

#include "catch.hpp"
#include "water_allocation_town.hpp"

using namespace water_allocation_test;
using agon::test::check_all_metrics;
using agon::test::undefined;

TEST_CASE("water: all metrics of one match") {
  // Four days from day 3 on. Bids above the balance are ignored.
  const auto played =
      play({.players = {{.need = 8,
                         .salary = 70,
                         .bids = {"40", "0", "30", "null"},
                         .balance = 30,
                         .name = "Alex"},
                        {.need = 9, .salary = 75, .bids = {"50", "null"}, .hp = 2, .name = "Bob"},
                        {.need = 10,
                         .salary = 100,
                         .bids = {"60.50", "0", "50", "1000"},
                         .hp = 1,
                         .name = "Cindy"}},
            .supplies = {10, 20, 9, 12},
            .first_day = 3,
            .more = R"("over_balance": "ignored")"});
  REQUIRE(winners(played, 0) == std::vector<std::string>{"Cindy"});  // 50.01 would have been enough
  REQUIRE(winners(played, 1) ==
          std::vector<std::string>{"Alex", "Cindy"});  // for nothing; Bob dies
  REQUIRE(winners(played, 2) ==
          std::vector<std::string>{"Alex"});  // Cindy needs more than there is
  REQUIRE(winners(played, 3).empty());
  // Missed: the first day, on which 60.50 would have done, and the last one.
  check_all_metrics(played, 0,
                    {{"survived", 1},
                     {"days_survived", 4},
                     {"died_on", undefined},
                     {"hp_end", 9},
                     {"balance_end", 28000},
                     {"earned", 31000},
                     {"spent", 3000},
                     {"spent_share", 30.0 / 310},
                     {"wins", 2},
                     {"free_wins", 1},
                     {"dry_days", 2},
                     {"bids", 3},
                     {"no_bids", 1},
                     {"bid_sum", 7000},
                     {"highest_bid", 4000},
                     {"overpaid", 3000},
                     {"overpaid_share", 1},
                     {"missed_wins", 2}});
  check_all_metrics(played, 1,
                    {{"days_survived", 1},
                     {"died_on", 4},
                     {"hp_end", -1},
                     {"earned", 15000},
                     {"forfeited", 15000},
                     {"dry_days", 2},
                     {"bids", 1},
                     {"no_bids", 1},
                     {"bid_sum", 5000},
                     {"highest_bid", 5000},
                     {"critical_days", 1},
                     {"overpaid_share", undefined},
                     {"missed_wins", 2},
                     {"missed_critical_wins", 1}});
  check_all_metrics(played, 2,
                    {{"survived", 1},
                     {"days_survived", 4},
                     {"died_on", undefined},
                     {"hp_end", 2},
                     {"balance_end", 33950},
                     {"earned", 40000},
                     {"spent", 6050},
                     {"spent_share", 60.5 / 400},
                     {"wins", 2},
                     {"free_wins", 1},
                     {"dry_days", 2},
                     {"bids", 4},
                     {"ignored_bids", 1},
                     {"bid_sum", 11050},
                     {"highest_bid", 6050},
                     {"critical_days", 1},
                     {"critical_wins", 1},
                     {"overpaid", 1049},
                     {"overpaid_share", 10.49 / 60.5},
                     {"missed_wins", 1}});
  // To live, Alex must drink once, Bob and Cindy twice: 8 + 18 + 20 of 51 units.
  check_all_metrics(played, -1,
                    {{"residents", 3},
                     {"survivors", 2},
                     {"survival_rate", 2.0 / 3},
                     {"survival_days", 9},
                     {"survival_share", 9.0 / 12},
                     {"survivors_bound", 3},
                     {"survivors_share", 2.0 / 3},
                     {"days_played", 4},
                     {"needs_start", 27},
                     {"needs_end", 18},
                     {"rsr_start", 500.0 / 27},
                     {"rsr_end", 500.0 / 18},
                     {"water_supplied", 51},
                     {"water_used", 36},
                     {"water_used_share", 36.0 / 51},
                     {"water_best", 10 + 19 + 8 + 10},
                     {"packing_efficiency", 36.0 / 47},
                     {"drinks", 4},
                     {"drinks_best", 5},
                     {"serving_efficiency", 0.8},
                     {"days_with_winner", 3},
                     {"days_without_winner", 1},
                     {"price_sum", 9050},
                     {"price_mean", 90.5 / 3},
                     {"price_median", 30},
                     {"price_highest", 6050},
                     {"spent", 9050},
                     {"overpaid", 4049},
                     {"tied_days", 1},
                     {"skipped_days", 1}});
  const double days[] = {4, 1, 4};
  for (int seat = 0; seat < 3; ++seat) {
    CHECK(played.outcome[seat].score == days[seat]);
    CHECK(played.outcome[seat].disagreement == 0);
    CHECK(played.outcome[seat].ideal == 4);  // the days that are played, not the number of the last
  }
}

TEST_CASE("water: a win is missed if the balance covers it, and not if a cent is lacking") {
  // Water for one; of equal bids the first in order drinks. Bob has 75.
  const auto missed = [](const std::string& bid) {
    return play({.players = {{.bids = {bid}}, {.salary = 75, .bids = {"null"}}}, .supplies = {10}})
        .metric("missed_wins", 1);
  };
  CHECK(missed("74.99") == 1);
  CHECK(missed("75") == 0);
}

TEST_CASE("water: the bound on survivors counts the water after the last death") {
  // Nobody drinks, all are dead on day 4; one drink of 10 units each keeps alive for five days.
  const auto bound = [](std::vector<int> supplies) {
    const auto played = play({.players = {{.bids = {}}, {.bids = {}}}, .supplies = supplies});
    CHECK(played.metric("days_played") == 4);
    return played.metric("survivors_bound");
  };
  CHECK(bound({0, 0, 0, 0, 9}) == 0);
  CHECK(bound({0, 0, 0, 0, 10}) == 1);
  CHECK(bound({0, 0, 0, 9, 10}) == 1);
  CHECK(bound({0, 0, 0, 10, 10}) == 2);
  CHECK(bound({0, 0, 0, 0, 0, 10}) == 1);
}

TEST_CASE("water: a day is skipped over if a lower bid is served after a higher one is not") {
  using water_allocation_test::play;
  const auto skipped = [](int supply) {
    return play({.players = {{.need = 5, .bids = {"30"}},
                             {.need = 20, .bids = {"20"}},
                             {.need = 4, .bids = {"10"}},
                             {.need = 20, .bids = {"5"}},
                             {.need = 1, .bids = {"1"}}},
                 .supplies = {supply}})
        .metric("skipped_days");
  };
  CHECK(skipped(50) == 0);  // all are served
  CHECK(skipped(10) == 1);  // the second is passed over, the third and the last are served
  CHECK(skipped(5) == 0);   // passed over, but nobody after it is served
}
