// The golden cases of sealed bids (rules, section 3.8), each played as a match.

#include "sealed_bid_support.hpp"

using namespace sealed_bid_test;
using Profits = std::vector<double>;

TEST_CASE("sealed bids 3.8 case 6: the second price") {
  const auto played = play("second_price", {22, 15, 16}, {11, 5, 8});
  CHECK(winner(played) == "Bidder Andy");
  CHECK(price(played) == 8);
  CHECK(profits(played) == Profits{14, 0, 0});
}

TEST_CASE("sealed bids 3.8 case 7: a tie at the top pays the bid that was tied") {
  std::set<std::string> winners;
  for (std::uint64_t luck = 1; luck <= 20; ++luck) {
    const auto played = play("second_price", {26, 25, 20}, {10, 20, 20}, "", luck);
    winners.insert(winner(played));
    CHECK(price(played) == 20);
    CHECK(played.metric("tied") == 1);
    CHECK(profits(played) ==
          (winner(played) == "Bidder Betty" ? Profits{0, 5, 0} : Profits{0, 0, 0}));
  }
  CHECK(winners == std::set<std::string>{"Bidder Betty", "Bidder Charles"});
  const auto given = play("second_price", {26, 25, 20}, {10, 20, 20},
                          R"("given": [{"values": [26, 25, 20], "tie_winner": "Bidder Charles"}])");
  CHECK(winner(given) == "Bidder Charles");
}

TEST_CASE("sealed bids 3.8 case 8: the first price") {
  const auto played = play("first_price", {93, 56, 5}, {74, 56, 4});
  CHECK(winner(played) == "Bidder Andy");
  CHECK(price(played) == 74);
  CHECK(profits(played) == Profits{19, 0, 0});
}

TEST_CASE("sealed bids 3.8 case 9: the third price") {
  const auto played = play("third_price", {66, 31, 98}, {66, 31, 20});
  CHECK(winner(played) == "Bidder Andy");
  CHECK(price(played) == 20);
  CHECK(profits(played) == Profits{46, 0, 0});
}

TEST_CASE("sealed bids 3.8 case 10: all pay, the losers too") {
  const auto played = play("all_pay", {66, 31, 98}, {33, 6, 1});
  CHECK(winner(played) == "Bidder Andy");
  CHECK(profits(played) == Profits{33, -6, -1});
  CHECK(played.metric("revenue") == 40);
  CHECK(told(played, 1).at("paid") == 6);
  CHECK(told(played, 1).at("price") == 33);
}

TEST_CASE("sealed bids 3.8 case 11: a common value and the winner's curse") {
  const auto played =
      play("second_price", {48, 62, 72}, {48, 58, 72},
           R"("values": "common", "given": [{"values": [48, 62, 72], "common": 53}])");
  CHECK(winner(played) == "Bidder Charles");
  CHECK(price(played) == 58);
  CHECK(profits(played) == Profits{0, 0, -5});
  CHECK(played.metric("losses") == 1);
  CHECK(played.metric("worth_sum") == 53);
  CHECK(std::isnan(played.metric("efficiency")));
  CHECK(told(played, 0).at("common_value") == 53);
  CHECK(told(played, 0).at("value") == 48);
}

TEST_CASE("sealed bids 3.8 case 12: equilibrium bids, and what the winner would have preferred") {
  using auction_values::whole_equilibrium_bid;
  sealed_bid::Settings s;
  const auto bid = [&](sealed_bid::Payment payment, int value) {
    return whole_equilibrium_bid(contest(payment, auction_values::source_of(s), 3), value);
  };
  CHECK(bid(sealed_bid::Payment::first_price, 73) == 49);
  CHECK(bid(sealed_bid::Payment::second_price, 73) == 73);
  CHECK(bid(sealed_bid::Payment::third_price, 73) == 146);
  const auto played = play("first_price", {86, 70, 50}, {86, 56, 21});
  CHECK(profits(played) == Profits{0, 0, 0});
  for (int seat = 0; seat < 3; ++seat) CHECK(told(played, seat).at("better_bid") == 57);
  CHECK(boost::json::serialize(told(played, 2).at("bids")) == "[86,56,21]");
  CHECK(told(play("first_price", {86, 70, 50}, {57, 56, 21}), 0).at("better_bid").is_null());
  CHECK(told(play("second_price", {86, 70, 50}, {86, 56, 21}), 0).at("better_bid").is_null());
}
