// The English auction with a seller that acts in the middle of the bidding.

#include "english-auction/prepared.hpp"
#include "english-auction/strategies.hpp"
#include "english_auction_support.hpp"

using namespace english_auction_test;
using namespace english_auction;
using Catch::Matchers::Contains;

namespace english_auction_seller_test {
namespace {

std::string put_up(int start, int reserve) {
  return R"({"start_price": )" + std::to_string(start) + R"(, "reserve": )" +
         std::to_string(reserve) + "}";
}
std::string act(const std::string& action, const std::string& words = "") {
  return R"({"action": {"kind": )" + action + R"(}, "words": ")" + words + "\"}";
}
std::string go_on(const std::string& words = "") {
  return act(R"("go_on")", words);
}
std::string step(int dollars, const std::string& words = "") {
  return act(R"("change_step", "step": )" + std::to_string(dollars), words);
}
std::string close() {
  return act(R"("close_now")");
}

std::vector<const agon::test::Asked*> asked(const Played& played, std::string_view stage,
                                            int seat) {
  std::vector<const agon::test::Asked*> list;
  for (const agon::test::Asked& one : played.asked)
    if (one.stage == stage && one.seat == seat) list.push_back(&one);
  return list;
}

Played sell(const std::string& more, const std::vector<std::string>& seller,
            const std::vector<int>& first, const std::vector<int>& second) {
  return ScriptedMatch(auction(),
                       settings(2, kOneItem, R"("seller": true, "seller_acts": true)" + more))
      .seat(0, moves(first))
      .seat(1, moves(second))
      .seat(2, seller)
      .reasks(1)
      .play();
}

}  // namespace

TEST_CASE("English auction: the seller sets the least raise, speaks, and ends the bidding") {
  const Played played =
      sell(R"(, "reserve": "none")", {put_up(1000, 0), step(500, "Faster!"), go_on("  "), close()},
           {1200, 2200}, {1000, 1600, 1700, 2700});
  const auto conducts = asked(played, "conduct", 2);
  REQUIRE(conducts.size() == 3);
  const boost::json::value view = json(conducts[0]->view_json);
  CHECK(text(view, "leader") == "Bidder 1");
  CHECK(number(view, "leading_bid") == 1200);
  CHECK(number(view, "step") == 100);
  CHECK(number(view, "lowest") == 100);
  CHECK(number(view, "highest") == 1000);
  CHECK(number(view, "bidders_left") == 1);
  CHECK(view.at("reserve").is_null());
  CHECK(view.at("last_round").as_array().size() == 2);
  CHECK(number(json(conducts[1]->view_json), "step") == 500);
  // 1600 is less than 500 above 1200.
  const auto bids = asked(played, "bid", 1);
  REQUIRE(bids.size() == 2);
  CHECK(bids[1]->rejected == 1);
  CHECK(number(json(bids[1]->view_json), "minimum") == 1700);
  CHECK(number(json(bids[1]->view_json), "increment") == 500);
  // What it did is told to all; what it left as it was is not.
  REQUIRE(played.count("conducted") == 2);
  CHECK(~played.event("conducted").audience == 0);
  const boost::json::value told = json(played.event("conducted").json);
  CHECK(number(told, "round") == 1);
  CHECK(number(told, "step") == 500);
  CHECK(text(told, "words") == "Faster!");
  CHECK_FALSE(told.at("closed").as_bool());
  const boost::json::value ended = json(played.event("conducted", 1).json);
  CHECK(ended.at("closed").as_bool());
  CHECK(ended.at("step").is_null());
  CHECK(hammer(played, 0).winner == "Bidder 1");
  CHECK(hammer(played, 0).price == 2200);
  CHECK(played.metric("rounds") == 3);
  CHECK(played.metric("money_left", 0) == 1780000);
  CHECK(played.outcome[2].score == 220000);
  CHECK_THAT(text(json(played.event("log").json), "text"),
             Contains("Seller says: \"Faster!\"\n  Seller sets the least raise to $500\n") &&
                 Contains("Seller ends the bidding\n  Sold to Bidder 1"));
}

TEST_CASE("English auction: a bidding that the seller ends below its reserve sells nothing") {
  const Played played = sell("", {put_up(1000, 1500), close()}, {1200}, {1000});
  CHECK(number(json(asked(played, "conduct", 2).at(0)->view_json), "reserve") == 1500);
  CHECK(hammer(played, 0).winner.empty());
  CHECK(played.metric("reserve_unmet") == 1);
  CHECK(played.metric("items_unsold") == 1);
  CHECK(played.metric("money_left", 0) == 2000000);
}

TEST_CASE("English auction: a least raise out of bounds is turned down, and the bidding goes on") {
  for (const int wrong : {99, 1001}) {
    const Played played =
        sell("", {put_up(1000, 0), step(wrong), step(wrong)}, {1200}, {1000, 1300});
    const auto conducts = asked(played, "conduct", 2);
    REQUIRE(conducts.size() == 2);
    CHECK(conducts[0]->rejected == 2);
    CHECK(conducts[0]->forced);
    CHECK(played.count("conducted") == 0);
    CHECK(hammer(played, 0).price == 1300);
  }
  // As it stands already: nothing happens, and nothing is told.
  CHECK(sell("", {put_up(1000, 0), step(100)}, {1200}, {1000}).count("conducted") == 0);
}

TEST_CASE("English auction: the next item has its usual least raise again") {
  const Played played =
      ScriptedMatch(auction(), settings(2, R"([{"name": "A"}, {"name": "B"}])",
                                        R"("seller": true, "seller_acts": true)"))
          .seat(0, moves({1200, 1200}))
          .seat(1, moves({1000, 0, 1000, 1300}))
          .seat(2, {put_up(1000, 0), step(900), put_up(1000, 0), go_on(), close()})
          .play();
  CHECK(hammer(played, 0).price == 1200);
  CHECK(hammer(played, 1).winner == "Bidder 2");
  CHECK(hammer(played, 1).price == 1300);
}

TEST_CASE("English auction: a seller that acts needs a seat, and only then is asked") {
  Settings wrong;
  wrong.seller_acts = true;
  CHECK_THAT(check(wrong), Contains("set `seller` to true"));
  wrong.seller = true;
  CHECK(check(wrong).empty());
  const Played played = ScriptedMatch(auction(), settings(2, kOneItem, R"("seller": true)"))
                            .seat(0, moves({1200}))
                            .seat(1, moves({1000}))
                            .play();
  CHECK(asked(played, "conduct", 2).empty());
  CHECK_THAT(rules_text(wrong), Contains("After each round of bidding in which somebody may"));
  wrong.seller_acts.reset();
  CHECK_THAT(rules_text(wrong), !Contains("After each round of bidding in which somebody may"));
}

TEST_CASE("English auction: a brisk seller takes large steps far from its estimate") {
  const Brisk brisk({});
  ConductView view;
  view.estimate = agon::major(2200);
  view.lowest = agon::major(100), view.highest = agon::major(1000);
  view.leading_bid = agon::major(1000);
  CHECK(brisk.step(view) == agon::major(160));  // half the way to 1320
  view.leading_bid = agon::major(1300);
  CHECK(brisk.step(view) == agon::major(100));
  view.leading_bid = agon::major(2000);
  CHECK(brisk.step(view) == agon::major(100));
  view.estimate = agon::major(9000);
  CHECK(brisk.step(view) == agon::major(1000));

  const ValueCap buyer({});
  const ReserveShare usual({});
  const auto play = [&](const agon::Agent& seller, bool acts) {
    return ScriptedMatch(auction(),
                         settings(3, kOneItem,
                                  std::string(R"("markup": 1, "reserve": "none", "seller": true)") +
                                      (acts ? R"(, "seller_acts": true)" : "")))
        .agent(0, buyer)
        .agent(1, buyer)
        .agent(2, buyer)
        .agent(3, seller)
        .play();
  };
  const Played hurried = play(brisk, true);
  const Played slow = play(usual, true);
  CHECK(hurried.count("conducted") > 0);
  CHECK(slow.count("conducted") == 0);
  CHECK(hurried.metric("rounds") < slow.metric("rounds"));
  CHECK(play(usual, false).metric("rounds") == slow.metric("rounds"));
  CHECK(play(brisk, false).metric("revenue") == slow.metric("revenue"));
  for (const agon::test::Asked* one : asked(hurried, "conduct", 3)) CHECK(one->rejected == 0);
}

TEST_CASE("English auction: prices in an account count where they are compared") {
  const std::vector<TrueStanding> truth{{"Bidder 1", agon::major(500), {"A"}, {agon::major(1500)}},
                                        {"Bidder 2", {}, {}, {}}};
  Belief belief;
  belief.remaining_budget = agon::major(8500);
  belief.total_profits = {{"Bidder 1", agon::major(500)}};
  belief.winning_bids = {{"Bidder 1", {{"A", agon::major(7)}}}, {"Bidder 2", {}}};
  std::vector<std::string> corrections;
  const auto check_it = [&] {
    corrections.clear();
    return check_belief(belief, "Bidder 1", agon::major(8500), truth, &corrections);
  };
  CHECK(check_it().self_errors == 1);
  CHECK(check_it().self_price_errors == 1);
  CHECK(check_it().others_price_errors == 0);
  CHECK(corrections == std::vector<std::string>{"you have won A for $1,500 so far"});
  belief.winning_bids["Bidder 1"][0].price = agon::major(1500);
  CHECK_FALSE(check_it().any());
  belief.winning_bids["Bidder 1"][0].item = "B";
  CHECK(check_it().self_errors == 1);
  CHECK(check_it().self_price_errors == 0);
  // Of others they are told apart.
  const auto errors = check_belief(belief, "Bidder 2", agon::major(8500), truth, nullptr);
  CHECK(errors.others_errors == 1);
  CHECK(errors.others_price_errors == 0);
  belief.winning_bids["Bidder 1"][0] = {"A", agon::major(7)};
  CHECK(check_belief(belief, "Bidder 2", agon::major(8500), truth, nullptr).others_price_errors ==
        1);
  CHECK(check_belief(belief, "Bidder 2", agon::major(8500), truth, nullptr).self_price_errors == 0);

  const std::string said =
      R"({"remaining_budget": 8500, "total_profits": {"Bidder 1": 500, "Bidder 2": 0},
          "winning_bids": {"Bidder 1": [{"item": "A", "price": 77}], "Bidder 2": []}})";
  const auto play = [&](const std::string& more) {
    return ScriptedMatch(auction(), R"({"seats": 2, "items": [{"name": "A"}])" + more + "}")
        .seat(0, moves({1500}))
        .seat(1, moves({0}))
        .probes(0, "belief", {said, said, said, said, said})
        .play();
  };
  const Played compared = play(R"(, "check_prices": true)");
  CHECK(compared.metric("belief_self_errors", 0) == 4);
  CHECK(compared.count("prices-checked") == 4);
  CHECK(number(json(compared.event("prices-checked").json), "self_errors") == 1);
  CHECK(number(json(compared.event("prices-checked").json), "others_errors") == 0);
  CHECK(compared.event("prices-checked").audience == 0);
  const Played names = play("");
  CHECK(names.metric("belief_self_errors", 0) == 0);
  CHECK(names.count("prices-checked") == 0);
}

TEST_CASE("English auction: what a bidder notes of the others it alone reads again") {
  const std::string said =
      R"({"rivals": "Bidder 2 gives up early.", "remaining_budget": 8500,
          "total_profits": {"Bidder 1": 500, "Bidder 2": 0},
          "winning_bids": {"Bidder 1": [{"item": "A", "price": 1500}], "Bidder 2": []}})";
  const auto play = [&](const std::string& more) {
    return ScriptedMatch(auction(), R"({"seats": 2, "shuffle": false, "items": [{"name": "A"},
                                        {"name": "B"}])" +
                                        more + "}")
        .seat(0, moves({1500, 0}))
        .seat(1, moves({0, 0}))
        .probes(0, "sum-up", {said})
        .play();
  };
  const Played played = play(R"(, "sum_up": true)");
  CHECK(asked(played, "belief", 0).empty());
  REQUIRE_FALSE(asked(played, "sum-up", 0).empty());
  CHECK_THAT(asked(played, "sum-up", 0)[0]->answer_json, Contains("Bidder 2 gives up early."));
  CHECK(played.metric("belief_self_errors", 0) == 0);
  for (const int seat : {0, 1}) {
    const auto bids = asked(played, "bid", seat);
    REQUIRE(bids.size() == 2);
    CHECK_FALSE(json(bids[0]->view_json).as_object().contains("rivals"));
    const boost::json::value second = json(bids[1]->view_json);
    CHECK(second.as_object().contains("rivals") == (seat == 0));
    if (seat == 0) CHECK(text(second, "rivals") == "Bidder 2 gives up early.");
  }
  CHECK(asked(play(""), "sum-up", 0).empty());

  // A rule bidder's account is right, and its notes say how far the others went.
  const ValueCap buyer({});
  const Played rule = ScriptedMatch(auction(), R"({"seats": 2, "sum_up": true})")
                          .agent(0, buyer)
                          .agent(1, buyer)
                          .play();
  CHECK(rule.metric("belief_self_errors", 0) == 0);
  CHECK(rule.metric("belief_others_errors", 1) == 0);
  CHECK_THAT(text(json(asked(rule, "bid", 0).back()->view_json), "rivals"),
             Contains("Bidder 2 ") && !Contains("Bidder 1"));
}

TEST_CASE("English auction: accounts that nobody gives cannot be summed up or compared") {
  for (const bool sums_up : {true, false}) {
    Settings settings;
    (sums_up ? settings.sum_up : settings.check_prices) = true;
    CHECK(check(settings).empty());
    settings.everyone.beliefs = false;
    CHECK_THAT(check(settings), Contains(sums_up ? "`sum_up` is true" : "`check_prices` is true") &&
                                    Contains("set `beliefs` of a bidder to true"));
    (sums_up ? settings.sum_up : settings.check_prices) = false;
    CHECK(check(settings).empty());
  }
}

TEST_CASE("English auction: of an account that is corrected, the last notes are read again") {
  const auto said = [](int left, const std::string& notes) {
    return R"({"rivals": ")" + notes + R"(", "remaining_budget": )" + std::to_string(left) +
           R"(, "total_profits": {"Bidder 1": 500, "Bidder 2": 0},
               "winning_bids": {"Bidder 1": [{"item": "A", "price": 1500}], "Bidder 2": []}})";
  };
  const Played played = ScriptedMatch(auction(), R"({"seats": 2, "shuffle": false, "sum_up": true,
                                                     "items": [{"name": "A"}, {"name": "B"}]})")
                            .seat(0, moves({1500, 0}))
                            .seat(1, moves({0, 0}))
                            .probes(0, "sum-up", {said(1, "First."), said(8500, "Second.")})
                            .play();
  const auto accounts = asked(played, "sum-up", 0);
  REQUIRE(accounts.size() >= 2);
  CHECK(json(accounts[0]->view_json).at("corrections").as_array().empty());
  CHECK(json(accounts[1]->view_json).at("corrections").at(0) == "you have $8,500 left, not $1");
  CHECK(played.metric("belief_self_errors", 0) == 1);
  const auto bids = asked(played, "bid", 0);
  REQUIRE(bids.size() == 2);
  CHECK(text(json(bids[1]->view_json), "rivals") == "Second.");
}

TEST_CASE("English auction: nobody missed an item whose bidding the seller ended") {
  const auto missed = [](const std::string& action) {
    return sell(R"(, "reserve": "none")", {put_up(1000, 0), action}, {1200}, {1000, 0})
        .metric("missed", 1);
  };
  // By its own estimate it is worth 2200, and 1300 would have beaten the last bid.
  CHECK(missed(go_on()) == 90000);
  CHECK(missed(close()) == 0);
}

TEST_CASE("English auction: the rules say that a seller may change the least raise") {
  Settings settings;
  settings.seller = true;
  CHECK_THAT(rules_text(settings), Contains("at least 10% of the item's start price. Bids"));
  settings.seller_acts = true;
  CHECK_THAT(rules_text(settings),
             Contains("at least 10% of the item's start price, unless Seller has set another least "
                      "raise for the item. Bids"));
}

TEST_CASE("English auction: a seller is told what was paid for earlier items") {
  ConductView view;
  view.leading_bid = view.start_price = view.step = view.lowest = agon::major(1);
  CHECK_THAT(tell(view, agon::Scene({}, nullptr)), !Contains("for earlier items"));
  view.revenue = agon::major(1500);
  CHECK_THAT(tell(view, agon::Scene({}, nullptr)),
             Contains(" So far bidders have paid $1,500 for earlier items."));
}

}  // namespace english_auction_seller_test
