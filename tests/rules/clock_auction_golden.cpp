// The golden cases of the clock (rules, section 3.8), each played as a match.

#include <boost/json.hpp>

#include "catch.hpp"
#include "clock_auction_support.hpp"

using namespace clock_auction_test;

TEST_CASE("clock 3.8 case 1: the last rival's exit is the price") {
  const auto played = play_truthful({23, 30, 35});
  CHECK(winner(played) == "Bidder Charles");
  CHECK(price(played) == 30);
  CHECK(exits(played) == "[23,30,null]");
  CHECK(profits(played) == std::vector<double>{0, 0, 5});
}

TEST_CASE("clock 3.8 case 2: two exits, the middle one wins") {
  const auto played = play_truthful({6, 16, 12});
  CHECK(winner(played) == "Bidder Betty");
  CHECK(price(played) == 12);
  CHECK(exits(played) == "[6,null,12]");
  CHECK(profits(played) == std::vector<double>{0, 4, 0});
}

TEST_CASE("clock 3.8 case 3: who leaves one step early hands over the item") {
  // Andy, worth 30, leaves at 29.
  const auto played =
      match({30, 28, 30}).seat(0, stays(29)).seat(1, stays(28)).seat(2, stays(40)).play();
  CHECK(winner(played) == "Bidder Charles");
  CHECK(price(played) == 29);
  CHECK(profits(played) == std::vector<double>{0, 0, 1});
  CHECK(played.metric("near_exits") == 2);
  CHECK(played.metric("exact_exits", 0) == 0);
  CHECK(played.metric("early_exits", 0) == 1);
}

TEST_CASE("clock 3.8 case 4: the last two leave at once, one of them is drawn") {
  std::set<std::string> winners;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    const auto played = play_truthful({20, 20, 15}, luck);
    winners.insert(winner(played));
    CHECK(price(played) == 20);
    CHECK(exits(played) == "[20,20,15]");
    CHECK(profits(played) == std::vector<double>{0, 0, 0});
    CHECK(played.metric("tied") == 1);
    CHECK(played.metric("efficient") == 1);
  }
  CHECK(winners == std::set<std::string>{"Bidder Andy", "Bidder Betty"});
}

TEST_CASE("clock 3.8 case 5: all leave at the first call, one of them has it for nothing") {
  std::set<std::string> winners;
  for (std::uint64_t luck = 1; luck <= 30; ++luck) {
    const auto played =
        match({7, 9, 11}).seat(0, stays(0)).seat(1, stays(0)).seat(2, stays(0)).luck(luck).play();
    winners.insert(winner(played));
    CHECK(price(played) == 0);
    CHECK(json(played.event("sold").json).at("tied").as_int64() == 3);
    const std::vector<double> values{7, 9, 11};
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(profits(played)[i] ==
            (played.metric("wins", static_cast<int>(i)) == 1 ? values[i] : 0));
  }
  CHECK(winners.size() == 3);
}
