// The strategies of the English auction.

#include "english-auction/strategies.hpp"
#include "english_auction_support.hpp"

using namespace english_auction_test;
using namespace english_auction;
using agon::major;

TEST_CASE("English auction: value-cap never pays more than its cap, whatever it is after") {
  const ValueCap bidder({.share = 90, .margin = major(100), .premium = 30});
  const Rule rule({.max_bids = 40});
  for (const char* desire :
       {R"("profit")", R"("items")", R"("specific_items", "wanted": ["Widget A", "Mechanism J"])"})
    for (std::uint64_t luck = 1; luck <= 15; ++luck) {
      const Played played =
          ScriptedMatch(auction(), std::string(R"({"bidders": [{"desire": )") + desire +
                                       R"(}, {}, {"desire": )" + desire + "}]}")
              .agent(0, bidder)
              .agent(1, rule)
              .agent(2, bidder)
              .luck(luck)
              .play();
      for (const int seat : {0, 2}) {
        CHECK(played.metric("overpaid", seat) == 0);
        CHECK(played.metric("losses", seat) == 0);
        CHECK(played.metric("failed_bids", seat) == 0);
        CHECK(played.metric("forced_withdrawals", seat) == 0);
        // It keeps true accounts from what everybody saw.
        CHECK(played.metric("belief_self_errors", seat) == 0);
        CHECK(played.metric("belief_others_errors", seat) == 0);
        CHECK(played.metric("belief_answers", seat) == 10);
        CHECK(played.metric("plans", seat) == 10);
      }
    }
}

TEST_CASE("English auction: value-cap beats the rule bidder on profit") {
  const ValueCap bidder({});
  const Rule rule({});
  double ours = 0;
  double theirs = 0;
  for (std::uint64_t luck = 1; luck <= 40; ++luck) {
    const Played played = ScriptedMatch(auction(), R"({"seats": 3})")
                              .agent(0, bidder)
                              .agent(1, rule)
                              .agent(2, rule)
                              .luck(luck)
                              .play();
    ours += played.outcome[0].score;
    theirs += (played.outcome[1].score + played.outcome[2].score) / 2;
  }
  CHECK(ours > 0);
  CHECK(ours > theirs);
}

TEST_CASE("English auction: value-cap decides item by item") {
  const ValueCap bidder({});
  const std::vector<Lot> later{{"Equipment E", major(5000), major(11000), std::nullopt},
                               {"Gizmo F", major(1000), major(2200), std::nullopt}};
  BidView view;
  view.item = "Widget A";
  view.start_price = view.minimum = major(1000);
  view.estimate = major(2200);
  view.budget = major(10000);
  view.later = later;
  CHECK(bidder.bid(view) == major(1000));
  SECTION("not above nine tenths of the estimate") {
    view.later = {};
    view.minimum = major(1980);
    CHECK(bidder.bid(view) == major(1980));
    view.minimum = agon::Money{198001};
    CHECK_FALSE(bidder.bid(view));
  }
  SECTION("not where the money does more elsewhere") {
    view.minimum = major(1700);
    view.budget = major(6600);
    // 280 for 1700 here; 4900 for 5000 on the expensive one, which takes the money.
    CHECK_FALSE(bidder.bid(view));
    view.desire = Desire::items;
    CHECK(bidder.bid(view) == major(1700));
  }
  SECTION("not what it does not want") {
    const std::vector<std::string_view> wanted{"Gizmo F"};
    view.desire = Desire::specific_items;
    view.wanted = wanted;
    CHECK_FALSE(bidder.bid(view));
    view.item = "Gizmo F";
    CHECK(bidder.bid(view) == major(1000));
  }
  SECTION("without an estimate, the start price and no more") {
    view.estimate.reset();
    view.later = {};
    CHECK(bidder.bid(view) == major(1000));
    view.minimum = major(1100);
    CHECK_FALSE(bidder.bid(view));
  }
}

TEST_CASE("English auction: value-cap rates what it means to buy highest") {
  const ValueCap bidder({});
  const std::vector<Lot> items{{"dear", major(5000), major(11000), std::nullopt},
                               {"cheap", major(1000), major(2200), std::nullopt},
                               {"worthless", major(1000), major(900), std::nullopt}};
  PlanView view;
  view.items = items;
  view.budget = major(2000);
  const Plan plan = bidder.plan(view);
  CHECK(plan.priorities.at("cheap") == 3);
  CHECK(plan.priorities.at("dear") == 2);
  CHECK(plan.priorities.at("worthless") == 1);
}

TEST_CASE("English auction: the rule bidder raises by the exact share (section 1.3)") {
  BidView view;
  view.start_price = major(125);
  view.markup = 10;
  view.budget = major(1000);
  CHECK(Rule::bid(view, 4) == major(125));
  view.leading_bid = major(125);
  view.minimum = major(137);
  // 125 + 12.5 is bid as 137, but must be covered in full.
  CHECK(Rule::bid(view, 4) == major(137));
  view.budget = agon::Money{13749};
  CHECK_FALSE(Rule::bid(view, 4));
  view.budget = agon::Money{13750};
  CHECK(Rule::bid(view, 4) == major(137));
  SECTION("cents of others do not make its bid too low") {
    view.budget = major(1000);
    view.leading_bid = agon::Money{12590};
    view.minimum = agon::Money{13790};
    CHECK(Rule::bid(view, 4) == major(138));
    view.leading_bid = agon::Money{12510};
    view.minimum = agon::Money{13710};
    CHECK(Rule::bid(view, 4) == agon::Money{13710});
  }
}
