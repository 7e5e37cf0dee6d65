// Every metric of the classic games by figures worked out by hand.

#include <array>
#include <boost/json.hpp>

#include "catch.hpp"
#include "classic_support.hpp"

using namespace classic_test;
using agon::test::check_all_metrics;
using agon::test::ScriptedMatch;
using agon::test::undefined;

TEST_CASE("classic: all metrics of a prisoner's dilemma with talk that is halted") {
  const auto played =
      ScriptedMatch(classic::game(), with_game("prisoners-dilemma", "\"rounds\": 3"))
          .seat(0, {message("hello"), message("", true), choice(1)})
          .seat(1, {message("hello to you"), choice(2)})
          .play();
  check_all_metrics(played, 0,
                    {{"choice", 1},
                     {"cooperated", 1},
                     {"regret", 1},
                     {"messages", 2},
                     {"halted", 1},
                     {"cooperated_first", 1},
                     {"cooperated_last", 1}});
  check_all_metrics(played, 1, {{"payoff", 5}, {"choice", 2}, {"messages", 1}});
  // Outcomes are worth 2 to 6 in all; nobody else is as well off as one who defects alone.
  check_all_metrics(played, -1,
                    {{"valid", 1},
                     {"spe", undefined},
                     {"cell", 1},
                     {"pareto", 1},
                     {"welfare", 5},
                     {"welfare_share", 0.75},
                     {"cooperation", 0.5},
                     {"periods", 1},
                     {"cooperation_first", 0.5},
                     {"cooperation_last", 0.5},
                     {"messages", 3},
                     {"halted", 1},
                     {"moves", 2}});
}

TEST_CASE("classic: all metrics of the four cells of the stag hunt") {
  const auto cell = [](int first, int second) {
    return ScriptedMatch(classic::game(), with_game("stag-hunt"))
        .seat(0, {choice(first)})
        .seat(1, {choice(second)})
        .play();
  };
  struct Row {
    int first, second;
    double nash, best_nash, pareto, welfare, welfare_share, regret;
  };
  // Worth 6, 1, 1 and 2 in all.
  for (const Row& row : {Row{1, 1, 1, 1, 1, 6, 1, 0}, Row{1, 2, 0, 0, 0, 1, 0, 1},
                         Row{2, 1, 0, 0, 0, 1, 0, 2}, Row{2, 2, 1, 0, 0, 2, 0.2, 0}}) {
    INFO(row.first << " and " << row.second);
    const auto played = cell(row.first, row.second);
    CHECK(played.metric("nash") == row.nash);
    CHECK(played.metric("best_nash") == row.best_nash);
    CHECK(played.metric("pareto") == row.pareto);
    CHECK(played.metric("welfare") == row.welfare);
    CHECK(played.metric("welfare_share") == Approx(row.welfare_share));
    CHECK(played.metric("regret", 0) == row.regret);
    CHECK(played.metric("cell") == 2 * (row.first - 1) + row.second - 1);
  }
}

TEST_CASE("classic: all metrics of a game of constant sum") {
  const auto played = ScriptedMatch(classic::game(), with_game("rock-paper-scissors"))
                          .seat(0, {choice(3)})
                          .seat(1, {choice(2)})
                          .play();
  check_all_metrics(played, 0,
                    {{"payoff", 1},
                     {"choice", 3},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined}});
  check_all_metrics(played, 1,
                    {{"payoff", -1},
                     {"choice", 2},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined},
                     {"regret", 2}});
  check_all_metrics(played, -1,
                    {{"valid", 1},
                     {"nash", undefined},
                     {"best_nash", undefined},
                     {"spe", undefined},
                     {"cell", 7},
                     {"pareto", 1},
                     {"welfare_share", undefined},
                     {"cooperation", undefined},
                     {"periods", 1},
                     {"cooperation_first", undefined},
                     {"cooperation_last", undefined},
                     {"mutual_cooperation", undefined},
                     {"moves", 2}});
}

TEST_CASE("classic: all metrics of the ends of a tree") {
  const auto end = [](const std::vector<int>& moves) {
    std::array<std::vector<std::string>, 2> answers;
    for (std::size_t i = 0; i < moves.size(); ++i) answers[i % 2].push_back(choice(moves[i]));
    return ScriptedMatch(classic::game(), with_game("escalation"))
        .seat(0, answers[0])
        .seat(1, answers[1])
        .play();
  };
  // Alice gives in at once: 0 and 0. Bob never moves.
  const auto peace = end({1});
  check_all_metrics(peace, 0,
                    {{"choice", 1},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined}});
  check_all_metrics(
      peace, 1,
      {{"cooperated", undefined}, {"cooperated_first", undefined}, {"cooperated_last", undefined}});
  check_all_metrics(peace, -1,
                    {{"valid", 1},
                     {"nash", 1},
                     {"best_nash", 1},
                     {"spe", 1},
                     {"cell", undefined},
                     {"pareto", 1},
                     {"welfare_share", 1},
                     {"cooperation", undefined},
                     {"periods", 1},
                     {"cooperation_first", undefined},
                     {"cooperation_last", undefined},
                     {"mutual_cooperation", undefined},
                     {"moves", 1}});
  // Bob gives in: 1 and -2. Had he escalated, Alice would have too, for -1 each.
  const auto bob = end({2, 1});
  check_all_metrics(bob, 0,
                    {{"payoff", 1},
                     {"choice", 2},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined}});
  check_all_metrics(bob, 1,
                    {{"payoff", -2},
                     {"choice", 1},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined},
                     {"regret", 1}});
  check_all_metrics(bob, -1,
                    {{"valid", 1},
                     {"cell", undefined},
                     {"pareto", 1},
                     {"welfare", -1},
                     {"welfare_share", 0.5},
                     {"cooperation", undefined},
                     {"periods", 1},
                     {"cooperation_first", undefined},
                     {"cooperation_last", undefined},
                     {"mutual_cooperation", undefined},
                     {"moves", 2}});
  // Both escalate: -1 and -1, which is worse for both than peace.
  const auto war = end({2, 2, 2});
  check_all_metrics(war, 0,
                    {{"payoff", -1},
                     {"choice", 2},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined},
                     {"regret", 1}});
  check_all_metrics(war, 1,
                    {{"payoff", -1},
                     {"choice", 2},
                     {"cooperated", undefined},
                     {"cooperated_first", undefined},
                     {"cooperated_last", undefined}});
  check_all_metrics(war, -1,
                    {{"valid", 1},
                     {"cell", undefined},
                     {"welfare", -2},
                     {"cooperation", undefined},
                     {"periods", 1},
                     {"cooperation_first", undefined},
                     {"cooperation_last", undefined},
                     {"mutual_cooperation", undefined},
                     {"moves", 3}});
}

TEST_CASE("classic: a player is told the round and how many are left with this one") {
  const auto played = ScriptedMatch(classic::game(), with_game("stag-hunt", "\"rounds\": 3"))
                          .seat(0, {message("1"), message("2"), message("3"), choice(1)})
                          .seat(1, {message("1"), message("2"), message("3"), choice(1)})
                          .play();
  std::string told;
  for (const auto& asked : played.asked) {
    if (asked.seat != 0) continue;
    const auto view = boost::json::parse(asked.view_json);
    told += std::to_string(view.at("round").to_number<int>()) + " of " +
            std::to_string(view.at("rounds_left").to_number<int>()) + ", ";
  }
  CHECK(told == "1 of 3, 2 of 2, 3 of 1, 0 of 0, ");
}
