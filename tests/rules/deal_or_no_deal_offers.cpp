// Section 2.2 of the game's rules: alternating offers, as in OpenSpiel's game bargaining.

#include <cmath>

#include "catch.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal_or_no_deal_support.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

TEST_CASE("Deal or No Deal 2.2: the proposer keeps what it says, the other side gets the rest") {
  const auto played = ScriptedMatch(dond(), offers_over_point_0())
                          .seat(0, {keep("[0, 1, 2]")})
                          .seat(1, {agree})
                          .play();
  CHECK(played.outcome[0].score == 7);
  CHECK(played.outcome[1].score == 6);
  CHECK(played.metric("agreement") == 1);
  CHECK(played.metric("turns") == 2);
  CHECK(played.metric("rounds") == 1);
  CHECK(played.metric("instance") == 0);
  CHECK(played.event("agreed").json ==
        R"({"turn":2,"seat":1,"parts":[[0,1,2],[1,0,1]],"factor":1.0,"text":""})");
}

TEST_CASE("Deal or No Deal 2.2: player 0 moves first, then the sides alternate") {
  const auto played = ScriptedMatch(dond(), offers_over_point_0())
                          .seat(0, {keep("[1, 1, 3]"), keep("[1, 1, 2]")})
                          .seat(1, {keep("[1, 1, 3]"), agree})
                          .play();
  REQUIRE(played.asked.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(played.asked[i].seat == static_cast<int>(i % 2));
  // The second proposal of seat 0 leaves one ball.
  CHECK(played.outcome[0].score == 8);
  CHECK(played.outcome[1].score == 2);
  CHECK(played.metric("proposals", 0) == 2);
  CHECK(played.metric("proposals", 1) == 1);
}

TEST_CASE("Deal or No Deal 2.2: nobody can agree before there is an offer") {
  const auto played = ScriptedMatch(dond(), offers_over_point_0())
                          .seat(0, {agree, keep("[0, 0, 0]")})
                          .seat(1, {agree})
                          .play();
  CHECK(played.asked.at(0).rejected == 1);
  CHECK_FALSE(played.asked.at(0).forced);
  // Keeping nothing is an offer like any other.
  CHECK(played.outcome[0].score == 0);
  CHECK(played.outcome[1].score == 10);
}

TEST_CASE("Deal or No Deal 2.2: an offer keeps no more than there is") {
  for (const std::string wrong :
       {"[2, 0, 0]", "[0, 0, 4]", "[0, -1, 0]", "[1, 1]", "[1, 1, 3, 0]"}) {
    const auto played = ScriptedMatch(dond(), offers_over_point_0())
                            .seat(0, {keep(wrong), keep("[1, 1, 3]")})
                            .seat(1, {agree})
                            .play();
    INFO(wrong);
    CHECK(played.asked.at(0).rejected == 1);
    CHECK(played.outcome[0].score == 10);
  }
}

TEST_CASE("Deal or No Deal 2.2: without a legal answer a side holds on to everything") {
  const auto played = ScriptedMatch(dond(), offers_over_point_0())
                          .seat(0, times(3, keep("[9, 9, 9]")))
                          .reasks(2)
                          .seat(1, {agree})
                          .play();
  CHECK(played.asked.at(0).forced);
  CHECK(played.outcome[0].score == 10);
  CHECK(played.outcome[1].score == 0);
}

TEST_CASE("Deal or No Deal 2.2: offer number max_turns ends the game with nothing for both") {
  const auto all = times(5, keep("[1, 1, 3]"));
  const auto played = ScriptedMatch(dond(), offers_over_point_0()).seat(0, all).seat(1, all).play();
  CHECK(played.asked.size() == 10);
  CHECK(played.count("offer") == 10);
  CHECK(played.event("out-of-turns").json == R"({"turn":10})");
  CHECK(played.outcome[0].score == 0);
  CHECK(played.outcome[1].score == 0);
  CHECK(played.metric("agreement") == 0);
  CHECK(played.metric("out_of_time") == 1);
  CHECK(played.metric("turns") == 10);
  CHECK(std::isnan(played.metric("left_over")));
  const auto one =
      ScriptedMatch(dond(), offers_over_point_0(R"("max_turns": 1)")).seat(0, all).play();
  CHECK(one.asked.size() == 1);
  CHECK(one.metric("agreement") == 0);
}

TEST_CASE("Deal or No Deal 2.2: the discount counts once a decision from the third on") {
  const auto greedy = keep("[1, 1, 3]");
  for (int agreed_at = 2; agreed_at <= 10; ++agreed_at) {
    // Everybody asks for everything until one agrees; then the other side gets all 10.
    ScriptedMatch match(dond(), offers_over_point_0(R"("discount": 0.9)"));
    const int agrees = (agreed_at + 1) % 2;
    const auto offers = [&](int seat) {
      return times(static_cast<std::size_t>((agreed_at - seat) / 2), greedy);
    };
    match.seat(agrees, offers(agrees) + std::vector<std::string>{agree});
    match.seat(1 - agrees, times(5, greedy));
    const auto played = match.play();
    INFO("agreed at decision " << agreed_at);
    CHECK(played.metric("turns") == agreed_at);
    double factor = 1;  // by steps, so that the last bit is that of play
    for (int decision = 3; decision <= agreed_at; ++decision) factor *= 0.9;
    CHECK(played.metric("factor") == factor);
    CHECK(played.outcome[1 - agrees].score == 10 * factor);
    CHECK(played.outcome[agrees].score == 0);
    // Values and yardsticks are not discounted, and neither is the anchor.
    CHECK(played.metric("value", 1 - agrees) == 10);
    CHECK(played.outcome[1 - agrees].ideal == 10);
  }
}

TEST_CASE("Deal or No Deal 2.2: talks can break down once both have moved, not before") {
  CHECK_FALSE(may_break_down(1));
  CHECK(may_break_down(2));
  const auto all = times(5, keep("[1, 1, 3]"));
  const auto certain = ScriptedMatch(dond(), offers_over_point_0(R"("prob_end": 1)"))
                           .seat(0, all)
                           .seat(1, all)
                           .play();
  CHECK(certain.count("offer") == 2);
  CHECK(certain.event("broken-down").json == R"({"turn":2})");
  CHECK(certain.metric("broken_down") == 1);
  CHECK(certain.metric("out_of_time") == 0);
  CHECK(certain.outcome[0].score == 0);
  // The second decision comes before any chance of that.
  const auto in_time = ScriptedMatch(dond(), offers_over_point_0(R"("prob_end": 1)"))
                           .seat(0, all)
                           .seat(1, {agree})
                           .play();
  CHECK(in_time.metric("agreement") == 1);
  // The last offer ends the game by itself.
  const auto last = ScriptedMatch(dond(), offers_over_point_0(R"("prob_end": 1, "max_turns": 2)"))
                        .seat(0, all)
                        .seat(1, all)
                        .play();
  CHECK(last.metric("out_of_time") == 1);
  CHECK(last.metric("broken_down") == 0);
}

TEST_CASE("Deal or No Deal 2.2: prob_end is the probability after each single offer") {
  const auto all = times(5, keep("[1, 1, 3]"));
  int chances = 0;
  int ends = 0;
  for (std::uint64_t luck = 1; luck <= 400; ++luck) {
    const auto played = ScriptedMatch(dond(), offers_over_point_0(R"("prob_end": 0.25)"))
                            .seat(0, all)
                            .seat(1, all)
                            .luck(luck)
                            .play();
    // After offers 2 to 9.
    chances +=
        static_cast<int>(played.metric("turns")) - 1 - (played.metric("out_of_time") > 0 ? 1 : 0);
    ends += static_cast<int>(played.metric("broken_down"));
  }
  const double share = static_cast<double>(ends) / chances;
  CHECK(share > 0.22);
  CHECK(share < 0.28);
}

TEST_CASE("Deal or No Deal 2.2: with messages on, words come with offers and agreements") {
  const auto settings = over_point_0(R"("protocol": "alternating_offers", "beliefs": false)");
  const auto played =
      ScriptedMatch(dond(), settings)
          .seat(0, {R"({"text": "Half?", "action": {"kind": "offer", "keep": [0, 1, 1]}})"})
          .seat(1, {R"({"text": "Fine.", "action": {"kind": "agree"}})"})
          .play();
  CHECK(played.event("offer").json == R"({"turn":1,"seat":0,"keep":[0,1,1],"text":"Half?"})");
  CHECK(played.asked.at(1).view_json ==
        R"({"items":[{"item":"book","count":1,"value":4},{"item":"hat","count":1,"value":0},)"
        R"({"item":"ball","count":3,"value":2}],"total_value":10,)"
        R"("offers":[{"turn":1,"seat":0,"keep":[0,1,1],"text":"Half?"}],)"
        R"("you_would_get":[1,0,2],"turn":2,"offers_left":9,"factor":1.0})");
  CHECK(played.outcome[0].score == 5);
  CHECK(played.outcome[1].score == 8);
}

TEST_CASE("Deal or No Deal: settings that contradict one another are refused with a reason") {
  using Catch::Matchers::Contains;
  Settings settings;
  REQUIRE(settings.instances.empty());
  CHECK(check(settings).empty());
  Generator& g = settings.generator;
  SECTION("2.2: a generator that can make nothing") {
    SECTION("more types than items") {
      g.types = 8;
      CHECK_THAT(check(settings), Contains("max_items is 7, but each of its 8 types"));
    }
    SECTION("too few of each type") {
      g.largest_count = 1;
      CHECK_THAT(check(settings), Contains("min_items is 5, but 3 types of at most 1 items"));
    }
    SECTION("values that cannot reach the total") {
      g.largest_value = 1;
      CHECK_THAT(check(settings), Contains("total_value is 10, but") && Contains("at most 7"));
    }
    SECTION("what only trying shows: four items are worth 40 or not") {
      g = {1, 4, 10, 4, 4, true, true};
      settings.total_value = 10;
      CHECK_THAT(check(settings), Contains("finds nothing"));
      settings.total_value = 40;
      CHECK(check(settings).empty());
    }
    SECTION("3.9: more valuations than a belief can hold") {
      g = {6, 2, 20, 6, 10, true, true};
      settings.total_value = 60;
      CHECK_THAT(check(settings), Contains("set beliefs to false"));
      settings.beliefs = false;
      CHECK(check(settings).empty());
    }
    SECTION("no total to make values for") {
      settings.total_value = 0;
      CHECK_THAT(check(settings), Contains("total_value above 0"));
    }
  }
  SECTION("2.2: discount and breakdown are of alternating offers") {
    settings.discount = 0.9;
    CHECK_THAT(check(settings), Contains("discount is for alternating offers"));
    settings.protocol = Protocol::alternating_offers;
    CHECK(check(settings).empty());
    settings.prob_end = 0.1;
    CHECK(check(settings).empty());
    settings.protocol = Protocol::negotiation;
    settings.discount = 1;
    CHECK_THAT(check(settings), Contains("prob_end is for alternating offers"));
  }
  SECTION("one instance for all blocks, and in turn") {
    settings.instances = {{"q", 0, {1, 1}, {{5, 5}, {5, 5}}, std::nullopt}};
    settings.order = agon::Dealing::in_turn;
    CHECK(check(settings).empty());
    settings.instance = 0;
    CHECK_THAT(check(settings), Contains("leave out instance or order"));
  }
  SECTION("a name that a type without one would have") {
    settings.items = {"item 2"};
    CHECK_THAT(check(settings), Contains("called \"item 2\", as type 2"));
    settings.items = {"item 1", "hat"};
    CHECK(check(settings).empty());
  }
}
