// Proxy bidding, the close and the reserve, by hand-worked cases (rules, sections 3.4 and 3.8).

#include "catch.hpp"
#include "ebay/play.hpp"
#include "ebay_support.hpp"
#include "settings/settings.hpp"
#include "support/settings.hpp"

namespace ebay_rules_test {
namespace {

using namespace ebay_test;
using agon::major;
using agon::Money;
using agon::test::check_all_metrics;
using agon::test::undefined;

ebay::Standing stand(const std::vector<int>& dollars, Money start = {}) {
  std::vector<Money> maxima;
  for (const int d : dollars) maxima.push_back(major(d));
  return ebay::stand(maxima, start, major(1));
}

const std::string kSoft = R"("soft_close": true)";
const std::string kSoftAnyBid = R"("soft_close": true, "close_rule": "any_bid")";

}  // namespace

TEST_CASE("eBay 3.8 golden 13: the price follows the second highest maximum") {
  const auto apart = stand({50, 30, 0});
  CHECK(apart.price == major(31));
  CHECK(apart.leads(0));
  CHECK_FALSE(apart.leads(1));
  const auto tied = stand({50, 50});
  CHECK(tied.price == major(50));
  CHECK((tied.leads(0) && tied.leads(1)));
  CHECK(stand({40, 0, 0}).price == major(0));
  CHECK(stand({0, 0, 0}).leaders == 0);
}

TEST_CASE("eBay 3.8 golden 13, played") {
  const auto apart = play(settings(1), {{50}, {30}, {0}});
  CHECK(winner(apart) == "Bidder Andy");
  CHECK(apart.metric("price") == 3100);
  CHECK(apart.outcome[0].score == 6800);
  const auto tied = play(settings(1, R"("tie_order": [2, 1, 0])"), {{50}, {50}, {0}});
  CHECK(winner(tied) == "Bidder Betty");
  CHECK(tied.metric("price") == 5000);
  CHECK(tied.metric("tied") == 1);
  CHECK(tied.outcome[1].score == 1600);
  const auto alone = play(settings(1), {{0}, {40}, {0}});
  CHECK(winner(alone) == "Bidder Betty");
  CHECK(alone.metric("price") == 0);
  CHECK(alone.outcome[1].score == 6600);
}

TEST_CASE("eBay: the price is capped by the top and starts at the start price") {
  CHECK(stand({31, 30}).price == major(31));
  CHECK(ebay::stand(std::vector<Money>{{3050}, {3000}}, {}, major(1)).price == Money{3050});
  CHECK(stand({40, 0}, major(10)).price == major(10));
  CHECK(stand({40, 20}, major(10)).price == major(21));
  CHECK(stand({10, 30, 20, 30}).price == major(30));
}

TEST_CASE("eBay: the price is shown after every turn, and maxima go up only") {
  const auto played = play(settings(2), {{10, 30}, {20, 0}, {15, 25}});
  CHECK(prices(played) == std::vector<double>{0, 11, 16, 21, 21, 26});
  CHECK(winner(played) == "Bidder Andy");
  // A bid below the own maximum is turned down, and asked for again.
  const auto lower = ScriptedMatch(the_game(), settings(2))
                         .seat(0, turns({50, 40, 60}))
                         .seat(1, turns({30}))
                         .play();
  CHECK(lower.asked[3].rejected == 1);
  CHECK(lower.asked[3].answer_json == R"({"bid":60})");
  // The maximum itself may be bid again: it changes nothing and is no raise.
  const auto again = play(settings(2), {{50, 50}, {30, 0}, {0, 0}});
  CHECK(again.metric("bids", 0) == 2);
  CHECK(again.metric("raises", 0) == 1);
  CHECK(again.metric("final_bid_day") == 1);
}

TEST_CASE("eBay: an answer that never fits is a hold") {
  const auto played = ScriptedMatch(the_game(), settings(1, R"("preset": "paper")"))
                          .seat(0, {R"({"bid": 0})", R"({"bid": -3})", R"({"bid": "x"})"})
                          .seat(1, turns({5}))
                          .seat(2, turns({4}))
                          .play();
  CHECK(played.asked[0].forced);
  CHECK(played.asked[0].rejected == 3);
  CHECK(played.metric("holds", 0) == 1);
  CHECK(winner(played) == "Bidder Betty");
}

TEST_CASE("eBay: without bids there is no sale, or the first seat wins in the published code") {
  const auto ours = play(settings(2), {{0, 0}, {0, 0}, {0, 0}});
  CHECK(winner(ours).empty());
  CHECK(ours.metric("sold") == 0);
  CHECK(ours.metric("no_bids") == 1);
  CHECK(std::isnan(ours.metric("final_bid_day")));
  const auto code = play(settings(2, R"("preset": "published-code")"), {{}, {}, {}});
  CHECK(winner(code) == "Bidder Andy");
  CHECK(code.outcome[0].score == 9900);
  // The reserve holds there too.
  const auto reserve =
      play(settings(2, R"("preset": "published-code", "reserve": 40)"), {{}, {}, {}});
  CHECK(winner(reserve).empty());
}

TEST_CASE("eBay: a tie at the close is drawn, and both can win it") {
  std::map<std::string, int> wins;
  for (std::uint64_t luck = 1; luck <= 40; ++luck)
    ++wins[winner(play(settings(1), {{50}, {20}, {50}}, luck))];
  CHECK(wins.size() == 2);
  CHECK(wins["Bidder Andy"] > 8);
  CHECK(wins["Bidder Charles"] > 8);
  for (std::uint64_t luck = 1; luck <= 10; ++luck)
    CHECK(winner(play(settings(1, R"("tie": "first_seat")"), {{20}, {50}, {50}}, luck)) ==
          "Bidder Betty");
}

TEST_CASE("eBay: the reserve is held against the highest maximum, or against the price") {
  const std::vector<std::vector<double>> bids{{61}, {20}, {0}};
  const auto text = play(settings(1, R"("reserve": 60)"), bids);
  CHECK(winner(text) == "Bidder Andy");
  CHECK(text.metric("revenue") == 2100);
  // It has to be above the reserve.
  const auto at = play(settings(1, R"("reserve": 61)"), bids);
  CHECK(winner(at).empty());
  CHECK(at.metric("reserve_failed") == 1);
  CHECK(at.metric("price") == 2100);
  CHECK(at.metric("revenue") == 0);
  CHECK(at.metric("final_bid_day") == 1);
  const auto code = play(settings(1, R"("reserve": 60, "reserve_test": "price")"), bids);
  CHECK(winner(code).empty());
  const auto met =
      play(settings(1, R"("reserve": 60, "reserve_test": "price")"), {{90}, {59}, {0}});
  CHECK(winner(met) == "Bidder Andy");
  CHECK(met.metric("revenue") == 6000);
}

TEST_CASE("eBay: the reserve is never shown") {
  const auto low = play(settings(2, R"("reserve": 40)"), {{30, 0}, {20, 0}, {0, 0}});
  const auto high = play(settings(2, R"("reserve": 60)"), {{30, 0}, {20, 0}, {0, 0}});
  REQUIRE(low.asked.size() == high.asked.size());
  for (std::size_t i = 0; i < low.asked.size(); ++i)
    CHECK(low.asked[i].view_json == high.asked[i].view_json);
  for (std::size_t i = 0; i < low.said.size(); ++i)
    if (low.said[i].audience != 0) CHECK(low.said[i].json == high.said[i].json);
}

TEST_CASE("eBay: a soft close goes on while the last day has a new leader") {
  // Betty takes the lead on day 2, Andy takes it back on day 3, nobody on day 4.
  const auto played = play(settings(2, kSoft), {{10, 0, 30, 0}, {5, 20, 0, 25}, {0, 0, 0, 0}});
  CHECK(played.metric("days") == 4);
  CHECK(played.metric("extensions") == 2);
  CHECK(played.metric("final_bid_day") == 3);
  CHECK(played.metric("final_bid_to_end") == 1);
  CHECK(winner(played) == "Bidder Andy");
  // A leader who raises, and bids that do not lead, put nothing off.
  CHECK(play(settings(2, kSoft), {{10, 50}, {5, 20}, {0, 30}}).metric("days") == 2);
  // A lead taken and lost on one day counts: somebody was a new leader.
  CHECK(play(settings(2, kSoft), {{0, 0, 0}, {10, 0, 0}, {0, 12, 0}}).metric("days") == 3);
  // Drawing level is leading too.
  CHECK(play(settings(2, kSoft), {{10, 0, 0}, {0, 10, 0}, {0, 0, 0}}).metric("days") == 3);
  // But not where the first of a tie wins and that is somebody else.
  const std::string first = kSoft + R"(, "tie": "first_seat")";
  const auto behind = play(settings(2, first), {{10, 0, 0}, {0, 10, 0}, {0, 0, 0}});
  CHECK(behind.metric("days") == 2);
  CHECK(behind.metric("lead_changes") == 1);
  CHECK(play(settings(2, first), {{0, 10, 0}, {10, 0, 0}, {0, 0, 0}}).metric("days") == 3);
  // Without a soft close the same bids end on time.
  CHECK(play(settings(2), {{10, 0}, {5, 20}, {0, 0}}).metric("days") == 2);
}

TEST_CASE("eBay: the published code puts the end off for any bid by the day before the last") {
  // Bids on days 1 to 3 of 4: looked at after day 3 (a bid), day 4 (none since).
  const auto played =
      play(settings(4, kSoftAnyBid), {{10, 0, 0, 0, 0}, {0, 5, 0, 0, 0}, {0, 0, 0, 0, 9}});
  CHECK(played.metric("days") == 5);
  // A bid that does not lead puts it off as well, day after day.
  const auto more =
      play(settings(3, kSoftAnyBid), {{50, 0, 0, 0, 0}, {5, 6, 7, 8, 0}, {0, 0, 0, 0, 0}});
  // After day 2 the end is day 4, after 3 day 5, after 4 day 6; nothing on day 5.
  CHECK(more.metric("days") == 6);
  // A bid on the last day alone does not.
  CHECK(play(settings(3, kSoftAnyBid), {{0, 0, 50}, {0, 0, 60}, {0, 0, 0}}).metric("days") == 3);
}

TEST_CASE("eBay: no close is put off beyond day 20") {
  std::vector<double> andy, betty;
  for (int day = 1; day <= 20; ++day) {
    andy.push_back(2 * day - 1);
    betty.push_back(2 * day);
  }
  const auto played = play(settings(10, kSoft), {andy, betty, {}});
  CHECK(played.metric("days") == 20);
  CHECK(played.metric("extensions") == 10);
  CHECK(play(settings(10, kSoftAnyBid), {andy, betty, {}}).metric("days") == 20);
  CHECK(play(settings(10, kSoft + R"(, "max_days": 12)"), {andy, betty, {}}).metric("days") == 12);
}

TEST_CASE("eBay: the order is told each morning but not on the last day") {
  const auto played = play(settings(3, kSoft), {{0, 0, 5, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  REQUIRE(played.count("day") == 4);
  for (std::size_t n = 0; n < 4; ++n) {
    const auto day = json(played.event("day", n).json);
    CHECK(day.at("order").as_array().size() == (n < 2 ? 3 : 0));
    CHECK(json(played.asked[3 * n].view_json).at("order").as_array().size() == (n < 2 ? 3 : 0));
  }
}

TEST_CASE("eBay: what is measured of late bidding") {
  const auto played = play(settings(3), {{20, 0, 0}, {0, 30, 40}, {0, 0, 35}});
  CHECK(played.metric("final_bid_day") == 3);
  CHECK(played.metric("final_bid_on_last_day") == 1);
  CHECK(played.metric("raises") == 4);
  CHECK(played.metric("last_day_raises") == 2);
  CHECK(played.metric("last_day_share") == 0.5);
  CHECK(played.metric("snipers") == 1);
  CHECK(played.metric("sniped", 2) == 1);
  CHECK(played.metric("sniped", 1) == 0);
  CHECK(played.metric("first_bid_day", 1) == 2);
  CHECK(played.metric("last_raise_day", 1) == 3);
  CHECK(played.metric("lead_changes") == 2);
  CHECK(played.metric("price") == 3600);
  // Andy is worth 99 and did not buy: at 41 he could have.
  CHECK(played.metric("efficient") == 0);
  CHECK(played.metric("surplus_share") == Approx(66.0 / 99));
  CHECK(played.metric("regret", 0) == 5800);
  CHECK(played.metric("regret", 1) == 0);
  CHECK(played.metric("bid_gap", 0) == -7900);
  CHECK(played.metric("overbid", 2) == 1);
  CHECK(played.metric("truthful_price") == 6700);
  CHECK(played.metric("price_gap") == -3100);
}

TEST_CASE("eBay: truthful bids are held to the highest bid that is allowed") {
  // Worth 99 and 66, but nobody may bid above 50: to tie there is all that Betty could do.
  const auto played = play(settings(1, R"("highest_bid": 50)"), {{50}, {0}, {0}});
  CHECK(played.metric("price") == 0);
  CHECK(played.metric("truthful_price") == 5000);
  CHECK(played.metric("price_gap") == -5000);
  CHECK(played.metric("regret", 1) == 0);
}

TEST_CASE("eBay: settings that make no sense together are refused with the reason") {
  const auto why = [](auto change) {
    ebay::Settings s;
    change(s);
    return ebay::check(s);
  };
  CHECK(why([](auto&) {}).empty());
  CHECK(why([](auto& s) { s.value_list = {major(1)}; }) ==
        "value_list has 1 entries for 3 bidders");
  CHECK(why([](auto& s) { s.orders = {{0, 1, 2}, {0, 1, 1}}; }) == "orders[1] names seat 1 twice");
  CHECK(why([](auto& s) { s.orders = {{0, 1}}; }) == "orders[0] has 2 entries for 3 bidders");
  CHECK(why([](auto& s) {
          s.tie_order = {0, 1, 3};
        }) == "tie_order names seat 3, but seats go from 0 to 2");
  CHECK(why([](auto& s) { s.values = {9, 3}; }).find("turn the two round") != std::string::npos);
  CHECK(why([](auto& s) { s.soft_close = true, s.max_days = 5; }) ==
        "max_days is 5, below days, 10");
  CHECK(why([](auto& s) {
          s.bidders = {"A", "A"};
        }) == "bidders[0] and bidders[1] are both called A");
}

TEST_CASE("eBay: all metrics of one auction") {
  // Andy bids on day 1, Betty on days 2 and 3, Andy his 20 again and Charles too much on day 3.
  const auto played = play(settings(3, R"("start_price": 10, "reserve": 30)"),
                           {{20, 0, 20}, {0, 30, 40}, {0, 0, 35}});
  check_all_metrics(played, 0,
                    {{"value", 9900},
                     {"bids", 2},
                     {"raises", 1},
                     {"holds", 1},
                     {"maximum", 2000},
                     {"first_bid_day", 1},
                     {"last_raise_day", 1},
                     {"bid_gap", -7900},
                     {"regret", 9900 - 4100}});
  check_all_metrics(played, 1,
                    {{"value", 6600},
                     {"won", 1},
                     {"paid", 3600},
                     {"bids", 2},
                     {"raises", 2},
                     {"holds", 1},
                     {"maximum", 4000},
                     {"first_bid_day", 2},
                     {"last_raise_day", 3},
                     {"last_day_raises", 1},
                     {"bid_gap", -2600}});
  check_all_metrics(played, 2,
                    {{"value", 3300},
                     {"bids", 1},
                     {"raises", 1},
                     {"holds", 2},
                     {"maximum", 3500},
                     {"first_bid_day", 3},
                     {"last_raise_day", 3},
                     {"last_day_raises", 1},
                     {"sniped", 1},
                     {"bid_gap", 200},
                     {"overbid", 1}});
  check_all_metrics(played, -1,
                    {{"sold", 1},
                     {"price", 3600},
                     {"revenue", 3600},
                     {"days", 3},
                     {"final_bid_day", 3},
                     {"final_bid_on_last_day", 1},
                     {"bids", 5},
                     {"raises", 4},
                     {"last_day_raises", 2},
                     {"last_day_share", 0.5},
                     {"snipers", 1},
                     {"lead_changes", 2},
                     {"efficient", 0},
                     {"surplus_share", 66.0 / 99},
                     {"truthful_price", 6700},
                     {"price_gap", 3600 - 6700}});
  const double best[] = {8900, 5600, 2300};
  for (int seat = 0; seat < 3; ++seat) {
    CHECK(played.outcome[seat].disagreement == 0);
    CHECK(played.outcome[seat].ideal == best[seat]);
  }
  CHECK(played.outcome[1].score == 3000);
}

TEST_CASE("eBay: all metrics of an auction in which nobody bids") {
  const auto played = play(settings(2, R"("start_price": 10)"), {{0, 0}, {0, 0}, {0, 0}});
  check_all_metrics(played, 0,
                    {{"value", 9900},
                     {"holds", 2},
                     {"first_bid_day", undefined},
                     {"last_raise_day", undefined},
                     {"bid_gap", undefined},
                     {"regret", 8900}});
  check_all_metrics(played, -1,
                    {{"price", 1000},
                     {"no_bids", 1},
                     {"days", 2},
                     {"final_bid_day", undefined},
                     {"final_bid_to_end", undefined},
                     {"final_bid_on_last_day", undefined},
                     {"last_day_share", undefined},
                     {"efficient", undefined},
                     {"truthful_price", 6700},
                     {"price_gap", 1000 - 6700}});
}

TEST_CASE("eBay: to bid one's value is no overbid, a cent more is") {
  const auto overbid = [](double bid) {
    return play(settings(1), {{bid}, {0}, {0}}).metric("overbid", 0);
  };
  CHECK(overbid(98.99) == 0);
  CHECK(overbid(99) == 0);
  CHECK(overbid(99.01) == 1);
}

TEST_CASE("eBay: values below the start price make no truthful price") {
  // Worth 99, 66 and 33.
  const auto truthful = [](const std::string& start) {
    return play(settings(1, R"("start_price": )" + start), {{0}, {0}, {0}})
        .metric("truthful_price");
  };
  CHECK(truthful("65.99") == 6700);
  CHECK(truthful("66") == 6700);
  CHECK(truthful("66.01") == 6601);
  CHECK(truthful("99.01") == 9901);
}

TEST_CASE("eBay: what a bidder can gain at best begins at the start price, or at the reserve") {
  const auto best = [](const std::string& more) {
    const auto played = play(settings(1, more), {{0}, {0}, {0}});
    std::vector<double> one;
    for (int seat = 0; seat < 3; ++seat) one.push_back(played.outcome[seat].ideal);
    return one;
  };
  CHECK(best(R"("start_price": 10, "reserve": 20)") == std::vector<double>{8900, 5600, 2300});
  CHECK(best(R"("start_price": 10, "reserve": 20, "reserve_test": "price")") ==
        std::vector<double>{7900, 4600, 1300});
  CHECK(best(R"("start_price": 20, "reserve": 10, "reserve_test": "price")") ==
        std::vector<double>{7900, 4600, 1300});
  const auto none = best(R"("start_price": 66)");
  CHECK(none[0] == 3300);
  CHECK(std::isnan(none[1]));  // nothing is to be gained at one's value
  CHECK(std::isnan(none[2]));
}

}  // namespace ebay_rules_test

TEST_CASE("eBay: the rules tell what comes of an auction without bids") {
  const auto rules = [](const std::string& settings) {
    return agon::test::read_settings(ebay_test::the_game(), settings, "t").rules();
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(rules("{}"), Contains("no reserve price. If nobody bids, it is not sold."));
  CHECK_THAT(rules(R"({"reserve": 50})"), Contains("If nobody bids, it is not sold either."));
  const std::string first = R"({"no_bids": "first_seat")";
  CHECK_THAT(rules(first + "}"), Contains("the one first in the list of bidders gets it at the"));
  CHECK_THAT(rules(first + R"(, "reserve": 50})"), Contains("If nobody bids, it is not sold."));
  CHECK_THAT(rules(first + R"(, "reserve": 50, "reserve_test": "price"})"),
             Contains("If nobody bids and the starting price meets the reserve"));
}
