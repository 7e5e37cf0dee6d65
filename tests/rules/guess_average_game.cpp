// Guess 0.8 of the average: the paper's worked rounds, ties, health, metrics and the program
// opponents (rules for the water game, section 2.11; K-Level Reasoning).

#include <boost/json.hpp>
#include <set>

#include "catch.hpp"
#include "guess-average/game.hpp"
#include "guess-average/play.hpp"
#include "guess-average/strategies.hpp"
#include "support/scripted_match.hpp"

namespace guess_average_test {
namespace {

using agon::test::check_all_metrics;
using agon::test::check_metric_bounds;
using agon::test::DrawingAgent;
using agon::test::play_agents;
using agon::test::Played;
using agon::test::ScriptedMatch;
using namespace guess_average;

const agon::Game& the_game() {
  static const agon::Game game = guess_average::game();
  return game;
}

std::vector<std::string> picks(const std::vector<int>& numbers) {
  std::vector<std::string> answers;
  for (const int n : numbers) answers.push_back(R"({"number": )" + std::to_string(n) + "}");
  return answers;
}

/// A match of scripts, one a seat.
Played play(const std::string& settings, const std::vector<std::vector<int>>& scripts) {
  ScriptedMatch match(the_game(), settings);
  for (std::size_t i = 0; i < scripts.size(); ++i)
    match.seat(static_cast<int>(i), picks(scripts[i]));
  return match.play();
}

boost::json::value round_of(const Played& played, std::size_t n) {
  return boost::json::parse(played.event("round", n).json);
}

std::vector<std::string> winners(const Played& played, std::size_t n) {
  std::vector<std::string> names;
  const auto round = round_of(played, n);
  for (const auto& choice : round.at("choices").as_array())
    if (choice.at("won").as_bool()) names.emplace_back(choice.at("name").as_string().c_str());
  return names;
}

/// What the seat chose, round by round.
std::vector<int> numbers_of(const Played& played, int seat) {
  std::vector<int> numbers;
  for (const auto& asked : played.asked)
    if (asked.seat == seat)
      numbers.push_back(boost::json::parse(asked.answer_json).at("number").to_number<int>());
  return numbers;
}

std::optional<int> winning(const std::vector<int>& numbers) {
  return winning_number(numbers, target_of(numbers, 80));
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("guess 2.11: the rounds worked out in the paper") {
  // The introduction's example: average 60, target 48, and 50 is nearest.
  const auto example = play(R"({"rounds": 2})", {{80}, {70}, {60}, {50}, {40}});
  CHECK(round_of(example, 0).at("mean").to_number<double>() == 60);
  CHECK(round_of(example, 0).at("target").to_number<double>() == 48);
  CHECK(winners(example, 0) == Names{"David"});
  // Appendix B, figure 4: target 36.8, four are as near.
  const auto figure = play(R"({"rounds": 2})", {{45}, {45}, {50}, {45}, {45}});
  CHECK(round_of(figure, 0).at("target").to_number<double>() == 36.8);
  CHECK(winners(figure, 0) == Names{"Alex", "Bob", "David", "Eric"});
  CHECK(figure.metric("shared_wins") == 1);
  // Appendix I: target 36.64, players 1 and 3.
  const auto reflect = play(R"({"rounds": 2})", {{40}, {47}, {40}, {60}, {42}});
  CHECK(round_of(reflect, 0).at("target").to_number<double>() == 36.64);
  CHECK(winners(reflect, 0) == Names{"Alex", "Cindy"});
}

TEST_CASE("guess: as near on both sides, the lower number wins") {
  // Average 50, target 40: 38 and 42 are as near.
  CHECK(winning({38, 42, 70}) == 38);
  CHECK(target_of(std::vector<int>{38, 42, 70}, 80).hundredths == 4000);
}

TEST_CASE("guess: the target is rounded to two decimals before it is compared") {
  // 0.8 x 100 / 3 = 26.666...
  const Target target = target_of(std::vector<int>{20, 30, 50}, 80);
  CHECK(target.hundredths == 2667);
  CHECK(target.exact == Approx(80.0 / 3));
  // Halves go up: 67 percent of 3 / 2 is 1.005.
  CHECK(target_of(std::vector<int>{1, 2}, 67).hundredths == 101);
}

TEST_CASE("guess: nobody wins if all choose the same, but one alone does") {
  CHECK_FALSE(winning({30, 30, 30}));
  CHECK(winning({30}) == 30);
  const auto played = play(R"({"rounds": 2})", {{7, 8}, {7, 8}, {7, 8}, {7, 8}, {7, 9}});
  CHECK(winners(played, 0).empty());
  CHECK(played.metric("rounds_without_winner") == 1);
  CHECK(played.metric("hp_end", 0) == 9);
  CHECK(played.metric("hp_end", 4) == 8);
}

TEST_CASE("guess: who has no health left is out, and one alone wins the rest unasked") {
  const auto played = play(R"({"rounds": 5, "start_hp": 2, "players": ["A", "B", "C"]})",
                           {{40, 40, 40}, {90, 90}, {90, 90}});
  CHECK(played.count("round") == 2);
  CHECK(played.count("out") == 2);
  CHECK(played.outcome[0].score == 5);
  CHECK(played.outcome[0].ideal == 5);
  CHECK(played.metric("rounds_played", 0) == 2);
  CHECK(played.metric("survivors") == 1);
  CHECK(played.metric("survived", 1) == 0);
  // All can go in the same round.
  const auto none = play(R"({"start_hp": 1, "players": ["A", "B"]})", {{5}, {5}});
  CHECK(none.metric("survivors") == 0);
  CHECK(none.count("round") == 1);
}

TEST_CASE("guess: losing ten rounds of ten costs all ten health points") {
  std::vector<int> low(10, 10), high(10, 100);
  const auto played = play("{}", {low, high, high, high, high});
  CHECK(played.outcome[0].score == 0);
  CHECK(played.count("out") == 1);
  CHECK(played.metric("rounds_played", 0) == 10);
  CHECK(played.metric("win_rate", 1) == 1);
}

TEST_CASE("guess: adaption index is the distance in the second half over that in the first") {
  // Targets without rounding: (20 + 3 x 40) / 4 x 0.8 = 28 and (30 + 120) / 4 x 0.8 = 30.
  const auto played =
      play(R"({"rounds": 4, "players": ["A", "B", "C", "D"]})",
           {{20, 20, 30, 20}, {40, 40, 40, 40}, {40, 40, 40, 40}, {40, 40, 40, 40}});
  CHECK(played.metric("distance_first", 0) == Approx(16));
  CHECK(played.metric("distance_second", 0) == Approx(8));
  CHECK(played.metric("adaption_index", 0) == Approx(0.5));
  CHECK(played.metric("mean_distance", 0) == Approx(6));
  CHECK(played.metric("mean_choice", 0) == 22.5);
  // Never off the mark in the first half: there is nothing to compare with.
  const auto perfect =
      play(R"({"rounds": 2, "players": ["A", "B"], "percent": 100})", {{50, 60}, {50, 40}});
  CHECK(perfect.metric("distance_first", 0) == 0);
  CHECK(std::isnan(perfect.metric("adaption_index", 0)));
}

TEST_CASE("guess: strategic depth of the paper's first choices") {
  // Table 6: 47.29 is 0.25 steps, 32.79 is 1.89; table 5 with two thirds: 35.13 is 0.87.
  CHECK(*strategic_depth(47.29, 80) == Approx(0.25).margin(0.005));
  CHECK(*strategic_depth(32.79, 80) == Approx(1.89).margin(0.005));
  CHECK(*strategic_depth(35.13, 67) == Approx(0.87).margin(0.015));
  CHECK(*strategic_depth(40, 80) == 1);
  CHECK_FALSE(std::signbit(*strategic_depth(50, 80)));
  CHECK_FALSE(strategic_depth(0, 80));
  CHECK_FALSE(strategic_depth(30, 100));
}

TEST_CASE("guess: fix stays, mono falls, last follows the target") {
  const Fix fix({});
  const Mono mono({});
  const Last last({});
  const auto played = play_agents(the_game(), "{}", {&fix, &mono, &last, &fix, &mono});
  CHECK(numbers_of(played, 0) == std::vector<int>(10, 40));
  CHECK(numbers_of(played, 1) == std::vector<int>{40, 35, 30, 25, 20, 15, 10, 5, 1, 1});
  const auto followed = numbers_of(played, 2);
  CHECK(followed[0] == 40);
  for (std::size_t n = 1; n < 10; ++n)
    CHECK(followed[n] ==
          static_cast<int>(round_of(played, n - 1).at("target").to_number<double>()));
}

TEST_CASE("guess: fix and last with a deviation draw around their number, by the seat's dice") {
  const Fix varied({.mean = 40, .deviation = 5});
  double sum = 0, squares = 0;
  std::set<int> seen;
  int n = 0;
  for (std::uint64_t luck = 1; luck <= 60; ++luck)
    for (const int number : numbers_of(
             play_agents(the_game(), "{}", {&varied, &varied, &varied, &varied, &varied}, luck),
             0)) {
      sum += number;
      squares += number * number;
      seen.insert(number);
      ++n;
    }
  const double mean = sum / n;
  // Cutting fractions off takes half a point away.
  CHECK(mean == Approx(39.5).margin(0.7));
  CHECK(std::sqrt(squares / n - mean * mean) == Approx(5).margin(0.5));
  CHECK(seen.size() > 20);
  const Last last({.first = 40, .deviation = 5});
  const auto a = play_agents(the_game(), "{}", {&last, &varied, &last, &varied, &last}, 3);
  const auto b = play_agents(the_game(), "{}", {&last, &varied, &last, &varied, &last}, 3);
  CHECK(a.record == b.record);
  CHECK(numbers_of(a, 0) != numbers_of(a, 2));
}

TEST_CASE("guess: monorand keeps the step that it drew") {
  const Monorand monorand({});
  std::set<int> steps;
  for (std::uint64_t luck = 1; luck <= 40; ++luck) {
    const auto numbers =
        numbers_of(play_agents(the_game(), "{}",
                               {&monorand, &monorand, &monorand, &monorand, &monorand}, luck),
                   2);
    REQUIRE(numbers.size() == 10);
    const int step = numbers[0] - numbers[1];
    for (std::size_t i = 0; i < 10; ++i)
      CHECK(numbers[i] == std::max(1, 40 - step * static_cast<int>(i)));
    steps.insert(step);
  }
  CHECK(steps == std::set<int>{0, 1, 2, 3, 4, 5});
  CHECK_THROWS_WITH(Monorand({.least_step = 6}), Catch::Contains("least_step is 6"));
}

TEST_CASE("guess: k-level answers to the others' average, k times over") {
  const Fix forty({});
  const KLevel one({.k = 1});
  const KLevel two({.k = 2});
  const KLevel none({.k = 0});
  const auto played = play_agents(the_game(), "{}", {&one, &forty, &forty, &forty, &forty});
  // Against 50s: c = 0.8 (4 x 50 + c) / 5, which 38.1 meets; against 40s 30.5.
  CHECK(numbers_of(played, 0)[0] == 38);
  CHECK(numbers_of(played, 0)[1] == 30);
  CHECK(played.outcome[0].score == 10);
  CHECK(numbers_of(play_agents(the_game(), "{}", {&two, &forty, &forty, &forty, &forty}), 0)[1] ==
        23);
  CHECK(numbers_of(play_agents(the_game(), "{}", {&none, &forty, &forty, &forty, &forty}), 0)[0] ==
        50);
  // Of its own kind, everybody goes down to the lowest number.
  const auto crowd =
      play_agents(the_game(), R"({"rounds": 30, "start_hp": 100})", {&two, &one, &two, &one, &two});
  CHECK(crowd.metric("equilibrium_gap") == 0);
}

TEST_CASE("guess: rounds, wins and health add up in random matches") {
  const DrawingAgent random;
  const Last last({.first = 40, .deviation = 5});
  double shared = 0;
  for (std::uint64_t luck = 1; luck <= 30; ++luck) {
    const auto played = play_agents(the_game(), R"({"rounds": 20, "start_hp": 14})",
                                    {&random, &last, &random, &last, &random}, luck);
    check_metric_bounds(played);
    for (int seat = 0; seat < 5; ++seat) {
      const double lost = played.metric("rounds_played", seat) - played.metric("wins", seat);
      if (played.metric("survivors") != 1 || played.metric("survived", seat) == 0)
        CHECK(played.metric("hp_end", seat) == 14 - lost);
      CHECK(played.outcome[seat].score <= played.outcome[seat].ideal);
    }
    for (const auto& asked : played.asked) CHECK_FALSE(asked.forced);
    shared += played.metric("shared_wins");
  }
  CHECK(shared > 0);
}

TEST_CASE("guess: settings that make no sense together are refused with the reason") {
  Settings s;
  CHECK(check(s).empty());
  s.lowest = 100;
  CHECK(check(s) == "lowest is 100 and highest 100: there is nothing to choose");
  s = {};
  s.players = {"A", "B", "A"};
  CHECK(check(s) == "players[0] and players[2] are both called A");
}

TEST_CASE("guess: all metrics of one match") {
  // The means are 40, 70 / 3 and 98 / 3: B wins, then A, then both; C is out after three losses.
  const auto played = play(R"({"rounds": 3, "start_hp": 3, "players": ["A", "B", "C"]})",
                           {{20, 10, 24}, {40, 30, 24}, {60, 30, 50}});
  const double second = 0.8 * 70 / 3, third = 0.8 * 98 / 3;
  check_all_metrics(played, 0,
                    {{"wins", 2},
                     {"win_rate", 2.0 / 3},
                     {"rounds_played", 3},
                     {"survived", 1},
                     {"hp_end", 2},
                     {"first_choice", 20},
                     {"strategic_depth", 4.1063},
                     {"mean_choice", 18},
                     {"distance_first", 12},
                     {"distance_second", (second - 10) + (third - 24)},
                     {"adaption_index", 0.9},
                     {"mean_distance", 7.6}});
  check_all_metrics(played, 1,
                    {{"wins", 2},
                     {"win_rate", 2.0 / 3},
                     {"rounds_played", 3},
                     {"survived", 1},
                     {"hp_end", 2},
                     {"first_choice", 40},
                     {"strategic_depth", 1},
                     {"mean_choice", 94.0 / 3},
                     {"distance_first", 8},
                     {"distance_second", (30 - second) + (third - 24)},
                     {"adaption_index", (6 - second + third) / 8},
                     {"mean_distance", (14 - second + third) / 3}});
  check_all_metrics(played, 2,
                    {{"rounds_played", 3},
                     {"first_choice", 60},
                     {"strategic_depth", -0.8171},
                     {"mean_choice", 140.0 / 3},
                     {"distance_first", 28},
                     {"distance_second", (30 - second) + (50 - third)},
                     {"adaption_index", (80 - second - third) / 28},
                     {"mean_distance", (108 - second - third) / 3}});
  check_all_metrics(played, -1,
                    {{"rounds_played", 3},
                     {"survivors", 2},
                     {"shared_wins", 1},
                     {"mean_choice", 32},
                     {"first_mean", 40},
                     {"last_mean", 98.0 / 3},
                     {"last_target", 26.13},
                     {"equilibrium_gap", 95.0 / 3}});
}

TEST_CASE("guess: who is out by the end of the first half has no adaption index") {
  // C loses every round. With five rounds the first half is the first two.
  const auto index = [](int hp) {
    const auto played =
        play(R"({"rounds": 5, "players": ["A", "B", "C"], "start_hp": )" + std::to_string(hp) + "}",
             {std::vector<int>(5, 20), std::vector<int>(5, 20), std::vector<int>(5, 90)});
    CHECK(played.metric("rounds_played", 2) == hp);
    return played.metric("adaption_index", 2);
  };
  CHECK(std::isnan(index(2)));
  CHECK(index(3) == Approx(0.5));
}

TEST_CASE("guess: one alone wins the round at hand and all that follow") {
  // B is out after the first of four rounds.
  const auto played = play(R"({"rounds": 4, "start_hp": 1, "players": ["A", "B"]})", {{5}, {90}});
  CHECK(played.metric("wins", 0) == 4);
  CHECK(played.metric("win_rate", 0) == 1);
  CHECK(played.metric("rounds_played") == 1);
}

}  // namespace guess_average_test
