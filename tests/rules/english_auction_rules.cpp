// The pure rules of the English auction: amounts, rounds, yardsticks and settings.

#include <agon/random.hpp>
#include <cmath>

#include "english-auction/play.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/settings.hpp"
#include "english_auction_support.hpp"

using namespace english_auction_test;
using namespace english_auction;
using agon::major;
using agon::Money;

TEST_CASE("English auction: estimates and raises are whole dollars (sections 1.1 and 1.2)") {
  CHECK(estimate(major(2000), 10) == major(2200));
  CHECK(estimate(major(10000), 10) == major(11000));
  CHECK(estimate(major(1999), 10) == major(2198));
  CHECK(estimate(major(2000), -100) == Money{0});
  CHECK(increment(major(1000), 10) == major(100));
  CHECK(increment(major(5000), 10) == major(500));
  CHECK(increment(major(125), 10) == major(12));
  CHECK(halved(major(125)) == major(62));
  CHECK(increment(Money{5}, 10) == Money{1});
  // From one dollar on cents are cut off, below it they stay.
  CHECK(estimate(Money{199}, 0) == Money{100});
  CHECK(estimate(Money{100}, 0) == Money{100});
  CHECK(estimate(Money{99}, 0) == Money{99});
  CHECK(halved(Money{399}) == Money{100});
  CHECK(halved(Money{200}) == Money{100});
  CHECK(halved(Money{199}) == Money{99});
  CHECK(halved(Money{1}) == Money{1});
}

TEST_CASE("English auction: a bid counts from the minimum to the budget, to the cent") {
  const BidMoment start{major(1000), std::nullopt, major(100)};
  const BidMoment led{major(1000), major(1200), major(100)};
  const auto counts = [](const BidMoment& moment, std::int64_t bid) {
    return bid_problem(moment, Money{200000}, Money{bid}).empty();
  };
  CHECK_FALSE(counts(start, 99999));
  CHECK(counts(start, 100000));
  CHECK_FALSE(counts(led, 129999));
  CHECK(counts(led, 130000));
  CHECK(counts(led, 200000));
  CHECK_FALSE(counts(led, 200001));
}

TEST_CASE("English auction: the ready-made items (section 1.1)") {
  const std::vector<Item> pool = item_pool();
  REQUIRE(pool.size() == 26);
  int dear = 0;
  for (const Item& item : pool) {
    CHECK(item.value == 2 * item.price);
    dear += item.price == major(5000) ? 1 : 0;
  }
  CHECK(dear == 4);
  CHECK(pool[4].name == "Equipment E");
  CHECK(pool[4].price == major(5000));
  Settings settings;
  CHECK(items_for_sale(settings).size() == 10);
  settings.arena = Arena::twenty;
  CHECK(items_for_sale(settings).back().name == "Piece T");
}

TEST_CASE("English auction: bids of one round are not compared with each other (section 1.2)") {
  War war({}, 3, major(1000));
  CHECK(war.asked().size() == 3);
  war.bid(0, major(1500));
  war.bid(1, major(1000));
  war.bid(2, major(1500));
  CHECK(war.tied() == War::SeatList{0, 2});
  CHECK(war.close(2) == War::Verdict::goes_on);
  CHECK(war.leader() == 2);
  // The tied loser does not lead, so it is asked again.
  CHECK(war.asked() == War::SeatList{0, 1});
  CHECK(war.moment().minimum() == major(1600));
  war.withdraw(0);
  war.withdraw(1);
  CHECK(war.close(-1) == War::Verdict::sold);
}

TEST_CASE("English auction: the hammer falls when a round brings no new bid") {
  War war({}, 3, major(1000));
  war.bid(0, major(1000));
  war.bid(1, major(1100));
  war.withdraw(2);
  CHECK(war.close(1) == War::Verdict::goes_on);
  war.bid(0, major(1200));
  CHECK(war.close(0) == War::Verdict::goes_on);
  war.withdraw(1);
  CHECK(war.close(-1) == War::Verdict::sold);
  CHECK(war.asked().empty());
}

TEST_CASE("English auction: the best that a budget can buy is exact") {
  for (std::uint32_t trial = 0; trial < 200; ++trial) {
    agon::Dice dice(7, 1, trial);
    std::vector<Purchase> purchases;
    const std::uint64_t n = 1 + dice.below(10);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::int64_t cost = dice.between(0, 60);
      const std::int64_t gain = dice.between(-5, 60);
      purchases.push_back({cost, gain});
    }
    const std::int64_t budget = dice.between(0, 200);
    std::int64_t best = 0;
    for (std::uint64_t set = 0; set < std::uint64_t{1} << n; ++set) {
      std::int64_t cost = 0;
      std::int64_t gain = 0;
      for (std::size_t i = 0; i < n; ++i)
        if ((set >> i & 1U) != 0) cost += purchases[i].cost, gain += purchases[i].gain;
      if (cost <= budget) best = std::max(best, gain);
    }
    CHECK(best_gain(purchases, budget) == best);
  }
}

TEST_CASE("English auction: what one bidder alone can reach (anchors of the score)") {
  const std::vector<Item> items = item_pool();
  Bidder bidder;
  CHECK(best_alone(bidder, items) == 1000000);  // 10,000 dollars double
  bidder.desire = Desire::items;
  CHECK(best_alone(bidder, items) == 10);
  bidder.desire = Desire::specific_items;
  bidder.wanted = {"Equipment E", "Mechanism J", "Widget A"};
  CHECK(best_alone(bidder, items) == 2);
}

TEST_CASE("English auction: Spearman's correlation shares ranks among ties (section 1.8)") {
  const std::vector<int> rising{1, 2, 3, 4};
  CHECK(*rank_correlation(rising, std::vector<int>{10, 20, 30, 40}) == 1);
  CHECK(*rank_correlation(rising, std::vector<int>{4, 3, 2, 1}) == -1);
  CHECK_FALSE(rank_correlation(rising, std::vector<int>{5, 5, 5, 5}));
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5.
  CHECK(*rank_correlation(std::vector<int>{1, 2, 2, 3}, rising) ==
        Approx(4.5 / std::sqrt(4.5 * 5.0)).epsilon(1e-14));
}

TEST_CASE("English auction: settings that make no sense together are refused") {
  Settings settings;
  CHECK(check(settings).empty());
  SECTION("two items of one name") {
    settings.items = {{"A", major(1), major(2)}, {"A", major(1), major(2)}};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("two items"));
  }
  SECTION("one bidder") {
    settings.bidders.resize(1);
    CHECK_THAT(check(settings), Catch::Matchers::Contains("two bidders"));
  }
  SECTION("two bidders of one name") {
    settings.bidders.resize(2);
    settings.bidders[0].name = "Bidder 2";
    CHECK_THAT(check(settings), Catch::Matchers::Contains("Bidder 2"));
  }
  SECTION("an order that names what is not for sale") {
    settings.order = {"Widget A", "Tool K"};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("Tool K"));
    settings.order = {"*", "Widget A", "*", "Widget A"};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("\"Widget A\" twice"));
    settings.order.assign(10, "*");
    CHECK(check(settings).empty());
    settings.order.assign(11, "*");
    CHECK_THAT(check(settings), Catch::Matchers::Contains("11 places, but 10 items"));
  }
  SECTION("a wish for what is not for sale") {
    settings.everyone.desire = Desire::specific_items;
    CHECK_THAT(check(settings), Catch::Matchers::Contains("names none"));
    settings.everyone.wanted = {"Tool K"};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("Tool K"));
  }
  SECTION("a tie won by nobody") {
    settings.tie_winners = {{"Widget A", 1, "Bidder 9"}};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("Bidder 9"));
  }
  SECTION("a tie with two winners, or in a round that never comes") {
    settings.tie_winners = {{"Widget A", 1, "Bidder 1"}, {"Widget A", 1, "Bidder 2"}};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("two winners for round 1 of Widget A"));
    settings.tie_winners[1].round = 2;
    CHECK(check(settings).empty());
    settings.most_rounds = 1;
    CHECK_THAT(check(settings), Catch::Matchers::Contains("at most 1 (most_rounds)"));
    settings.tie_winners.pop_back();
    CHECK(check(settings).empty());
  }
  SECTION("an item that is called as the order calls any item") {
    settings.items = {{"A", major(1), major(2)}, {"*", major(1), major(2)}};
    CHECK_THAT(check(settings), Catch::Matchers::Contains("any item"));
  }
  SECTION("one name for all seats") {
    settings.everyone.name = "Al";
    CHECK_THAT(check(settings), Catch::Matchers::Contains("name them in `bidders`"));
  }
}
