// The clock: what ends a round, what bidders are told, what is asked when, and bad settings.

#include <agon/error.hpp>

#include "clock-auction/game.hpp"
#include "clock_auction_support.hpp"

using namespace clock_auction_test;
using Catch::Matchers::Contains;

namespace {

const std::string kBlind = R"("clock": "ascending_blind")";
const std::string kDutch = R"("clock": "dutch", "values": "independent")";

/// Why settings are refused; empty: they are not.
std::string refusal(const clock_auction::Settings& settings) {
  return clock_auction::check(settings);
}

/// Views of one seat at one stage, in order.
std::vector<boost::json::value> views(const Played& played, int seat, const std::string& stage) {
  std::vector<boost::json::value> result;
  for (const auto& asked : played.asked)
    if (asked.seat == seat && asked.stage == stage) result.push_back(json(asked.view_json));
  return result;
}

}  // namespace

TEST_CASE("clock: the first call is at the start price, and the price moves by the step") {
  const auto played = match({9, 5}, R"("start": 2, "step": 3)")
                          .seat(0, stays(5))
                          .seat(1, {R"({"stay": true})", R"({"stay": true})", R"({"stay": false})"})
                          .play();
  const auto seen = views(played, 1, "stay");
  REQUIRE(seen.size() == 3);
  const int prices[] = {2, 5, 8};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(seen[i].at("price") == prices[i]);
    CHECK(seen[i].at("cycle") == i + 1);
    CHECK(seen[i].at("next_price") == prices[i] + 3);
  }
  CHECK(price(played) == 8);
  CHECK(winner(played) == "Bidder Andy");
  CHECK(played.outcome[0].score == 1);
  CHECK(played.outcome[0].ideal == 7);
}

TEST_CASE("clock: who cannot answer is asked three times more, then it leaves") {
  const auto played = match({9, 5, 6})
                          .seat(0, {"{}", "1", "[]", R"({"stay": 7})"})
                          .seat(1, stays(5))
                          .seat(2, stays(6))
                          .play();
  CHECK(played.asked.at(0).rejected == 4);
  CHECK(played.asked.at(0).forced);
  CHECK(played.metric("forced", 0) == 1);
  CHECK(exits(played) == "[0,5,null]");
}

TEST_CASE("clock: it stops at the ceiling, and whoever would stay on draws lots") {
  std::set<std::string> winners;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    const auto played = match({4, 4, 4}, R"("ceiling": 6)")
                            .seat(0, stays(20))
                            .seat(1, stays(20))
                            .seat(2, stays(6))
                            .luck(luck)
                            .play();
    winners.insert(winner(played));
    CHECK(price(played) == 6);
    CHECK(played.metric("calls") == 7);
  }
  CHECK(winners == std::set<std::string>{"Bidder Andy", "Bidder Betty"});
}

TEST_CASE("clock: with an open clock all hear how many left, with a blind one nobody does") {
  for (const bool is_blind : {false, true}) {
    const auto played = play_truthful({3, 5, 9}, 1, is_blind ? kBlind : "");
    REQUIRE(played.count("call") == 6);
    const auto& call = played.event("call", 3);
    CHECK(call.json == R"({"round":1,"cycle":4,"price":3,"left":1})");
    CHECK((call.audience == 0) == is_blind);
    const auto seen = views(played, 2, "stay");
    const auto& transcript = seen.back().at("transcript").as_array();
    CHECK(transcript.size() == (is_blind ? 0U : 5U));
    CHECK(seen.back().at("opponents").as_array().size() == 2);
  }
}

TEST_CASE("clock: what a blind clock shows does not depend on who has left") {
  const auto early = play_truthful({1, 8, 9}, 1, kBlind);
  const auto late = play_truthful({7, 8, 9}, 1, kBlind);
  const auto a = views(early, 2, "stay");
  const auto b = views(late, 2, "stay");
  CHECK(a == b);
  // The published program's does, by the rivals that it names.
  const std::string leaky = kBlind + R"(, "opponents": "remaining")";
  const auto c = views(play_truthful({1, 8, 9}, 1, leaky), 2, "stay");
  const auto d = views(play_truthful({7, 8, 9}, 1, leaky), 2, "stay");
  REQUIRE(c.size() == d.size());
  CHECK(c[2].at("opponents").as_array().size() == 1);
  CHECK(d[2].at("opponents").as_array().size() == 2);
}

TEST_CASE("clock: the presets of the paper and of its program") {
  const auto rounds = R"(, "rounds": 2, "given": [{"values": [3, 5, 9]}, {"values": [4, 1, 2]}]})";
  for (const std::string preset : {"agon", "paper", "published-code"}) {
    INFO(preset);
    const clock_auction::Truthful truthful({});
    ScriptedMatch made(the_clock(), R"({"preset": ")" + preset + "\"" + rounds);
    for (int seat = 0; seat < 3; ++seat) made.agent(seat, truthful);
    const auto played = made.play();
    CHECK(played.count("outcome") == (preset == "agon" ? 6 : 0));
    const auto seen = views(played, 0, preset == "agon" ? "stay" : "stay-written");
    CHECK(seen.back().at("history").as_array().size() == (preset == "agon" ? 1 : 0));
    CHECK(winner(played, 0) == "Bidder Charles");
    CHECK(winner(played, 1) == "Bidder Andy");
    CHECK(price(played, 1) == 2);
    CHECK(played.outcome[0].score == 2);
    CHECK(played.outcome[2].score == 4);
    CHECK(played.outcome[0].ideal == 7);
  }
}

TEST_CASE("clock: plans come before values, lessons after all rounds but the last") {
  const std::string plan = R"({"plan": "stop at my value"})";
  const std::string lesson = R"({"lesson": "it worked"})";
  const auto played =
      ScriptedMatch(
          the_clock(),
          R"({"bidders": 2, "rounds": 3, "own_range": [0, 78], "given": [{"values": [1, 2]},
                        {"values": [3, 4]}, {"values": [77, 78]}]})")
          .probes(0, "plan", {plan, plan})
          .probes(0, "replan", {plan, plan, plan})
          .probes(0, "reflect", {lesson, lesson, lesson})
          .play();
  std::string order;
  for (const auto& asked : played.asked)
    if (asked.seat == 0) order += asked.stage + " ";
  CHECK(order == "plan stay reflect replan stay reflect replan stay ");
  const auto plans = views(played, 0, "replan");
  CHECK(plans.at(1).at("history").as_array().size() == 2);
  CHECK(plans.at(1).at("round") == 3);
  CHECK_THAT(boost::json::serialize(plans.at(1)), !Contains("77"));
  CHECK(views(played, 0, "plan").at(0).at("words") == 100);
  CHECK(plans.at(0).at("words") == 50);
}

TEST_CASE("Dutch clock: the first to take pays, ties are drawn, nobody takes: unsold") {
  const auto takes_at = [](int waits) {
    std::vector<std::string> answers(static_cast<std::size_t>(waits), R"({"take": false})");
    answers.emplace_back(R"({"take": true})");
    return answers;
  };
  SECTION("one takes it") {
    const auto played = match({9, 5}, kDutch + R"(, "ceiling": 10)")
                            .seat(0, takes_at(4))
                            .seat(1, takes_at(6))
                            .play();
    CHECK(winner(played) == "Bidder Andy");
    CHECK(price(played) == 6);
    CHECK(played.outcome[0].score == 3);
    CHECK(played.metric("calls") == 5);
    CHECK(views(played, 0, "take").front().at("price") == 10);
    CHECK(std::isnan(played.metric("truthful_share")));
  }
  SECTION("two take it at once") {
    std::set<std::string> winners;
    for (std::uint64_t luck = 1; luck <= 20; ++luck)
      winners.insert(winner(
          match({9, 5}, kDutch).seat(0, takes_at(90)).seat(1, takes_at(90)).luck(luck).play()));
    CHECK(winners.size() == 2);
  }
  SECTION("nobody does, down to the lowest price") {
    const auto played = match({9, 5}, kDutch + R"(, "ceiling": 10, "start": 7, "step": 2)").play();
    CHECK(winner(played).empty());
    CHECK(played.metric("calls") == 3);
    CHECK(played.metric("sold") == 0);
    CHECK(views(played, 0, "take").back().at("price") == 7);
    CHECK(views(played, 0, "take").back().at("next_price").is_null());
    CHECK(profits(played) == std::vector<double>{0, 0});
  }
  SECTION("the equilibrium is that of the first price") {
    const clock_auction::EquilibriumBid bidder({});
    auto made = match({73, 20, 20}, kDutch);
    for (int seat = 0; seat < 3; ++seat) made.agent(seat, bidder);
    const auto played = made.play();
    CHECK(winner(played) == "Bidder Andy");
    CHECK(price(played) == 49);
  }
}

TEST_CASE("clock: metrics by their definitions") {
  // Exits: Andy 3 below his value, Betty one above hers; Charles wins at 13.
  const auto played =
      match({13, 12, 30}).seat(0, stays(10)).seat(1, stays(13)).seat(2, stays(40)).play();
  CHECK(played.metric("exits") == 2);
  CHECK(played.metric("near_exits") == 1);
  CHECK(played.metric("truthful_share") == 0.5);
  CHECK(played.metric("mean_error") == 2);
  CHECK(played.metric("error_squares", 0) == 9);
  CHECK(played.metric("late_exits", 1) == 1);
  CHECK(std::isnan(played.metric("truthful_share", 2)));
  CHECK(played.metric("revenue") == 13);
  CHECK(played.metric("efficiency") == 1);
  CHECK(played.metric("best_value_sum") == 30);
  CHECK(played.metric("second_value_sum") == 13);
  CHECK(played.metric("winner_value_sum") == 30);
}

TEST_CASE("clock: truthful bidders sell to the highest value at the second highest") {
  for (const std::string values : {"independent", "affiliated"}) {
    const clock_auction::Truthful truthful({});
    ScriptedMatch made(the_clock(), R"({"bidders": 5, "rounds": 40, "values": ")" + values + "\"}");
    for (int seat = 0; seat < 5; ++seat) made.agent(seat, truthful);
    const auto played = made.luck(7).play();
    CHECK(played.metric("efficiency") == 1);
    CHECK(played.metric("revenue_sum") == played.metric("second_value_sum"));
    CHECK(played.metric("truthful_share") == 1);
    CHECK(played.metric("mean_error") == 0);
    for (std::size_t n = 0; n < 40; ++n) {
      const auto drawn = json(played.event("values", n).json);
      for (const auto& v : drawn.at("values").as_array()) {
        const auto value = v.as_int64();
        CHECK(value >= (values == "affiliated" ? drawn.at("common").as_int64() : 0));
        CHECK(value <= (values == "affiliated" ? drawn.at("common").as_int64() + 20 : 99));
      }
    }
  }
}

TEST_CASE("clock 3.1: given values keep to the ranges that bidders are told") {
  clock_auction::Settings s;
  s.rounds = 1;
  s.given = {{{0, 40, 20}, {}, {}}};
  CHECK(refusal(s).empty());
  s.given[0].values[1] = 41;
  CHECK(refusal(s) ==
        "given[0].values[1]: the sum of both parts is 41, outside the range that bidders are told, "
        "0 to 40; change it, common_range or own_range");
  // With the common part given, each bidder's own part follows.
  s.given[0] = {{10, 30, 20}, 10, {}};
  CHECK(refusal(s).empty());
  s.given[0].values[0] = 9;
  CHECK_THAT(refusal(s), Contains("given[0].values[0]: the bidder's own part is -1"));
  s.given[0].common = 21;
  CHECK_THAT(refusal(s), Contains("given[0].common: the common part is 21, outside"));
  s.values = auction_values::ValueModel::independent;
  s.own_range = auction_values::Span{5, 10};
  s.given[0] = {{5, 10, 11}, {}, {}};
  CHECK_THAT(refusal(s), Contains("given[0].values[2]: the value is 11, outside the range that "
                                  "bidders are told, 5 to 10"));
}

TEST_CASE("clock 3.6: who plays its value is truthful where the clock cannot reach it too") {
  // The clock stops at 20: those worth more stay to the end and have not left early.
  const auto stopped = play_truthful({30, 25, 22}, 1, R"("ceiling": 20)");
  CHECK(price(stopped) == 20);
  CHECK(stopped.metric("exits") == 2);
  CHECK(stopped.metric("truthful_share") == 1);
  CHECK(stopped.metric("mean_error") == 0);
  // It starts at 10: whoever is worth less cannot leave before that.
  const auto started = play_truthful({3, 12, 30}, 1, R"("start": 10)");
  CHECK(exits(started) == "[10,12,null]");
  CHECK(started.metric("late_exits", 0) == 0);
  CHECK(started.metric("exact_exits", 0) == 1);
  CHECK(started.metric("mean_error") == 0);
}

TEST_CASE("clock: the falling clock's equilibrium is known for independent values alone") {
  const auto why_not = &clock_auction::why_not;
  clock_auction::Settings s;
  CHECK(why_not(s).empty());  // affiliated, but rising
  s.clock = clock_auction::Clock::dutch;
  CHECK_THAT(why_not(s), Contains("independent values alone"));
  s.values = auction_values::ValueModel::independent;
  CHECK(why_not(s).empty());
}

TEST_CASE("clock: settings that make no sense are refused with a hint") {
  clock_auction::Settings s;
  s.rounds = 3;
  s.given = {{{1, 2, 3}, {}, {}}, {{1, 2, 3}, {}, {}}};
  CHECK(
      refusal(s) ==
      "given has the values of 2 rounds, but 3 rounds are played: give 1 more, or set rounds to 2");
  s.rounds = 2;
  CHECK(refusal(s).empty());
  s.given[1].values = {1, 2};
  CHECK(refusal(s) == "given[1].values: 2 values for 3 bidders");
  s.given[1].values = {1, 2, -1};
  CHECK_THAT(refusal(s), Contains("given[1].values[2]: the sum of both parts is -1"));
  s.given[1] = {{1, 2, 3}, {}, "Bidder Zoe"};
  CHECK_THAT(refusal(s), Contains("given[1].tie_winner: is 'Bidder Zoe'"));
  s.given.clear();
  s.values = auction_values::ValueModel::common;
  CHECK_THAT(refusal(s), Contains("values are common"));
  s.values = auction_values::ValueModel::affiliated;
  s.own_range = auction_values::Span{5, 1};
  CHECK_THAT(refusal(s), Contains("own_range says at least 5 and at most 1"));
  s.own_range.reset();
  s.start = 41;
  CHECK_THAT(refusal(s), Contains("start is 41, above 40"));
  s.start = 0;
  s.ceiling = 100'000;
  CHECK(refusal(s).empty());
}

TEST_CASE("clock: a tie goes to whom the round names") {
  for (std::uint64_t luck = 1; luck <= 5; ++luck) {
    ScriptedMatch made(the_clock(), R"({"rounds": 1, "given": [
        {"values": [20, 20, 15], "tie_winner": "Bidder Betty"}]})");
    const clock_auction::Truthful truthful({});
    for (int seat = 0; seat < 3; ++seat) made.agent(seat, truthful);
    CHECK(winner(made.luck(luck).play()) == "Bidder Betty");
  }
}

TEST_CASE("clock: the rules follow the settings") {
  clock_auction::Settings s;
  const std::string open = clock_auction::rules_text(s);
  CHECK_THAT(open, Contains("3 bidders") && Contains("10 rounds") && Contains("from 0 to 20") &&
                       Contains("told how many have left") && Contains("At 40 dollars"));
  s.clock = clock_auction::Clock::ascending_blind;
  s.currency = auction_values::Currency::yen;
  CHECK_THAT(clock_auction::rules_text(s),
             Contains("Nobody is told during a round") && Contains("At 40 yen"));
  s.clock = clock_auction::Clock::dutch;
  s.rounds = 1;
  CHECK_THAT(clock_auction::rules_text(s),
             Contains("falls by 1") && !Contains("rounds") && !Contains("In every round"));
}

TEST_CASE("clock: the rules do not deny what the clock shows") {
  clock_auction::Settings s;
  CHECK_THAT(clock_auction::rules_text(s), Contains("how many have left at it, but not who"));
  s.opponents = clock_auction::Named::remaining;
  CHECK_THAT(clock_auction::rules_text(s),
             !Contains("but not who") && Contains("which rivals are still in"));
  s.clock = clock_auction::Clock::ascending_blind;
  CHECK_THAT(clock_auction::rules_text(s), !Contains("Nobody is told") &&
                                               Contains("How many leave at a call is not told") &&
                                               Contains("which rivals are still in"));
}
