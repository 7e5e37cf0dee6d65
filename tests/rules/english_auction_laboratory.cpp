// The English auction as a laboratory: private values, spite, shills, talk, and a seller at the
// table.

#include "english-auction/prepared.hpp"
#include "english-auction/strategies.hpp"
#include "english_auction_support.hpp"

using namespace english_auction_test;
using namespace english_auction;
using Catch::Matchers::Contains;

namespace english_auction_laboratory_test {
namespace {

constexpr const char* kTwoItems = R"([{"name": "A"}, {"name": "B"}])";
constexpr const char* kFourItems =
    R"([{"name": "A"}, {"name": "B"}, {"name": "C"}, {"name": "D"}])";

std::string say(const std::string& text) {
  return R"({"text": ")" + text + "\"}";
}
std::string put_up(int start, int reserve) {
  return R"({"start_price": )" + std::to_string(start) + R"(, "reserve": )" +
         std::to_string(reserve) + "}";
}

/// What a seat was first shown at a stage.
boost::json::value seen(const Played& played, int seat, std::string_view stage, std::size_t n = 0) {
  for (const agon::test::Asked& asked : played.asked)
    if (asked.seat == seat && asked.stage == stage && n-- == 0) return json(asked.view_json);
  FAIL("seat " << seat << " was never asked for " << stage);
  return {};
}

std::vector<const agon::test::Said*> all(const Played& played, std::string_view name) {
  std::vector<const agon::test::Said*> list;
  for (const agon::test::Said& said : played.said)
    if (said.name == name) list.push_back(&said);
  return list;
}

const ValueCap& value_cap() {
  static const ValueCap agent({});
  return agent;
}

}  // namespace

TEST_CASE("English auction: values that are given are each bidder's own") {
  const Played played = ScriptedMatch(auction(), settings(3, kTwoItems, R"("given_values": [
                        {"bidder": "Bidder 1", "item": "A", "value": 3000},
                        {"bidder": "Bidder 2", "item": "A", "value": 1500},
                        {"bidder": "Bidder 2", "item": "B", "value": 2500}])"))
                            .seat(0, moves({0, 0}))
                            .seat(1, moves({1200, 1000, 1600}))
                            .seat(2, moves({0, 1500, 0}))
                            .play();
  CHECK(played.metric("value_sold") == 400000);
  CHECK(played.metric("value_best") == 550000);
  CHECK(played.metric("efficiency") == Approx(40.0 / 55));
  CHECK(played.metric("well_placed") == 1);
  CHECK(played.metric("profit", 1) == 120000);
  // The second of 3000, 2000 and 1500, and of 2500, 2000 and 2000.
  CHECK(played.metric("competitive_revenue") == 400000);
  CHECK(played.metric("shortfall") == 120000);
  CHECK(played.metric("revenue_to_competitive") == Approx(0.7));
  CHECK(played.metric("uncontested") == 1);
  CHECK(played.outcome[0].ideal == 300000);
  CHECK(played.outcome[2].ideal == 200000);
  // Each sees estimates of its own values, and what a sale was worth is for its winner alone.
  CHECK(number(seen(played, 0, "bid"), "estimate") == 3300);
  CHECK(number(seen(played, 1, "bid"), "estimate") == 1650);
  CHECK(number(seen(played, 2, "bid"), "estimate") == 2200);
  CHECK(json(played.event("hammer").json).at("value").is_null());
  CHECK(played.count("own-value") == 2);
  CHECK(played.event("own-value").audience == 2);
  CHECK(number(json(played.event("own-value").json), "profit") == 300);
  CHECK(number(json(played.event("report", 1).json), "profit") == 1200);
}

TEST_CASE("English auction: drawn values are keyed by bidder and item and lie within the spread") {
  const auto values = [](const std::string& more, const agon::Agent* agent, std::uint64_t luck) {
    ScriptedMatch match(auction(), settings(3, kFourItems, more));
    for (int seat = 0; agent != nullptr && seat < 3; ++seat) match.agent(seat, *agent);
    const Played played = match.luck(luck).play();
    std::vector<double> list;
    for (const agon::test::Said* said : all(played, "private-values")) {
      CHECK(said->audience == 0);
      const boost::json::value event = json(said->json);
      for (const auto& item : event.at("items").as_array()) list.push_back(number(item, "value"));
    }
    // A bidder is told of its own only.
    for (int seat = 0; seat < 3 && !list.empty(); ++seat)
      for (const std::size_t item : {0U, 3U}) {
        const auto facts = json(played.event("private", static_cast<std::size_t>(seat)).json);
        CHECK(number(facts.at("items").at(item), "estimate") ==
              std::floor(list[static_cast<std::size_t>(seat) * 4 + item] * 1.1));
      }
    return list;
  };
  const std::string spread = R"("value_spread": 40)";
  const std::vector<double> some = values(spread, nullptr, 1);
  REQUIRE(some.size() == 12);
  double low = 1e9, high = 0;
  for (std::uint64_t luck = 1; luck <= 60; ++luck)
    for (const double value : values(spread, nullptr, luck)) {
      low = std::min(low, value), high = std::max(high, value);
      CHECK(value == std::floor(value));
    }
  CHECK(low >= 1200);
  CHECK(low < 1220);
  CHECK(high <= 2800);
  CHECK(high > 2780);
  CHECK(values(spread, &value_cap(), 1) == some);  // whoever plays
  CHECK(values(spread, nullptr, 2) != some);
  std::vector<double> given =
      values(spread + R"(, "given_values": [{"bidder": "Bidder 2", "item": "C", "value": 7}])",
             nullptr, 1);
  CHECK(given[6] == 7);
  given[6] = some[6];
  CHECK(given == some);
  CHECK(values("\"value_spread\": 0", nullptr, 1).empty());
}

TEST_CASE("English auction: spite counts what rivals gain") {
  const auto played = ScriptedMatch(auction(), R"({"shuffle": false, "items": [{"name": "A"}],
      "bidders": [{"desire": "spite", "spite": 60, "planning": "none", "beliefs": false},
                  {"planning": "none", "beliefs": false}, {"planning": "none", "beliefs": false}]})")
                          .seat(0, moves({1100, 0}))
                          .seat(1, moves({1300}))
                          .seat(2, moves({0}))
                          .play();
  CHECK(played.metric("profit", 1) == 70000);
  CHECK(played.metric("rivals_profit", 0) == 35000);
  CHECK(played.outcome[0].score == -21000);
  CHECK(played.outcome[0].disagreement == -30000);  // 60% of half of 1000
  CHECK(played.outcome[0].ideal == 100000);
  CHECK(played.outcome[1].score == 70000);
  CHECK(played.outcome[1].disagreement == 0);
  CHECK(number(seen(played, 0, "bid"), "spite") == 60);
  CHECK(seen(played, 1, "bid").at("spite").is_null());
}

TEST_CASE("English auction: a shill gains what the seller gains from others") {
  const std::string shill =
      settings(3, kTwoItems, R"("desires": ["profit", "profit", "shill"], "seller_cost": 20)");
  const Played played = ScriptedMatch(auction(), shill)
                            .seat(0, moves({1200, 1500, 0}))
                            .seat(1, moves({0, 0}))
                            .seat(2, moves({1400, 0, 1100}))
                            .play();
  CHECK(played.metric("revenue") == 150000);
  CHECK(played.metric("seller_gain") == 110000);
  CHECK(played.metric("items_sold") == 1);
  CHECK(played.metric("bought_back") == 1);
  CHECK(played.metric("items_unsold") == 0);
  CHECK(played.metric("value_sold") == 200000);
  CHECK(played.metric("surplus") == 50000);
  CHECK(std::isnan(played.metric("rotation")));
  // To the others it looks like any purchase.
  CHECK(played.metric("profit", 2) == 90000);
  CHECK(played.metric("money_left", 2) == 1890000);
  CHECK(played.outcome[2].score == 110000);
  CHECK(played.outcome[2].disagreement == 0);
  CHECK(played.outcome[2].ideal == 320000);
  CHECK(played.outcome[0].ideal == 200000);
}

TEST_CASE("English auction: a bidder that is absent is asked nothing and counts for nothing") {
  const Played played =
      ScriptedMatch(auction(),
                    R"({"shuffle": false, "items": [{"name": "A"}], "talk": 1, "discount": true,
          "desires": ["profit", "profit", "absent"],
          "given_values": [{"bidder": "Bidder 3", "item": "A", "value": 9000}]})")
          .seat(0, {say("hello"), out(), bid(500)})
          .seat(1, {say(""), out(), out()})
          .play();
  for (const agon::test::Asked& asked : played.asked) CHECK(asked.seat != 2);
  CHECK(hammer(played, 0).winner == "Bidder 1");
  CHECK(played.metric("efficiency") == 1);
  CHECK(played.metric("money_left", 2) == 0);
  CHECK(played.outcome[2].score == 0);
}

TEST_CASE("English auction: who has no money for an item is no yardstick for it") {
  // Bidder 3 would give 9000 for A, and cannot pay the 1000 that it starts at.
  const std::string poor = R"({"shuffle": false, "items": [{"name": "A"}], "bidders": [
      {"planning": "none", "beliefs": false}, {"planning": "none", "beliefs": false},
      {"budget": 999, "planning": "none", "beliefs": false}],
      "given_values": [{"bidder": "Bidder 1", "item": "A", "value": 3000},
                       {"bidder": "Bidder 3", "item": "A", "value": 9000}]})";
  const Played played =
      ScriptedMatch(auction(), poor).seat(0, moves({1000})).seat(1, moves({0})).play();
  CHECK(played.metric("efficiency") == 1);
  CHECK(played.metric("well_placed") == 1);
  CHECK(played.metric("competitive_revenue") == 200000);
}

TEST_CASE("English auction: messages are heard by the bidders, and an empty one is silence") {
  const auto talk = [](const std::string& more) {
    ScriptedMatch match(auction(), settings(2, kOneItem, "\"talk\": 2" + more));
    match.seat(0, {say("Leave it to me"), say(" \\n"), bid(1000)})
        .seat(1, {say(""), say(""), out()})
        .seat(2, {put_up(1000, 0)});
    return match.play();
  };
  const Played played = talk("");
  REQUIRE(played.count("talked") == 2);
  CHECK(~played.event("talked").audience == 0);
  const auto first = json(played.event("talked").json);
  REQUIRE(first.at("said").as_array().size() == 1);
  CHECK(text(first.at("said").at(0), "bidder") == "Bidder 1");
  CHECK(text(first.at("said").at(0), "text") == "Leave it to me");
  CHECK(json(played.event("talked", 1).json).at("said").as_array().empty());
  CHECK(played.metric("messages") == 1);
  CHECK(played.metric("messages", 0) == 1);
  CHECK(played.metric("messages", 1) == 0);
  CHECK(played.metric("silent_rounds") == 1);
  CHECK(played.metric("items_sold") == 1);
  // Nobody reads a message of the same moment before it has sent its own.
  CHECK(seen(played, 1, "talk").at("talk").as_array().empty());
  CHECK(seen(played, 1, "talk", 1).at("talk").as_array().size() == 1);
  CHECK(seen(played, 1, "bid").at("talk").as_array().size() == 1);
  SECTION("the seller may be left out") {
    const Played apart = talk(R"(, "seller": true)");
    REQUIRE(apart.count("talked") == 4);
    CHECK(apart.event("talked").audience == 1);
    CHECK(apart.event("talked", 1).audience == 2);
    CHECK(~talk(R"(, "seller": true, "seller_hears": true)").event("talked").audience == 0);
  }
  SECTION("a message that is too long is turned down") {
    const Played long_one = talk(R"(, "talk_length": 13)");
    CHECK(long_one.asked.front().rejected == 1);
    CHECK(talk(R"(, "talk_length": 14)").asked.front().rejected == 0);
  }
}

TEST_CASE("English auction: bidders talk before the auction or each item or each round") {
  const auto rounds = [](const std::string& time) {
    return ScriptedMatch(auction(),
                         settings(2, kTwoItems, "\"talk\": 1, \"talk_time\": \"" + time + "\""))
        .agent(0, value_cap())
        .agent(1, value_cap())
        .play();
  };
  CHECK(rounds("auction").metric("silent_rounds") == 1);
  CHECK(rounds("item").metric("silent_rounds") == 2);
  const Played played = rounds("round");
  CHECK(played.metric("silent_rounds") == played.metric("rounds"));
  CHECK(played.metric("rounds") > 2);
}

TEST_CASE("English auction: a seller sets start prices and reserves within bounds") {
  const auto sell = [](const std::string& more, const std::vector<std::string>& said,
                       const std::vector<int>& bids) {
    return ScriptedMatch(auction(),
                         settings(2, kOneItem, R"("seller": true, "seller_cost": 20)" + more))
        .seat(0, moves(bids))
        .seat(1, {out()})
        .seat(2, said)
        .reasks(1)
        .play();
  };
  SECTION("what it sets is what holds, and its score is what it gains") {
    const Played played = sell("", {put_up(1200, 1500)}, {1500});
    CHECK(number(seen(played, 0, "bid"), "minimum") == 1200);
    CHECK(seen(played, 0, "bid").at("reserve").is_null());
    CHECK(played.count("reserve") == 0);
    CHECK(hammer(played, 0).winner == "Bidder 1");
    CHECK(played.outcome[2].score == 110000);
    CHECK(played.outcome[2].disagreement == 0);
    CHECK(played.outcome[2].ideal == 160000);
    CHECK(played.metric("profit", 2) == 110000);
    CHECK(played.outcome[2].rank == 1);
    CHECK(played.outcome[0].rank == 2);
    CHECK(number(seen(played, 2, "put-up"), "estimate") == 2200);
    CHECK(number(seen(played, 2, "put-up"), "cost") == 400);
  }
  SECTION("below a hidden reserve nothing is sold") {
    const Played played = sell("", {put_up(1000, 1500)}, {1499});
    CHECK(hammer(played, 0).winner.empty());
    CHECK(played.metric("reserve_unmet") == 1);
    CHECK(played.metric("items_unsold") == 1);
    CHECK(number(json(played.event("reserve-unmet").json), "bid") == 1499);
    CHECK(played.metric("money_left", 0) == 2000000);
    CHECK(played.outcome[2].score == 0);
  }
  SECTION("an open reserve is told to all") {
    const Played played = sell(R"(, "reserve": "open")", {put_up(1000, 1500)}, {1500});
    CHECK(number(seen(played, 0, "bid"), "reserve") == 1500);
    CHECK(~played.event("reserve").audience == 0);
  }
  SECTION("out of bounds is turned down; without a reserve there is none") {
    const Played played = sell("", {put_up(499, 0), put_up(2001, 0)}, {1000});
    CHECK(played.asked.front().rejected == 2);
    CHECK(number(json(played.event("lot").json), "price") == 1000);
    CHECK(sell("", {put_up(500, 2000)}, {1}).asked.front().rejected == 0);
    CHECK(sell(R"(, "least_start": 40, "most_start": 300)", {put_up(400, 3000)}, {1})
              .asked.front()
              .rejected == 0);
    CHECK(sell(R"(, "reserve": "none")", {put_up(1000, 1)}, {1000}).asked.front().rejected == 1);
  }
  SECTION("before each item it sees what was paid so far") {
    const Played played = ScriptedMatch(auction(), settings(2, kTwoItems, R"("seller": true)"))
                              .seat(0, moves({1500, 0}))
                              .seat(1, {out(), out()})
                              .seat(2, {put_up(1000, 0), put_up(1000, 0)})
                              .play();
    CHECK(number(seen(played, 2, "put-up"), "revenue") == 0);
    CHECK(number(seen(played, 2, "put-up", 1), "revenue") == 1500);
  }
}

TEST_CASE("English auction: a ring takes turns only where it could agree on them") {
  const Ring ring({});
  const Ring cheat({.share = 90, .keeps = false});
  const auto play = [&](const std::string& more, const agon::Agent& second) {
    return ScriptedMatch(auction(), settings(2, kFourItems, more))
        .agent(0, ring)
        .agent(1, second)
        .play();
  };
  const Played agreed = play("\"talk\": 1", ring);
  for (std::size_t n = 0; n < 4; ++n) {
    CHECK(hammer(agreed, n).winner == (n % 2 == 0 ? "Bidder 1" : "Bidder 2"));
    CHECK(hammer(agreed, n).price == 1000);
  }
  CHECK(agreed.metric("uncontested_share") == 1);
  CHECK(agreed.metric("rotation") == 1);
  CHECK(agreed.metric("rotation_by_chance") == Approx(2.0 / 3));
  CHECK(agreed.metric("shortfall") == 400000);
  CHECK(agreed.metric("messages") == 2);
  const Played silent = play("\"talk\": 0", ring);
  CHECK(silent.metric("uncontested") == 0);
  CHECK(silent.metric("revenue") > 700000);
  const Played alone = play("\"talk\": 1", value_cap());
  CHECK(alone.metric("revenue") > 700000);
  // Who cheats has its own items for the start price, and more than half of the rest.
  const Played cheated = play("\"talk\": 1", cheat);
  CHECK(cheated.metric("profit", 1) > cheated.metric("profit", 0));
  CHECK(cheated.metric("messages") == 2);
  SECTION("words of others count: the offer is the words") {
    const std::vector<Remark> talk{{1, 1, 1, "Ann", "I like it here"},
                                   {1, 1, 1, "Bob", "We could TAKE TURNS."},
                                   {1, 1, 1, "Cy", "Yes, take turns"},
                                   {2, 1, 1, "Bob", "take turns!"}};
    CHECK(Ring::members(talk) == std::vector<std::string_view>{"Bob", "Cy"});
    CHECK(Ring::turn(talk, 1) == "Bob");
    CHECK(Ring::turn(talk, 4) == "Cy");
    CHECK(Ring::turn(std::span(talk).first(2), 1).empty());
  }
}

TEST_CASE("English auction: a shill and a spiteful bidder cost a buyer money") {
  const Shill shill({});
  const Spiteful spiteful({});
  const agon::Agent& buyer = value_cap();
  const auto play = [&](const agon::Agent& second, const std::string& more) {
    return ScriptedMatch(auction(), settings(2, kOneItem, more))
        .agent(0, buyer)
        .agent(1, second)
        .play();
  };
  // 70% of an estimate of 2200 are 1540; a buyer pays up to 1980.
  const Played shilled = play(shill, R"("desires": ["profit", "shill"])");
  CHECK(hammer(shilled, 0).winner == "Bidder 1");
  CHECK(hammer(shilled, 0).price >= 1500);
  CHECK(hammer(shilled, 0).price <= 1640);
  // A bidder that goes by what it is after does the same.
  const Played followed = play(value_cap(), R"("desires": ["profit", "shill"])");
  CHECK(hammer(followed, 0).winner == "Bidder 1");
  CHECK(hammer(followed, 0).price == hammer(shilled, 0).price);
  // Two items for money that buys one: the second is driven up, not let go.
  const auto two = [&](const agon::Agent& second, const std::string& desire = "profit") {
    return ScriptedMatch(auction(), R"({"shuffle": false, "items": [{"name": "A", "value": 1500},
        {"name": "B"}], "bidders": [{"budget": 9000, "planning": "none", "beliefs": false},
        {"budget": 1900, "planning": "none", "beliefs": false, "desire": ")" +
                                        desire + "\"}]}")
        .agent(0, buyer)
        .agent(1, second)
        .play();
  };
  CHECK(hammer(two(buyer), 0).price == 1000);
  CHECK(hammer(two(spiteful), 0).price > 1000);
  CHECK(hammer(two(buyer, "spite"), 0).price > 1000);
}

TEST_CASE("English auction: a seller by rule starts and reserves at its shares") {
  const ReserveShare seller({.start = 80, .reserve = 90});
  const Played played =
      ScriptedMatch(auction(), settings(2, kOneItem, R"("seller": true, "seller_overestimate": 0)"))
          .seat(0, moves({900, 1800}))
          .seat(1, moves({1700, 0}))
          .agent(2, seller)
          .play();
  CHECK(number(json(played.event("lot").json), "price") == 800);
  CHECK(hammer(played, 0).price == 1800);
  CHECK(played.metric("reserve_unmet") == 0);
}

TEST_CASE("English auction: where values are private nobody is asked what others gained") {
  const Played played = ScriptedMatch(auction(), R"({"arena": "demo", "value_spread": 30})")
                            .agent(0, value_cap())
                            .agent(1, value_cap())
                            .agent(2, value_cap())
                            .play();
  int beliefs = 0;
  for (const agon::test::Asked& asked : played.asked) {
    if (asked.stage != "belief") continue;
    const auto profits = json(asked.answer_json).at("total_profits").as_object();
    REQUIRE(profits.size() == 1);
    CHECK(profits.begin()->key() == "Bidder " + std::to_string(asked.seat + 1));
    ++beliefs;
  }
  CHECK(beliefs == 15);
  for (int seat = 0; seat < 3; ++seat) {
    CHECK(played.metric("belief_self_errors", seat) == 0);
    CHECK(played.metric("belief_others_errors", seat) == 0);
  }
}

TEST_CASE("English auction: settings of the laboratory that make no sense are refused") {
  Settings s;
  const auto why = [&s] { return check(s); };
  SECTION("values") {
    s.given_values = {{"Bidder 1", "Widget A", agon::major(1)}};
    CHECK(why().empty());
    s.given_values.push_back({"Bidder 1", "Tool K", agon::major(1)});
    CHECK_THAT(why(), Contains("\"Tool K\" for Bidder 1, which is not for sale: Widget A, "));
    s.given_values.back() = {"Bidder 9", "Widget A", agon::major(1)};
    CHECK_THAT(why(), Contains("Bidder 9"));
    s.given_values.back() = {"Bidder 1", "Widget A", agon::major(2)};
    CHECK_THAT(why(), Contains("two values of Widget A for Bidder 1"));
  }
  SECTION("desires") {
    s.desires.assign(4, Desire::profit);
    CHECK_THAT(why(), Contains("4 entries, but 3 bid"));
    s.desires = {Desire::shill, Desire::absent, Desire::shill};
    CHECK_THAT(why(), Contains("nobody is left to buy"));
    s.desires.pop_back();
    CHECK(why().empty());
  }
  SECTION("a seller") {
    s.seller = true;
    s.seats = 15;
    CHECK(why().empty());
    s.seats = 16;
    CHECK_THAT(why(), Contains("16 seats"));
    s.seats = 2;
    s.bidders.resize(2);
    s.bidders[1].name = "Seller";
    CHECK_THAT(why(), Contains("\"Seller\""));
  }
}

}  // namespace english_auction_laboratory_test
