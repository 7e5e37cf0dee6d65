// Every metric of the clock by figures worked out by hand, and comparisons where they turn.

#include "clock_auction_support.hpp"

using namespace clock_auction_test;
using agon::test::check_all_metrics;
using agon::test::undefined;

namespace {

/// A seat lets so many prices pass, and takes the next one.
std::vector<std::string> let_pass(int prices) {
  std::vector<std::string> answers(static_cast<std::size_t>(prices), R"({"take": false})");
  answers.emplace_back(R"({"take": true})");
  return answers;
}
std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
const std::string kStay = R"({"stay": true})";
const std::string kWait = R"({"take": false})";

}  // namespace

TEST_CASE("clock: all metrics of three rounds of a rising clock") {
  // It rises from 2 to 12 in steps of 2. First, Betty leaves at 4 and Andy at 8. Then Andy leaves
  // at 4 and Charles at 10. Last, Charles gives no answer at 2, and the others stay to the end.
  const auto played =
      ScriptedMatch(the_clock(), R"({"rounds": 3, "start": 2, "step": 2, "ceiling": 12, "given": [
          {"values": [13, 4, 9]}, {"values": [6, 20, 7]},
          {"values": [6, 6, 1], "tie_winner": "Bidder Andy"}]})")
          .reasks(0)
          .seat(0, stays(3) + stays(1) + std::vector<std::string>(6, kStay))
          .seat(1,
                stays(1) + std::vector<std::string>(5, kStay) + std::vector<std::string>(6, kStay))
          .seat(2, std::vector<std::string>(4, kStay) + stays(4) + std::vector<std::string>{"1"})
          .play();
  REQUIRE(exits(played, 0) == "[8,4,null]");
  REQUIRE(exits(played, 1) == "[4,null,10]");
  REQUIRE(exits(played, 2) == "[12,12,2]");
  // Left 4 too low, then one step too low; won the last round at 12, worth 6.
  check_all_metrics(played, 0,
                    {{"profit", -6},
                     {"rounds", 3},
                     {"wins", 1},
                     {"paid", 12},
                     {"losses", 1},
                     {"value_sum", 25},
                     {"exits", 2},
                     {"near_exits", 1},
                     {"early_exits", 2},
                     {"error_sum", 6},
                     {"error_squares", 20},
                     {"truthful_share", 0.5},
                     {"mean_error", 3},
                     {"actions", 12}});
  // Left at its value, won at 10, and stayed 6 too long.
  check_all_metrics(played, 1,
                    {{"profit", 10},
                     {"rounds", 3},
                     {"wins", 1},
                     {"paid", 10},
                     {"value_sum", 30},
                     {"exits", 2},
                     {"exact_exits", 1},
                     {"near_exits", 1},
                     {"late_exits", 1},
                     {"error_sum", 6},
                     {"error_squares", 36},
                     {"truthful_share", 0.5},
                     {"mean_error", 3},
                     {"actions", 13}});
  // Won at 8, left 3 too high, and was out at the first price, the nearest to its value.
  check_all_metrics(played, 2,
                    {{"profit", 1},
                     {"rounds", 3},
                     {"wins", 1},
                     {"paid", 8},
                     {"value_sum", 17},
                     {"exits", 2},
                     {"exact_exits", 1},
                     {"near_exits", 1},
                     {"late_exits", 1},
                     {"error_sum", 3},
                     {"error_squares", 9},
                     {"forced", 1},
                     {"truthful_share", 0.5},
                     {"mean_error", 1.5},
                     {"actions", 10}});
  check_all_metrics(played, -1,
                    {{"rounds", 3},
                     {"sold", 3},
                     {"revenue_sum", 30},
                     {"revenue", 10},
                     {"efficient", 2},
                     {"efficiency", 2.0 / 3},
                     {"best_value_sum", 39},
                     {"second_value_sum", 22},
                     {"winner_value_sum", 35},
                     {"surplus_share", 35.0 / 39},
                     {"calls", 4 + 5 + 6},
                     {"tied", 1},
                     {"exits", 6},
                     {"near_exits", 3},
                     {"error_sum", 15},
                     {"truthful_share", 0.5},
                     {"mean_error", 2.5}});
  // All rounds won at the lowest price, where that is below the value.
  CHECK(played.outcome[0].ideal == 11 + 4 + 4);
  CHECK(played.outcome[1].ideal == 2 + 18 + 4);
  CHECK(played.outcome[2].ideal == 7 + 5 + 0);
}

TEST_CASE("clock: all metrics of three rounds of a falling clock") {
  // It falls from 10 to 4. Andy takes it at 6, then nobody does, then Betty at 8, worth 5 to her.
  const auto played =
      ScriptedMatch(the_clock(), R"({"bidders": 2, "rounds": 3, "clock": "dutch", "start": 4,
          "values": "independent", "ceiling": 10,
          "given": [{"values": [9, 5]}, {"values": [7, 3]}, {"values": [6, 5]}]})")
          .seat(0, let_pass(4) + std::vector<std::string>(10, kWait))
          .seat(1, std::vector<std::string>(5 + 7, kWait) + let_pass(2))
          .play();
  check_all_metrics(played, 0,
                    {{"profit", 3},
                     {"rounds", 3},
                     {"wins", 1},
                     {"paid", 6},
                     {"value_sum", 22},
                     {"truthful_share", undefined},
                     {"mean_error", undefined},
                     {"actions", 15}});
  check_all_metrics(played, 1,
                    {{"profit", -3},
                     {"rounds", 3},
                     {"wins", 1},
                     {"paid", 8},
                     {"losses", 1},
                     {"value_sum", 13},
                     {"truthful_share", undefined},
                     {"mean_error", undefined},
                     {"actions", 15}});
  check_all_metrics(played, -1,
                    {{"rounds", 3},
                     {"sold", 2},
                     {"revenue_sum", 14},
                     {"revenue", 14.0 / 3},
                     {"efficient", 1},
                     {"efficiency", 1.0 / 3},
                     {"best_value_sum", 22},
                     {"second_value_sum", 13},
                     {"winner_value_sum", 14},
                     {"surplus_share", 14.0 / 22},
                     {"calls", 5 + 7 + 3},
                     {"truthful_share", undefined},
                     {"mean_error", undefined}});
  CHECK(played.outcome[0].ideal == 5 + 3 + 2);
  CHECK(played.outcome[1].ideal == 1 + 0 + 1);
}

TEST_CASE("clock: a loss begins above the value, and near is one step and no more") {
  // Betty leaves at the price; Andy wins there.
  const auto at = [](int price, int value, const std::string& step) {
    return match({value, 20}, step).seat(0, stays(40)).seat(1, stays(price)).play();
  };
  CHECK(at(9, 9, "").metric("losses", 0) == 0);
  CHECK(at(9, 8, "").metric("losses", 0) == 1);
  CHECK(at(9, 10, "").metric("losses", 0) == 0);
  // Her value is 20: with steps of 4 she leaves at 12, 16, 20, 24 or 28.
  const std::string step = R"("step": 4)";
  const double near[] = {0, 1, 1, 1, 0};
  const double exact[] = {0, 0, 1, 0, 0};
  for (int i = 0; i < 5; ++i) {
    const auto played = at(3 + i, 40, step);
    CHECK(played.metric("near_exits", 1) == near[i]);
    CHECK(played.metric("exact_exits", 1) == exact[i]);
    CHECK(played.metric("early_exits", 1) == (i < 2 ? 1 : 0));
    CHECK(played.metric("late_exits", 1) == (i > 2 ? 1 : 0));
  }
}

TEST_CASE("clock: efficient is a winner with the highest value, alone or with others") {
  const auto efficient = [](const std::vector<int>& values) {
    return match(values)
        .seat(0, stays(40))
        .seat(1, stays(5))
        .seat(2, stays(5))
        .play()
        .metric("efficient");
  };
  CHECK(efficient({20, 19, 3}) == 1);
  CHECK(efficient({20, 20, 3}) == 1);
  CHECK(efficient({20, 21, 3}) == 0);
  CHECK(efficient({20, 3, 21}) == 0);
}

TEST_CASE("clock: counts go on from round to round, and the history tells which round it was") {
  // In both rounds Andy gives no answer at the first price, and the two others leave together at 3.
  const auto played = ScriptedMatch(the_clock(), R"({"rounds": 2, "given": [{"values": [3, 3, 3]},
                                                            {"values": [4, 4, 4]}]})")
                          .reasks(0)
                          .seat(0, {"1", "1"})
                          .seat(1, stays(3) + stays(3))
                          .seat(2, stays(3) + stays(3))
                          .play();
  CHECK(played.metric("forced", 0) == 2);
  CHECK(played.metric("tied") == 2);
  CHECK(played.metric("calls") == 8);
  CHECK(played.metric("exits", 0) == 2);
  CHECK(played.metric("exits") == 4);
  for (std::size_t n = 0; n < played.count("outcome"); ++n)
    CHECK(json(played.event("outcome", n).json).at("round") == (n < 3 ? 1 : 2));
  for (std::size_t n = 0; n < 2; ++n) {
    CHECK(json(played.event("values", n).json).at("round") == n + 1);
    CHECK(json(played.event("sold", n).json).at("round") == n + 1);
  }
  // The second round was won at 3, worth 4: told as the total of whoever won it.
  double total = 0;
  for (std::size_t n = 3; n < 6; ++n)
    total += json(played.event("outcome", n).json).at("total").to_number<double>();
  CHECK(total == 1);
}

TEST_CASE("clock: plans and actions and reflections are fields of their own that are counted") {
  const std::string stay =
      R"({"plan": "Stay up to\nmy value.", "stay": true, "reflection": "Fine"})";
  const std::string leave = R"({"plan": " ", "stay": false, "reflection": "Too dear now"})";
  const auto written = match({5, 3}, R"("written": true, "plan": false)")
                           .seat(0, {stay, stay, stay})
                           .seat(1, {stay, leave})
                           .play();
  CHECK(winner(written) == "Bidder Andy");
  CHECK(price(written) == 1);
  CHECK(written.metric("plans", 0) == 2);
  CHECK(written.metric("plan_words", 0) == 10);
  CHECK(written.metric("actions", 0) == 2);
  CHECK(written.metric("reflections", 0) == 2);
  CHECK(written.metric("reflection_words", 0) == 2);
  // White space is no plan.
  CHECK(written.metric("plans", 1) == 1);
  CHECK(written.metric("reflection_words", 1) == 4);
  for (const auto& asked : written.asked) {
    CHECK(asked.stage == "stay-written");
    CHECK(json(asked.answer_json).as_object().size() == 3);
  }
  const auto falling =
      match({5, 3}, R"("written": true, "clock": "dutch", "values": "independent", "ceiling": 9,
                       "plan": false)")
          .seat(0, {R"({"plan": "a b", "take": true, "reflection": ""})"})
          .seat(1, {R"({"plan": "", "take": false, "reflection": "c"})"})
          .play();
  CHECK(winner(falling) == "Bidder Andy");
  CHECK(falling.metric("plan_words", 0) == 2);
  CHECK(falling.metric("reflections", 0) == 0);
  CHECK(falling.metric("reflections", 1) == 1);
  // Plans before rounds and lessons after them count alike.
  const auto probed = ScriptedMatch(the_clock(), R"({"bidders": 2, "rounds": 2})")
                          .probes(0, "plan", {R"({"plan": "one two"})"})
                          .probes(0, "replan", {R"({"plan": "three"})"})
                          .probes(0, "reflect", {R"({"lesson": "four five six"})"})
                          .play();
  CHECK(probed.metric("plans", 0) == 2);
  CHECK(probed.metric("plan_words", 0) == 3);
  CHECK(probed.metric("reflections", 0) == 1);
  CHECK(probed.metric("reflection_words", 0) == 3);
  CHECK(probed.metric("plans", 1) == 0);
}
