// The golden cases of the English auction (AucArena, Chen et al. 2023): its Listing 1, its bundled
// sample log, and what follows from the rules.

#include "english-auction/play.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/strategies.hpp"
#include "english_auction_support.hpp"

using namespace english_auction_test;
using agon::major;

TEST_CASE("English auction: golden cases 1 to 3, Listing 1 of the paper (section 1.11)") {
  const Played played =
      ScriptedMatch(auction(),
                    settings(3, R"([{"name": "One"}, {"name": "Two"}, {"name": "Three"}])",
                             R"("tie_winners": [{"item": "One", "round": 1, "winner": "Bidder 3"},
                                      {"item": "Three", "round": 1, "winner": "Bidder 2"}])"))
          .seat(0, moves({1200, 1300, 1500, 1200, 0, 1200, 0}))
          .seat(1, moves({1000, 0, 1100, 0, 1200}))
          .seat(2, moves({1200, 1400, 0, 2000, 1100, 0}))
          .play();
  SECTION("case 1: five rounds, a coin for B3, then B1 at 1500") {
    CHECK(hammer(played, 0).winner == "Bidder 1");
    CHECK(hammer(played, 0).price == 1500);
    CHECK(text(json(played.event("round", 0).json), "leader") == "Bidder 3");
    CHECK(text(json(played.event("round", 1).json), "leader") == "Bidder 1");
    CHECK(text(json(played.event("round", 2).json), "leader") == "Bidder 3");
    CHECK(number(json(played.event("round", 4).json), "round") == 5);
  }
  SECTION("case 2: B3 at 2000, no profit") {
    CHECK(hammer(played, 1).winner == "Bidder 3");
    CHECK(hammer(played, 1).price == 2000);
  }
  SECTION("case 3: a coin for B2, B2 at 1200") {
    CHECK(hammer(played, 2).winner == "Bidder 2");
    CHECK(hammer(played, 2).price == 1200);
  }
  SECTION("the personal reports: one item each, 500, 800 and 0") {
    const double profits[] = {50000, 80000, 0};
    for (int seat = 0; seat < 3; ++seat) {
      CHECK(played.metric("items_won", seat) == 1);
      CHECK(played.metric("profit", seat) == profits[seat]);
      CHECK(played.outcome[seat].score == profits[seat]);
      CHECK(played.metric("failed_bids", seat) == 0);
    }
    CHECK(played.outcome[0].rank == 2);
    CHECK(played.outcome[1].rank == 1);
    CHECK(played.outcome[2].rank == 3);
    CHECK(played.metric("ties") == 2);
  }
  SECTION("the history for people tells all of it") {
    const std::string log = text(json(played.event("log").json), "text");
    CHECK_THAT(log, Catch::Matchers::Contains("Bidder 2 leads at $1,200, one of 2 equal bids"));
    CHECK_THAT(log, Catch::Matchers::Contains("Sold to Bidder 1 for $1,500; it is worth $2,000"));
    CHECK_THAT(log, Catch::Matchers::Contains("Bidder 2 started with $20,000, won 1 item, made a "
                                              "profit of $800 and has $18,800 left"));
    CHECK(played.event("log").audience == 0);
  }
}

TEST_CASE("English auction: golden case 4, Equipment E of the sample log (section 1.11)") {
  const Played played =
      ScriptedMatch(auction(),
                    settings(5, R"([{"name": "Equipment E", "price": 5000, "value": 10000}])"))
          .seat(0, moves({5500, 0}))
          .seat(1, moves({5100, 0}))
          .seat(2, moves({5100, 0}))
          .seat(3, moves({5500, 6500, 0}))
          .seat(4, moves({6000, 7000}))
          .play();
  CHECK(hammer(played, 0).winner == "Bidder 5");
  CHECK(hammer(played, 0).price == 7000);
  CHECK(played.metric("profit", 4) == 300000);
  CHECK(played.metric("rounds") == 4);
}

TEST_CASE("English auction: golden case 5, Component S of the sample log (section 1.11)") {
  const Played played = ScriptedMatch(auction(), settings(5, R"([{"name": "Component S"}])",
                                                          R"("tie_winners": [
                       {"item": "Component S", "round": 1, "winner": "Bidder 1"},
                       {"item": "Component S", "round": 2, "winner": "Bidder 5"}])"))
                            .seat(0, moves({1200, 0}))
                            .seat(1, moves({1050, 0}))
                            .seat(2, moves({1000, 1300, 1400}))
                            .seat(3, moves({0}))
                            .seat(4, moves({1200, 1300, 0}))
                            .play();
  CHECK(hammer(played, 0).winner == "Bidder 3");
  CHECK(hammer(played, 0).price == 1400);
  CHECK(played.metric("rounds") == 4);
  CHECK(played.metric("total_bids", 4) == 3);
}

TEST_CASE("English auction: golden case 6, final profits of the sample log (section 1.11)") {
  // The published totals, and prices for the remaining items that add up to them; each item is
  // bought with the only bid.
  struct Purchase {
    int winner, price, value;
  };
  const std::vector<Purchase> purchases{
      {0, 2200, 2000}, {0, 1300, 2000}, {2, 1500, 2000}, {1, 1200, 2000}, {4, 7000, 10000},
      {4, 1500, 2000}, {4, 1500, 2000}, {0, 1400, 2000}, {2, 1400, 2000}, {1, 8500, 10000}};
  std::string items;
  std::vector<std::vector<int>> answers(5);
  for (std::size_t i = 0; i < purchases.size(); ++i) {
    const Purchase& p = purchases[i];
    items += (i == 0 ? "[" : ", ") + std::string(R"({"name": "item )") + std::to_string(i) +
             R"(", "price": )" + std::to_string(p.value / 2) + R"(, "value": )" +
             std::to_string(p.value) + "}";
    for (int seat = 0; seat < 5; ++seat)
      answers[static_cast<std::size_t>(seat)].push_back(seat == p.winner ? p.price : 0);
  }
  ScriptedMatch match(auction(), settings(5, items + "]"));
  for (int seat = 0; seat < 5; ++seat)
    match.seat(seat, moves(answers[static_cast<std::size_t>(seat)]));
  const Played played = match.play();
  const double profits[] = {1100, 2300, 1100, 0, 4000};
  const double won[] = {3, 2, 2, 0, 3};
  const int ranks[] = {3, 2, 3, 5, 1};
  for (int seat = 0; seat < 5; ++seat) {
    CHECK(played.metric("profit", seat) == 100 * profits[seat]);
    CHECK(played.metric("items_won", seat) == won[seat]);
    CHECK(played.outcome[seat].rank == ranks[seat]);
  }
  CHECK(played.metric("losses", 0) == 20000);
  CHECK(played.metric("items_at_a_loss") == 1);
  CHECK(played.metric("efficiency") == 1);
}

TEST_CASE(
    "English auction: golden case 7, the only bidder of the first round buys (section 1.11)") {
  const Played played = ScriptedMatch(auction(), settings(3, kOneItem))
                            .seat(0, moves({0}))
                            .seat(1, moves({1500}))
                            .seat(2, moves({0}))
                            .play();
  CHECK(hammer(played, 0).winner == "Bidder 2");
  CHECK(hammer(played, 0).price == 1500);
  CHECK(played.metric("rounds") == 1);
  CHECK(played.asked.size() == 3);
}

TEST_CASE("English auction: golden case 8, which bids count (section 1.11)") {
  using english_auction::bid_problem;
  const english_auction::BidMoment led{major(1000), major(1200), major(100)};
  CHECK(led.minimum() == major(1300));
  CHECK_THAT(bid_problem(led, major(5000), major(1299)), Catch::Matchers::Contains("$100 above"));
  CHECK(bid_problem(led, major(5000), major(1300)).empty());
  // Too dear and, for 900, too little as well: the budget is named first, then the start price.
  CHECK_THAT(bid_problem(led, major(1250), major(1300)),
             Catch::Matchers::Contains("more than the $1,250 that you have left"));
  CHECK_THAT(bid_problem(led, major(800), major(900)), Catch::Matchers::Contains("left"));
  CHECK_THAT(bid_problem(led, major(5000), major(900)), Catch::Matchers::Contains("start price"));

  const Played played = ScriptedMatch(auction(),
                                      R"({"preset": "paper", "items": [{"name": "A"}], "bidders": [
                          {"planning": "none", "beliefs": false},
                          {"budget": 1250, "planning": "none", "beliefs": false}]})")
                            .seat(0, moves({1200}))
                            .seat(1, moves({1000, 1300, 1299, 0}))
                            .play();
  CHECK(hammer(played, 0).winner == "Bidder 1");
  CHECK(played.metric("failed_bids", 1) == 2);
  CHECK(played.metric("total_bids", 1) == 4);
  CHECK(played.metric("failed_rate", 1) == 0.5);
  CHECK(played.metric("forced_withdrawals", 1) == 0);
}

TEST_CASE("English auction: golden case 9, nobody bids (section 1.11)") {
  SECTION("without discounts the item is gone and nobody pays") {
    const Played played = ScriptedMatch(auction(), settings(2, kOneItem)).play();
    CHECK(hammer(played, 0).winner.empty());
    CHECK(json(played.event("hammer").json).at("value").is_null());
    CHECK(played.metric("money_left", 0) == 2000000);
    CHECK(played.metric("money_left", 1) == 2000000);
    CHECK(played.metric("efficiency") == 0);
    CHECK(played.asked.size() == 2);
  }
  SECTION("with discounts it comes back at 500, 250 and 125") {
    const Played played =
        ScriptedMatch(auction(), settings(2, kOneItem, R"("discount": true)")).play();
    REQUIRE(played.count("discount") == 3);
    CHECK(number(json(played.event("discount", 0).json), "price") == 500);
    CHECK(number(json(played.event("discount", 1).json), "price") == 250);
    CHECK(number(json(played.event("discount", 2).json), "price") == 125);
    CHECK(hammer(played, 0).winner.empty());
    CHECK(played.asked.size() == 8);
  }
}

TEST_CASE("English auction: golden case 10, two rule bidders (section 1.11)") {
  const english_auction::Rule rule({.max_bids = 4});
  const Played played = ScriptedMatch(auction(),
                                      R"({"seats": 2, "items": [{"name": "A"}],
                        "tie_winners": [{"item": "A", "round": 1, "winner": "Bidder 1"}]})")
                            .agent(0, rule)
                            .agent(1, rule)
                            .play();
  CHECK(hammer(played, 0).winner == "Bidder 1");
  CHECK(hammer(played, 0).price == 1600);
  std::vector<double> first;
  for (const agon::test::Asked& asked : played.asked)
    if (asked.seat == 0) first.push_back(number(json(asked.answer_json).at("move"), "amount"));
  CHECK(first == std::vector<double>{1000, 1200, 1400, 1600});
  CHECK(played.metric("bids", 1) == 4);
}

TEST_CASE("English auction: golden case 11, a rule bidder without the money (section 1.11)") {
  english_auction::BidView view;
  view.start_price = major(1000);
  view.markup = 10;
  view.leading_bid = major(1000);
  view.minimum = major(1100);
  view.budget = major(1050);
  CHECK_FALSE(english_auction::Rule::bid(view, 4));
  view.budget = major(1100);
  CHECK(english_auction::Rule::bid(view, 4) == major(1100));
  view.my_bids = 4;
  CHECK_FALSE(english_auction::Rule::bid(view, 4));
}

TEST_CASE("English auction: golden case 12, beliefs and their correction (section 1.11)") {
  using namespace english_auction;
  const std::vector<TrueStanding> truth{{"Bidder 1", major(500), {"A"}}, {"Bidder 10", {}, {}}};
  Belief belief;
  belief.remaining_budget = major(8500);
  belief.total_profits = {{"Bidder 1", major(400)}, {"Bidder 10", {}}, {"nobody", {}}};
  belief.winning_bids = {{"Bidder 1", {{"A", major(7)}}}, {"Bidder 10", {{"A", major(1500)}}}};
  std::vector<std::string> corrections;
  const BeliefErrors wrong = check_belief(belief, "Bidder 1", major(8500), truth, &corrections);
  CHECK_FALSE(wrong.budget_wrong);
  CHECK(wrong.self_errors == 1);
  CHECK(wrong.self_total == 3);
  CHECK(wrong.others_errors == 1);
  CHECK(wrong.others_total == 2);
  CHECK(corrections == std::vector<std::string>{"your total profit is $500, not $400",
                                                "Bidder 10 has won no item so far"});

  const std::string said_wrong =
      R"({"remaining_budget": 8500, "total_profits": {"Bidder 1": 400, "Bidder 2": 0},
          "winning_bids": {"Bidder 1": [{"item": "A", "price": 1500}],
                           "Bidder 2": [{"item": "A", "price": 1500}]}})";
  const std::string said_right =
      R"({"remaining_budget": 8500, "total_profits": {"Bidder 1": 500, "Bidder 2": 0},
          "winning_bids": {"Bidder 1": [{"item": "A", "price": 1500}], "Bidder 2": []}})";
  const Played played = ScriptedMatch(auction(), R"({"seats": 2, "items": [{"name": "A"}]})")
                            .seat(0, moves({1500}))
                            .seat(1, moves({0}))
                            .probes(0, "belief", {said_wrong, said_right, said_wrong})
                            .play();
  CHECK(played.metric("belief_self_total", 0) == 6);
  CHECK(played.metric("belief_others_total", 0) == 4);
  CHECK(played.metric("belief_self_errors", 0) == 1);
  CHECK(played.metric("belief_others_errors", 0) == 1);
  CHECK(played.metric("belief_answers", 0) == 2);
  CHECK(played.count("belief-checked") == 2);
}
