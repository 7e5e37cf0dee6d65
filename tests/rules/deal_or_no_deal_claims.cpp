// Stated values: what is heard, what is measured of it, and who divides by it.

#include "catch.hpp"
#include "deal-or-no-deal/game.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal_or_no_deal_support.hpp"
#include "support/settings.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

const std::string kClaims = R"("claims": "at_once", "beliefs": false)";

std::string states(const std::string& values) {
  return R"({"values": )" + (values == "null" ? values : R"({"each": )" + values + "}") + "}";
}

/// Two sides that divide by what was stated.
Played by_claims(const ByClaims::Params& alice, const ByClaims::Params& bob,
                 const std::string& settings = over_point_0(kClaims)) {
  const ByClaims first(alice);
  const ByClaims second(bob);
  return ScriptedMatch(dond(), settings).agent(0, first).agent(1, second).play();
}

}  // namespace

TEST_CASE("Deal or No Deal: both state their values at once and what is false in it is measured") {
  const auto played =
      ScriptedMatch(dond(), over_point_0(kClaims))
          .seat(0, {states("[1, 3, 2]"), say("", "[0, 1, 1]", true), take("[0, 1, 1]")})
          .seat(1, {states("[1, 3, 2]"), say("", "[1, 0, 2]", true), take("[1, 0, 2]")})
          .play();
  CHECK(played.event("claimed", 0).json == R"({"seat":0,"values":[1,3,2]})");
  CHECK(played.event("claimed", 1).json == R"({"seat":1,"values":[1,3,2]})");
  CHECK(played.metric("claimed", 0) == 1);
  CHECK(played.metric("misstated", 0) == 0);
  CHECK(played.metric("misstatement", 0) == 0);
  // Worth 4, 0 and 2: |1 - 4| + |3 - 0| + 0.
  CHECK(played.metric("misstated", 1) == 1);
  CHECK(played.metric("misstatement", 1) == 6);
  // Nobody sees the other's before both have stated theirs; then both stand in the views.
  CHECK(played.asked[1].stage == "claim");
  CHECK(played.asked[1].view_json.find("\"values\"") == std::string::npos);
  CHECK(played.asked[3].view_json.find(R"("your_claim":[1,3,2],"their_claim":[1,3,2])") !=
        std::string::npos);
}

TEST_CASE("Deal or No Deal: who states nothing misstates nothing") {
  const auto played = ScriptedMatch(dond(), over_point_0(kClaims))
                          .seat(0, {states("null"), say(""), leave})
                          .seat(1, {"decline", say(""), leave})
                          .play();
  for (const int seat : {0, 1}) {
    CHECK(played.metric("claimed", seat) == 0);
    CHECK(std::isnan(played.metric("misstated", seat)));
    CHECK(std::isnan(played.metric("misstatement", seat)));
  }
  // More than everything is worth cannot be stated: one of three balls is worth 3 at most.
  const auto bounded = ScriptedMatch(dond(), over_point_0(kClaims))
                           .seat(0, {states("[0, 0, 4]"), states("[10, 10, 3]"), leave})
                           .play();
  CHECK(bounded.asked[0].rejected == 1);
  CHECK(bounded.metric("misstatement", 0) == 9 + 7 + 1);
}

TEST_CASE(
    "Deal or No Deal: without claims nobody is asked and nobody is told to keep values secret"
    " where they are stated") {
  const auto plain = ScriptedMatch(dond(), over_point_0(R"("beliefs": false)")).play();
  CHECK(plain.count("claimed") == 0);
  CHECK(plain.asked[0].stage == "message");
  const auto facts_of = [](const std::string& more) {
    const auto settings = agon::test::read_settings(dond(), over_point_0(more));
    return facts(*static_cast<const Settings*>(settings.get()));
  };
  CHECK_FALSE(facts_of(R"("claims": "none")").secrecy.empty());
  CHECK(facts_of(R"("claims": "at_once")").secrecy.empty());
  const auto settings = agon::test::read_settings(dond(), over_point_0(kClaims));
  CHECK(rules_text(*static_cast<const Settings*>(settings.get())).find("Nothing checks") !=
        std::string::npos);
}

TEST_CASE("Deal or No Deal: the truth leads both to the Nash bargaining split at once") {
  for (const std::string& settings :
       {over_point_0(kClaims), offers_over_point_0(R"("claims": "at_once")")}) {
    const auto played = by_claims({}, {}, settings);
    CHECK(played.metric("agreement") == 1);
    CHECK(played.metric("rounds") == 1);
    for (const int seat : {0, 1}) {
      CHECK(played.metric("value", seat) == played.metric("nash_value", seat));
      CHECK(played.metric("misstated", seat) == 0);
    }
  }
}

TEST_CASE("Deal or No Deal: no other valuation serves a liar better if it is believed") {
  const Amounts counts{1, 1, 3};
  // By hand: hat and two balls, 7 and 6.
  CHECK(nash_part(counts, {1, 3, 2}, {4, 0, 2}) == Amounts{0, 1, 2});
  const auto all = valuations(counts, 10);
  const auto brings = [&](const Amounts& own, const Amounts& stated, std::size_t side) {
    std::int64_t sum = 0;
    for (const Amounts& other : all) {
      const Amounts first =
          side == 0 ? nash_part(counts, stated, other) : nash_part(counts, other, stated);
      sum += worth(side == 0 ? first : minus(counts, first), own);
    }
    return sum;
  };
  int liars = 0;
  for (const std::size_t side : {0U, 1U})
    for (std::size_t i = 0; i < all.size(); i += 3) {
      const Amounts& own = all[i];
      const Amounts lie = best_lie(counts, own, 10, side, all);
      CHECK(worth(counts, lie) == 10);
      const std::int64_t brought = brings(own, lie, side);
      for (const Amounts& stated : all) CHECK(brought >= brings(own, stated, side));
      liars += lie == own ? 0 : 1;
      // The truth is told where nothing is gained by a lie.
      if (brought == brings(own, own, side)) CHECK(lie == own);
    }
  CHECK(liars > 5);
}

TEST_CASE(
    "Deal or No Deal: among more valuations than can be weighed a lie is no worse than truth") {
  const Amounts counts{5, 5, 5, 5, 5};
  const Amounts own{3, 17, 2, 11, 7};
  const Amounts other{10, 5, 5, 10, 10};
  const Amounts lie = best_lie(counts, own, 200, 0, {other});
  const auto brings = [&](const Amounts& stated) {
    return worth(nash_part(counts, stated, other), own);
  };
  CHECK(worth(counts, lie) == 200);
  CHECK(brings(lie) >= brings(own));
}

TEST_CASE(
    "Deal or No Deal: a lie serves its teller over many instances and costs who believes it") {
  double told = 0, lost = 0;
  for (std::uint64_t luck = 1; luck <= 60; ++luck) {
    const auto value = [&](Stated alice, int seat) {
      const ByClaims first({.states = alice});
      const ByClaims second({});
      return ScriptedMatch(dond(), "{" + kClaims + R"(, "instances": []})")
          .agent(0, first)
          .agent(1, second)
          .luck(luck)
          .play()
          .metric("value", seat);
    };
    told += value(Stated::lie, 0) - value(Stated::truth, 0);
    lost += value(Stated::truth, 1) - value(Stated::lie, 1);
  }
  CHECK(told > 0);
  CHECK(lost > told);
}

TEST_CASE("Deal or No Deal: who states second has heard the first and lies for that") {
  const std::string settings = over_point_0(R"("claims": "in_turn", "beliefs": false)");
  const auto scripted = ScriptedMatch(dond(), settings)
                            .seat(0, {states("[1, 3, 2]"), say(""), leave})
                            .seat(1, {states("null"), say(""), leave})
                            .play();
  CHECK(scripted.asked[0].view_json.find("their_claim") == std::string::npos);
  CHECK(scripted.asked[1].view_json.find(R"("their_claim":[1,3,2])") != std::string::npos);
  double at_once = 0, heard = 0;
  for (std::uint64_t luck = 1; luck <= 60; ++luck) {
    const auto value = [&](const std::string& order) {
      const ByClaims honest({});
      const ByClaims liar({.states = Stated::lie});
      return ScriptedMatch(dond(),
                           R"({"claims": ")" + order + R"(", "beliefs": false, "instances": []})")
          .agent(0, honest)
          .agent(1, liar)
          .luck(luck)
          .play()
          .metric("value", 1);
    };
    at_once += value("at_once");
    heard += value("in_turn");
  }
  CHECK(heard > at_once);
}

TEST_CASE(
    "Deal or No Deal: how far a statement is believed is measured where beliefs are asked for") {
  // Alice holds the false statement three times as likely as the truth; Bob reports nothing.
  const auto played =
      ScriptedMatch(dond(), over_point_0(R"("claims": "at_once", "max_rounds": 1)"))
          .seat(0, {states("[1, 3, 2]"), say(""), leave})
          .seat(1, {states("[1, 3, 2]"), say(""), leave})
          .probes(0, "belief", {R"({"candidates": [{"values": [1, 3, 2], "probability": 3},
                                                   {"values": [4, 0, 2], "probability": 1}]})"})
          .play();
  CHECK(played.metric("belief_in_claim", 0) == 0.75);
  CHECK(std::isnan(played.metric("belief_in_claim", 1)));
}

TEST_CASE("Deal or No Deal: strategies that know of no claims state nothing") {
  const Concede concede({});
  const auto played =
      ScriptedMatch(dond(), over_point_0(kClaims)).agent(0, concede).agent(1, concede).play();
  CHECK(played.metric("claimed", 0) == 0);
  CHECK(played.metric("agreement") == 1);
}
