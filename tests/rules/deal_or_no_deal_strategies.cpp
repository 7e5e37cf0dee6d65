// Section 3.7 of the game's rules, and what the strategies do with both protocols.

#include <agon/error.hpp>
#include <cmath>

#include "catch.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal_or_no_deal_support.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

std::string first_message(const Played& played) {
  return played.asked.at(0).answer_json;
}

}  // namespace

TEST_CASE("Deal or No Deal 3.7: at point 0 the first proposal is the hat and three balls") {
  const EnvyFreeBayes bayes({});
  const auto offers = ScriptedMatch(dond(), offers_over_point_0()).agent(0, bayes).play();
  CHECK(offers.asked.at(0).answer_json == R"({"action":{"kind":"offer","keep":[0,1,3]}})");
  const auto talks = ScriptedMatch(dond(), over_point_0("")).agent(0, bayes).play();
  CHECK(first_message(talks) == R"({"text":"","proposal":{"take":[0,1,3]},"halt":false})");
}

TEST_CASE("Deal or No Deal 3.7: rejections lower what it proposes, where envy explains them") {
  const EnvyFreeBayes bayes({.gamma = 0});
  const auto played = ScriptedMatch(dond(), offers_over_point_0())
                          .agent(0, bayes)
                          .seat(1, times(5, keep("[1, 1, 3]")))
                          .play();
  // Own scores 9, then less; never a split that it would envy.
  std::vector<std::string> offers;
  for (std::size_t i = 0; i < 10; i += 2) offers.push_back(played.asked.at(i).answer_json);
  CHECK(offers[0] == R"({"action":{"kind":"offer","keep":[0,1,3]}})");
  CHECK(offers[1] != offers[0]);
}

TEST_CASE("Deal or No Deal 3.7: it accepts what nothing better can be hoped for, without envy") {
  const EnvyFreeBayes bayes({});
  // Seat 1 is offered everything.
  const auto gift = ScriptedMatch(dond(), offers_over_point_0())
                        .seat(0, {keep("[0, 0, 0]")})
                        .agent(1, bayes)
                        .play();
  CHECK(gift.metric("turns") == 2);
  CHECK(gift.outcome[1].score == 10);
  // Nothing at all is envied to the end.
  const auto insult = ScriptedMatch(dond(), offers_over_point_0())
                          .seat(0, times(5, keep("[1, 1, 3]")))
                          .agent(1, bayes)
                          .play();
  CHECK(insult.metric("agreement") == 0);
}

TEST_CASE("Deal or No Deal 3.7: at the last chance it takes any offer without envy, if told to") {
  const auto last_offer = [](bool yield) {
    const EnvyFreeBayes bayes({.yield = yield, .report = false});
    // Book and ball for seat 1: 6 of 10, no envy, but less than it may hope for.
    return ScriptedMatch(dond(), offers_over_point_0(R"("max_turns": 4)"))
        .seat(0, times(2, keep("[0, 1, 2]")))
        .agent(1, bayes)
        .play();
  };
  CHECK(last_offer(true).metric("turns") == 4);
  CHECK(last_offer(true).metric("agreement") == 1);
  CHECK(last_offer(false).metric("agreement") == 0);
}

TEST_CASE("Deal or No Deal: accepting in a negotiation is the same proposal and a halt") {
  const EnvyFreeBayes bayes({});
  const auto played = ScriptedMatch(dond(), over_point_0(""))
                          .seat(0, {say("all yours", "[0, 0, 0]"), take("[0, 0, 0]")})
                          .agent(1, bayes)
                          .play();
  CHECK(played.asked.at(1).answer_json == R"({"text":"","proposal":{"take":[1,1,3]},"halt":true})");
  CHECK(played.event("talk-ended").json == R"({"round":1,"why":"settled"})");
  CHECK(played.outcome[1].score == 10);
}

TEST_CASE("Deal or No Deal: what a conceding side gives away") {
  const Amounts counts{1, 1, 3};
  const Amounts values{1, 3, 2};
  CHECK(most_generous(counts, values, 10) == Amounts{1, 1, 3});
  CHECK(most_generous(counts, values, 9) == Amounts{0, 1, 3});
  CHECK(most_generous(counts, values, 5) == Amounts{0, 1, 1});
  // Two items make at least 4 in three ways: what it gives away shall be worth least to it.
  CHECK(most_generous(counts, values, 4) == Amounts{0, 1, 1});
  CHECK(most_generous({1, 1}, {5, 5}, 5) == Amounts{0, 1});
  CHECK(most_generous(counts, values, 0) == Amounts{0, 0, 0});
}

TEST_CASE("Deal or No Deal: a conceding side goes down in equal steps to its reserve") {
  const Concede concede({1, 0.5});
  Position position;
  position.counts = {1, 1, 3};
  position.values = {1, 3, 2};
  position.decisions = 5;
  const std::array<double, 5> expected{10, 8.75, 7.5, 6.25, 5};
  for (int i = 0; i < 5; ++i) {
    position.decision = i;
    CHECK(concede.aspiration(position) == Approx(expected[static_cast<std::size_t>(i)]));
  }
  CHECK_THROWS_AS(Concede({0.4, 0.5}), agon::Error);
  // Shown by its offers against somebody who never agrees.
  const auto played = ScriptedMatch(dond(), offers_over_point_0())
                          .agent(0, concede)
                          .seat(1, times(5, keep("[1, 1, 3]")))
                          .play();
  const std::array<std::string, 5> keeps{"[1,1,3]", "[0,1,3]", "[0,1,3]", "[0,1,2]", "[0,1,1]"};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(played.asked.at(2 * i).answer_json ==
          R"({"action":{"kind":"offer","keep":)" + keeps[i] + "}}");
  }
}

TEST_CASE(
    "Deal or No Deal: conceding sides find a deal in both protocols, whoever has which side") {
  const Concede concede({});
  for (const std::string protocol : {"negotiation", "alternating_offers"}) {
    for (const std::string swap : {"off", "on"}) {
      const auto played = ScriptedMatch(dond(), over_point_0(R"("protocol": ")" + protocol +
                                                             R"(", "swap_sides": ")" + swap + "\""))
                              .agent(0, concede)
                              .agent(1, concede)
                              .play();
      INFO(protocol << ", swap " << swap);
      CHECK(played.metric("agreement") == 1);
      CHECK(played.outcome[0].score >= 5);
      CHECK(played.outcome[1].score >= 5);
      CHECK(played.metric("maximum", 0) == 10);
    }
  }
}

TEST_CASE("Deal or No Deal: strategies answer nothing that is not asked of them") {
  // Beliefs are declined by concede, so its probe is not even sent.
  const Concede concede({});
  const auto played = ScriptedMatch(dond(), over_point_0("")).agent(0, concede).play();
  CHECK(played.metric("belief_reports", 0) == 0);
  CHECK_FALSE(concede.answers_probes());
}
