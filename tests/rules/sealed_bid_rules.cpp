// Sealed bids: what is asked when, what is told, metrics by their definitions, and bad settings.

#include "sealed-bid/game.hpp"
#include "sealed_bid_support.hpp"

using namespace sealed_bid_test;
using Catch::Matchers::Contains;

namespace {

std::vector<boost::json::value> views(const Played& played, int seat, const std::string& stage) {
  std::vector<boost::json::value> result;
  for (const auto& asked : played.asked)
    if (asked.seat == seat && asked.stage == stage) result.push_back(json(asked.view_json));
  return result;
}

}  // namespace

TEST_CASE("sealed bids: plan before the value, bid, outcome, lesson, and again") {
  const std::string plan = R"({"plan": "bid my value"})";
  const std::string lesson = R"({"lesson": "it worked"})";
  const auto played = ScriptedMatch(the_auction(), R"({"bidders": 2, "rounds": 3, "given": [
                       {"values": [77, 2]}, {"values": [78, 4]}, {"values": [79, 6]}]})")
                          .seat(0, {R"({"bid": 10})", R"({"bid": 11})", R"({"bid": 12})"})
                          .seat(1, {R"({"bid": 1})", R"({"bid": 2})", R"({"bid": 3})"})
                          .probes(0, "plan", {plan})
                          .probes(0, "replan", {plan, plan})
                          .probes(0, "reflect", {lesson, lesson, lesson})
                          .play();
  std::string order;
  for (const auto& asked : played.asked)
    if (asked.seat == 0) order += asked.stage + " ";
  CHECK(order == "plan bid reflect replan bid reflect replan bid ");
  CHECK(views(played, 0, "plan").at(0).at("words") == 100);
  const auto plans = views(played, 0, "replan");
  CHECK(plans.at(0).at("words") == 50);
  CHECK(plans.at(1).at("total") == 152);
  CHECK(plans.at(1).at("history").as_array().size() == 2);
  CHECK_THAT(boost::json::serialize(plans.at(1)), !Contains("79"));
  CHECK(views(played, 0, "bid").at(2).at("value") == 79);
  CHECK(views(played, 0, "reflect").at(1).at("last").at("value") == 78);
  // Nobody learns another's value, and bids come without names.
  for (const auto& view : views(played, 1, "bid"))
    CHECK_THAT(boost::json::serialize(view),
               !Contains("77") && !Contains("78") && !Contains("Andy"));
}

TEST_CASE("sealed bids: what is turned down, and what then happens") {
  const std::vector<std::string> too_high(4, R"({"bid": 100})");
  SECTION("above the range: asked three times more, then 0") {
    const auto played = ScriptedMatch(the_auction(), R"({"rounds": 1})")
                            .seat(0, too_high)
                            .seat(1, {R"({"bid": 99})"})
                            .seat(2, {R"({"bid": -1})", R"({"bid": 36.5})", R"({"bid": 36})"})
                            .play();
    CHECK(played.asked.at(0).rejected == 4);
    CHECK(played.metric("forced", 0) == 1);
    CHECK(played.asked.at(2).rejected == 2);
    CHECK(price(played) == 36);
  }
  SECTION("the paper's program enforces no range, and tells none") {
    const auto played = ScriptedMatch(the_auction(), R"({"preset": "published-code", "rounds": 1})")
                            .seat(0, {R"({"bid": 500})"})
                            .seat(1, {R"({"bid": 100})"})
                            .play();
    CHECK(price(played) == 100);
    sealed_bid::Settings s;
    s.highest_bid = 1'000'000;
    CHECK_THAT(rules_text(s), Contains("0 or more") && !Contains("1000000"));
  }
  SECTION("a third price needs room above the values") {
    sealed_bid::Settings s;
    s.payment = sealed_bid::Payment::third_price;
    CHECK(highest_bid(s) == 198);
    s.bidders = 4;
    CHECK(highest_bid(s) == 149);
    s.payment = sealed_bid::Payment::first_price;
    CHECK(highest_bid(s) == 99);
    s.values = auction_values::ValueModel::affiliated;
    CHECK(highest_bid(s) == 40);
  }
}

TEST_CASE("sealed bids: metrics by their definitions") {
  // Values 50, 40, 30; bids 50, 43, 24: the errors are 0, 3 above, 6 below.
  const auto played = play("second_price", {50, 40, 30}, {50, 43, 24});
  CHECK(played.metric("exact_share") == Approx(1.0 / 3));
  CHECK(played.metric("near_share") == Approx(1.0 / 3));
  CHECK(played.metric("overbid_share") == Approx(1.0 / 3));
  CHECK(played.metric("underbid_share") == Approx(1.0 / 3));
  CHECK(played.metric("mean_error") == 3);
  CHECK(played.metric("revenue") == 43);
  CHECK(played.metric("efficiency") == 1);
  CHECK(played.metric("surplus_share") == 1);
  CHECK(played.metric("second_value_sum") == 40);
  CHECK(played.metric("squares_above", 1) == 9);
  CHECK(played.metric("squares_below", 2) == 36);
  CHECK(played.metric("lost", 0) == 0);
  CHECK(played.metric("lost_error_sum", 1) == 3);
  CHECK(played.metric("lost_error_squares", 2) == 36);
  CHECK(played.metric("value_bid_sum", 2) == 720);
  // Off the equilibrium by 9, the equilibrium bids sum to 120.
  CHECK(played.metric("smad") == Approx(100 * 9.0 / 120));
  CHECK(std::isnan(played.metric("r_squared", 0)));  // one bid has no spread
  CHECK(played.outcome[0].ideal == 50);
  CHECK(played.outcome[0].disagreement == 0);
}

TEST_CASE("sealed bids: R2 is taken against the spread of the bids") {
  const auto played = ScriptedMatch(the_auction(), R"({"bidders": 2, "rounds": 3, "given": [
                       {"values": [10, 2]}, {"values": [20, 4]}, {"values": [33, 6]}]})")
                          .seat(0, {R"({"bid": 10})", R"({"bid": 17})", R"({"bid": 36})"})
                          .play();
  // Errors 0, 3, 3; bids around their mean of 21: 121 + 16 + 225.
  CHECK(played.metric("r_squared", 0) == Approx(1 - 18.0 / 362));
}

TEST_CASE("sealed bids: settings that make no sense are refused with a hint") {
  sealed_bid::Settings s;
  s.rounds = 4;
  s.given = {{{1, 2, 3}, {}, {}}};
  CHECK(
      check(s) ==
      "given has the values of 1 rounds, but 4 rounds are played: give 3 more, or set rounds to 1");
  s.rounds = 1;
  CHECK(check(s).empty());
  s.values = auction_values::ValueModel::common;
  CHECK_THAT(check(s), Contains("given[0].common: is missing"));
  s.given[0].common = 50;
  CHECK(check(s) ==
        "given[0].values[0]: the error of the estimate is -49, outside the range that bidders are "
        "told, -20 to 20; change it, common_range or own_range");
  s.given[0].values = {30, 50, 70};
  CHECK(check(s).empty());
  s.given[0].common = 80;
  CHECK_THAT(check(s), Contains("given[0].common: the common value is 80, outside"));
  s.given.clear();
  s.payment = sealed_bid::Payment::third_price;
  s.bidders = 2;
  CHECK_THAT(check(s), Contains("make no third bid"));
  s.bidders = 3;
  s.intervention = sealed_bid::Intervention::direct;
  CHECK_THAT(check(s), Contains("describes the second price"));
  s.payment = sealed_bid::Payment::second_price;
  CHECK(check(s).empty());
  s.common_range = auction_values::Span{-5, 3};
  CHECK_THAT(check(s), Contains("common_range begins at -5"));
}

TEST_CASE("sealed bids: settings of which no equilibrium is known are told beforehand") {
  using sealed_bid::Payment;
  const auto why_not = &sealed_bid::EquilibriumBid::why_not;
  sealed_bid::Settings s;
  for (const Payment payment :
       {Payment::first_price, Payment::second_price, Payment::third_price, Payment::all_pay}) {
    s.payment = payment;
    s.values = auction_values::ValueModel::independent;
    CHECK(why_not(s).empty());
    for (const auto model :
         {auction_values::ValueModel::affiliated, auction_values::ValueModel::common}) {
      s.values = model;
      CHECK(why_not(s).empty() == (payment == Payment::second_price));
    }
  }
  CHECK_THAT(why_not(s), Contains("with common values it knows the equilibrium of the second "
                                  "price alone"));
}

TEST_CASE("sealed bids: one chance draws one winner, whoever else is tied") {
  for (std::uint64_t luck = 1; luck <= 60; ++luck) {
    const std::string first = winner(play("first_price", {50, 50, 50}, {9, 9, 9}, "", luck));
    for (std::size_t out = 0; out < 3; ++out) {
      std::vector<int> bids{9, 9, 9};
      bids[out] = 8;
      if (first != auction_values::bidder_name(static_cast<int>(out)))
        CHECK(winner(play("first_price", {50, 50, 50}, bids, "", luck)) == first);
    }
  }
}

TEST_CASE("sealed bids: the rules follow the settings, and one shot speaks of no more rounds") {
  sealed_bid::Settings s;
  CHECK_THAT(rules_text(s), Contains("15 rounds") && Contains("from 0 to 99 dollars") &&
                                Contains("pays the second highest bid"));
  s.rounds = 1;
  s.currency = auction_values::Currency::rupees;
  CHECK_THAT(rules_text(s), !Contains("round") && Contains("rupees") && !Contains("dollars"));
  std::set<std::string> texts;
  for (const auto& e : agon::type_of<sealed_bid::Intervention>().enumerators) {
    s.intervention = static_cast<sealed_bid::Intervention>(e.value);
    texts.insert(rules_text(s));
  }
  CHECK(texts.size() == 7);
  s.intervention = sealed_bid::Intervention::none;
  s.values = auction_values::ValueModel::common;
  CHECK_THAT(rules_text(s), Contains("worth the same to whoever wins it") &&
                                Contains("from 20 to 79") && Contains("from -20 to 20"));
}

TEST_CASE("sealed bids: draws keep to their ranges, and nothing is drawn where values are given") {
  const sealed_bid::Truthful truthful({});
  for (const std::string values : {"independent", "affiliated", "common"}) {
    const auto played = play_all(truthful, 6, R"("rounds": 50, "values": ")" + values + "\"", 3);
    std::set<std::int64_t> seen;
    for (std::size_t n = 0; n < 50; ++n) {
      const auto drawn = json(played.event("values", n).json);
      const std::int64_t base = drawn.at("common").is_null() ? 0 : drawn.at("common").as_int64();
      for (const auto& v : drawn.at("values").as_array()) {
        const std::int64_t own = v.as_int64() - base;
        seen.insert(own);
        CHECK(own >= (values == "common" ? -20 : 0));
        CHECK(own <= (values == "independent" ? 99 : 20));
      }
      if (values == "common") {
        CHECK(base >= 20);
        CHECK(base <= 79);
      }
    }
    // Both ends of the range are drawn: 300 draws of at most 100 numbers.
    if (values != "independent") CHECK(*seen.rbegin() == 20);
    if (values == "common") CHECK(*seen.begin() == -20);
  }
}
