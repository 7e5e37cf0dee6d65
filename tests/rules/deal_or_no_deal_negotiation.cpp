// Section 3.5 of the game's rules: messages, one stop rule, private takes.

#include <cmath>

#include "catch.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal_or_no_deal_support.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

const std::string no_beliefs = R"("beliefs": false)";

/// Two rounds in which the sides settle on seat 0's hat and two balls, then these takes.
Played with_takes(const std::string& first, const std::string& second,
                  const std::string& more = no_beliefs) {
  return ScriptedMatch(dond(), over_point_0(more))
      .seat(0, {say("hat and two balls", "[0, 1, 2]"), say("good", "null", true), first})
      .seat(1, {say("yes", "[1, 0, 1]"), say("bye", "null", true), second})
      .play();
}

}  // namespace

TEST_CASE("Deal or No Deal 3.5: a round is a message of the first and then of the second side") {
  const auto played = with_takes(take("[0, 1, 2]"), take("[1, 0, 1]"));
  REQUIRE(played.asked.size() == 6);
  const std::vector<std::string> stages{"message", "message", "message", "message", "take", "take"};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(played.asked[i].seat == static_cast<int>(i % 2));
    CHECK(played.asked[i].stage == stages[i]);
  }
  CHECK(played.event("message", 1).json ==
        R"({"round":1,"seat":1,"text":"yes","proposal":{"take":[1,0,1]},"halt":false})");
  // Rounds are the 0-based index of the stopping round + 1.
  CHECK(played.metric("rounds") == 2);
  CHECK(played.metric("turns") == 4);
  CHECK(played.outcome[0].score == 7);
  CHECK(played.outcome[1].score == 6);
}

TEST_CASE("Deal or No Deal 3.5: the stop rule, case by case") {
  const Amounts counts{1, 1, 3};
  const std::optional<ItemCounts> a = ItemCounts{0, 1, 2};
  const std::optional<ItemCounts> fits = ItemCounts{1, 0, 1};
  const std::optional<ItemCounts> other = ItemCounts{1, 0, 2};
  const std::optional<ItemCounts> none;
  CHECK(stops(1, 20, {false, false}, counts, {none, none}) == TalkStop::none);
  // Both halt, whatever they proposed.
  CHECK(stops(1, 20, {true, true}, counts, {none, none}) == TalkStop::both_halted);
  CHECK(stops(1, 20, {true, true}, counts, {a, other}) == TalkStop::both_halted);
  // A lone halt does not stop.
  CHECK(stops(1, 20, {true, false}, counts, {none, none}) == TalkStop::none);
  CHECK(stops(1, 20, {false, true}, counts, {a, other}) == TalkStop::none);
  CHECK(stops(1, 20, {false, true}, counts, {a, none}) == TalkStop::none);
  // It does when the latest proposals are the same split; those alone are not enough.
  CHECK(stops(1, 20, {true, false}, counts, {a, fits}) == TalkStop::settled);
  CHECK(stops(1, 20, {false, true}, counts, {a, fits}) == TalkStop::settled);
  CHECK(stops(1, 20, {false, false}, counts, {a, fits}) == TalkStop::none);
  // The round limit.
  CHECK(stops(19, 20, {false, true}, counts, {a, other}) == TalkStop::none);
  CHECK(stops(20, 20, {false, false}, counts, {none, none}) == TalkStop::out_of_rounds);
}

TEST_CASE("Deal or No Deal 3.5: a lone halt does not stop the talks") {
  const auto played = ScriptedMatch(dond(), over_point_0(no_beliefs))
                          .seat(0, {say("", "null", true), say(""), say("", "null", true), leave})
                          .seat(1, {say(""), say("", "null", true), say("", "null", true), leave})
                          .play();
  CHECK(played.metric("rounds") == 3);
  CHECK(played.event("talk-ended").json == R"({"round":3,"why":"both_halted"})");
}

TEST_CASE("Deal or No Deal 3.5: proposals of different rounds can settle, with one halt") {
  const auto played =
      ScriptedMatch(dond(), over_point_0(no_beliefs))
          .seat(0, {say("", "[0, 1, 2]"), say("hm"), say("well"), take("[0, 1, 2]")})
          .seat(1, {say("", "[1, 0, 2]"), say("", "[1, 0, 1]"), say("", "null", true),
                    take("[1, 0, 1]")})
          .play();
  CHECK(played.metric("rounds") == 3);
  CHECK(played.event("talk-ended").json == R"({"round":3,"why":"settled"})");
  CHECK(played.metric("agreement") == 1);
}

TEST_CASE("Deal or No Deal 3.5: after the last round both still present what they take") {
  const auto played =
      ScriptedMatch(dond(), over_point_0(no_beliefs))
          .seat(0, times(20, say("no")) + std::vector<std::string>{take("[0, 1, 2]")})
          .seat(1, times(20, say("no")) + std::vector<std::string>{take("[1, 0, 1]")})
          .play();
  CHECK(played.metric("rounds") == 20);
  CHECK(played.metric("out_of_time") == 1);
  CHECK(played.count("message") == 40);
  CHECK(played.metric("agreement") == 1);
}

TEST_CASE("Deal or No Deal 3.5: deal_match le takes left-over items, eq does not") {
  const Amounts counts{1, 1, 3};
  const std::optional<ItemCounts> mine = ItemCounts{0, 1, 1};
  const std::optional<ItemCounts> rest = ItemCounts{1, 0, 2};
  const std::optional<ItemCounts> less = ItemCounts{1, 0, 1};
  const std::optional<ItemCounts> more = ItemCounts{1, 0, 3};
  for (const DealMatch match : {DealMatch::le, DealMatch::eq}) {
    CHECK(is_deal(counts, {mine, rest}, match));
    CHECK_FALSE(is_deal(counts, {mine, more}, match));
    CHECK_FALSE(is_deal(counts, {mine, std::nullopt}, match));
    CHECK(is_deal(counts, {mine, less}, match) == (match == DealMatch::le));
  }
  const auto le = with_takes(take("[0, 1, 1]"), take("[1, 0, 1]"));
  CHECK(le.metric("agreement") == 1);
  CHECK(le.metric("left_over") == 1);
  CHECK(le.outcome[0].score == 5);
  CHECK(le.outcome[1].score == 6);
  CHECK(le.metric("envies", 0) == 0);
  // With items left over a deal is never envy-free; and here somebody could have had more.
  CHECK(le.metric("envy_free") == 0);
  CHECK(le.metric("pareto_optimal") == 0);
  const auto eq =
      with_takes(take("[0, 1, 1]"), take("[1, 0, 1]"), no_beliefs + R"(, "deal_match": "eq")");
  CHECK(eq.metric("agreement") == 0);
  CHECK(eq.metric("misfit") == 1);
  CHECK(eq.outcome[0].score == 0);
  CHECK(eq.outcome[1].score == 0);
}

TEST_CASE("Deal or No Deal 3.5: takes that overlap are no deal, and are not asked again") {
  const auto played = with_takes(take("[0, 1, 3]"), take("[1, 0, 1]"));
  CHECK(played.asked.size() == 6);
  CHECK(played.metric("misfit") == 1);
  CHECK(played.metric("walked_away") == 0);
  CHECK(played.metric("fair") == 0);
  CHECK(played.event("presented").json == R"({"takes":[[0,1,3],[1,0,1]],"deal":false})");
  CHECK(played.outcome[0].score == 0);
}

TEST_CASE("Deal or No Deal 3.5: a side may leave without a deal") {
  const auto played = with_takes(leave, take("[1, 0, 1]"));
  CHECK(played.metric("agreement") == 0);
  CHECK(played.metric("walked_away") == 1);
  CHECK(played.metric("misfit") == 0);
  CHECK(played.event("presented").json == R"({"takes":[null,[1,0,1]],"deal":false})");
}

TEST_CASE("Deal or No Deal 3.5 [R]: ten tries for a take within the counts, then no deal") {
  const auto with_slips = [](std::size_t slips) {
    const std::vector<std::string> stop{say("", "null", true)};
    return ScriptedMatch(dond(), over_point_0(no_beliefs))
        .seat(0,
              stop + times(slips, take("[0, 1, 4]")) + std::vector<std::string>{take("[0, 1, 2]")})
        .seat(1, stop + std::vector<std::string>{take("[1, 0, 1]")})
        .play();
  };
  const auto last_try = with_slips(9);
  CHECK(last_try.asked.at(2).rejected == 9);
  CHECK_FALSE(last_try.asked.at(2).forced);
  CHECK(last_try.metric("agreement") == 1);
  const auto too_late = with_slips(10);
  CHECK(too_late.asked.at(2).rejected == 10);
  CHECK(too_late.asked.at(2).forced);
  CHECK(too_late.metric("agreement") == 0);
  CHECK(too_late.metric("walked_away") == 1);
}

TEST_CASE("Deal or No Deal 3.5: who sends nothing legal says nothing") {
  const auto played = ScriptedMatch(dond(), over_point_0(no_beliefs + R"(, "max_rounds": 1)"))
                          .seat(0, times(10, say("", "[2, 0, 0]")))
                          .play();
  CHECK(played.asked.at(0).forced);
  CHECK(played.event("message").json ==
        R"({"round":1,"seat":0,"text":"","proposal":null,"halt":false})");
}

TEST_CASE("Deal or No Deal: without messages a negotiation is proposals only") {
  const auto played =
      ScriptedMatch(dond(), over_point_0(no_beliefs + R"(, "messages": false)"))
          .seat(0, {say("hello", "[0, 1, 2]"), say("", "[0, 1, 2]"), take("[0, 1, 2]")})
          .seat(1, {say("", "[1, 0, 1]", true), take("[1, 0, 1]")})
          .play();
  CHECK(played.asked.at(0).rejected == 1);
  CHECK(played.metric("agreement") == 1);
}

TEST_CASE("Deal or No Deal 3.1: a deal is measured against the best splits") {
  const auto fair = with_takes(take("[0, 1, 2]"), take("[1, 0, 1]"));
  CHECK(fair.metric("envy_free") == 1);
  CHECK(fair.metric("pareto_optimal") == 1);
  CHECK(fair.metric("fair") == 1);
  CHECK(fair.metric("joint_value") == 13);
  CHECK(fair.metric("joint_share") == 1);
  CHECK(fair.metric("best_joint") == 13);
  // The best split is the first of the two tied ones, 5 and 8; Nash's is 7 and 6.
  CHECK(fair.metric("fair_distance") == 4);
  CHECK(fair.metric("fair_value", 0) == 5);
  CHECK(fair.metric("nash_distance") == 0);
  CHECK(fair.metric("nash_product_share") == 1);
  CHECK(fair.metric("surplus_share", 0) == Approx(7.0 / 13));
  CHECK(fair.metric("items", 0) == 3);
  CHECK(fair.metric("value_distance") == 6);
  CHECK(fair.outcome[0].disagreement == 0);
  CHECK(fair.outcome[0].ideal == 10);

  // Everything for seat 0 is Pareto-optimal, and seat 1 envies.
  const auto greedy = with_takes(take("[1, 1, 3]"), take("[0, 0, 0]"));
  CHECK(greedy.metric("pareto_optimal") == 1);
  CHECK(greedy.metric("envy_free") == 0);
  CHECK(greedy.metric("envies", 0) == 0);
  CHECK(greedy.metric("envies", 1) == 1);
  CHECK(greedy.metric("nash_product_share") == 0);

  const auto none = with_takes(leave, leave);
  CHECK(none.metric("envy_free") == 0);
  CHECK(none.metric("pareto_optimal") == 0);
  CHECK(none.metric("joint_share") == 0);
  CHECK(none.metric("fair_distance") == 13);
  CHECK(none.metric("nash_distance") == 13);
  CHECK(std::isnan(none.metric("envies", 0)));
  CHECK(std::isnan(none.metric("surplus_share", 0)));
}

TEST_CASE("Deal or No Deal: judging one deal agrees with judging all splits") {
  const Instance instance{"", 0, {1, 1, 3}, {Amounts{1, 3, 2}, Amounts{4, 0, 2}}};
  const Case prepared = make_case(instance, 10);
  for (const Outcome& outcome : outcomes(instance)) {
    for (const bool swapped : {false, true}) {
      Deal deal{listed(outcome.split.parts[0]), listed(outcome.split.parts[1])};
      if (swapped) std::swap(deal[0], deal[1]);
      const Judgement judged = judge(prepared, swapped, deal);
      CHECK(judged.values[swapped ? 1 : 0] == outcome.scores[0]);
      CHECK(judged.values[swapped ? 0 : 1] == outcome.scores[1]);
      CHECK(judged.envy_free == outcome.envy_free);
      CHECK(judged.pareto_optimal == outcome.pareto_optimal);
      CHECK(judged.left_over == 0);
    }
  }
  // Left over is only the hat, which seat 1 does not want; seat 0 could have had it.
  CHECK_FALSE(judge(prepared, false, {ItemCounts{0, 0, 3}, ItemCounts{1, 0, 0}}).pareto_optimal);
}
