// The rule agents of the online auction, and what holds in every match.

#include "catch.hpp"
#include "ebay/strategies.hpp"
#include "ebay_support.hpp"

namespace ebay_strategies_test {
namespace {

using agon::test::answers_of;
using agon::test::check_metric_bounds;
using agon::test::DrawingAgent;
using agon::test::play_agents;
using namespace ebay_test;

using Answers = std::vector<std::string>;
const std::string kHold = R"({"bid":null})";

}  // namespace

TEST_CASE("eBay: truthful bids its value once") {
  const ebay::Truthful truthful({});
  const auto played = play_agents(the_game(), settings(3), {&truthful, &truthful, &truthful}, 1);
  CHECK(answers_of(played, 0) == Answers{R"({"bid":99})", kHold, kHold});
  CHECK(played.metric("price") == 6700);
  CHECK(played.metric("price_gap") == 0);
  CHECK(played.metric("efficient") == 1);
  CHECK(played.metric("final_bid_day") == 1);
  CHECK(played.outcome[0].score == 3200);
}

TEST_CASE("eBay: sniper bids on the last day alone, wherever that comes to be") {
  const ebay::Sniper sniper({});
  const ebay::Truthful truthful({});
  const auto played = play_agents(the_game(), settings(3), {&sniper, &truthful, &truthful}, 1);
  CHECK(answers_of(played, 0) == Answers{kHold, kHold, R"({"bid":99})"});
  CHECK(played.metric("final_bid_on_last_day") == 1);
  CHECK(played.metric("snipers") == 1);
  const auto soft = play_agents(the_game(), settings(3, R"("soft_close": true)"),
                                {&sniper, &truthful, &truthful}, 1);
  CHECK(soft.metric("days") == 4);
  CHECK(answers_of(soft, 0) == Answers{kHold, kHold, R"({"bid":99})", kHold});
}

TEST_CASE("eBay: incremental raises by its step as long as it may have been outbid") {
  const ebay::Incremental steps({});
  const ebay::Incremental tens({agon::major(10)});
  const auto played = play_agents(the_game(), settings(5), {&steps, &tens, &steps}, 1);
  // Andy 1; Betty 10: price 2; Charles 3: 4. Andy 5: 6; Charles 7: 8. Andy 9: 10; Betty is level
  // with the price and says 20; Charles 11: 12. Andy 13: 14; Charles 15: 16. Andy 17.
  CHECK(answers_of(played, 0) ==
        Answers{R"({"bid":1})", R"({"bid":5})", R"({"bid":9})", R"({"bid":13})", R"({"bid":17})"});
  CHECK(answers_of(played, 1) == Answers{R"({"bid":10})", kHold, R"({"bid":20})", kHold, kHold});
  // Never beyond the value.
  const auto poor = play_agents(the_game(), settings(20), {&tens, &tens, &tens}, 1);
  CHECK(poor.metric("maximum", 2) == 3300);
  CHECK(poor.metric("maximum", 1) == 6600);
  CHECK(poor.metric("efficient") == 1);
}

TEST_CASE("eBay: nobody does better than truthful against any of the others") {
  const ebay::Truthful truthful({});
  const ebay::Sniper sniper({});
  const ebay::Incremental incremental({});
  const DrawingAgent random;
  for (const agon::Agent* rival :
       std::vector<const agon::Agent*>{&truthful, &sniper, &incremental, &random}) {
    double honest = 0, other = 0;
    for (std::uint64_t luck = 1; luck <= 60; ++luck) {
      const auto played = play_agents(the_game(), "{}", {&truthful, rival, rival}, luck);
      honest += played.outcome[0].score;
      CHECK(played.outcome[0].score >= 0);
      // Its maximum was the value; a step of the price is all it can have missed.
      CHECK(played.metric("regret", 0) == 0);
      other += play_agents(the_game(), "{}", {&random, rival, rival}, luck).outcome[0].score;
    }
    CHECK(honest > other);
  }
}

TEST_CASE("eBay: money and days add up in random matches under every switch") {
  const DrawingAgent random;
  const ebay::Sniper sniper({});
  int sold = 0, unsold = 0, extended = 0;
  for (const std::string settings :
       {"{}", R"({"preset": "published-code", "soft_close": true, "highest_bid": 120})",
        R"({"soft_close": true, "reserve": 60, "bidders": ["a", "b", "c", "d"]})",
        R"({"days": 1, "reserve": 120, "reserve_test": "price", "start_price": 20})"}) {
    for (std::uint64_t luck = 1; luck <= 15; ++luck) {
      INFO(settings << " " << luck);
      const int n = settings.find("\"d\"") == std::string::npos ? 3 : 4;
      std::vector<const agon::Agent*> agents{&random, &sniper, &random};
      if (n == 4) agents.push_back(&sniper);
      const auto played = play_agents(the_game(), settings, agents, luck);
      check_metric_bounds(played);
      double paid = 0, profit = 0, won = 0, surplus = 0;
      for (int seat = 0; seat < n; ++seat) {
        paid += played.metric("paid", seat);
        won += played.metric("won", seat);
        profit += played.outcome[seat].score;
        if (played.metric("won", seat) == 1) surplus = played.metric("value", seat);
        CHECK(played.metric("bids", seat) + played.metric("holds", seat) == played.metric("days"));
        if (!std::isnan(played.outcome[seat].ideal))
          CHECK(played.outcome[seat].score <= played.outcome[seat].ideal);
      }
      CHECK(paid == played.metric("revenue"));
      CHECK(profit == surplus - paid);
      CHECK(won == played.metric("sold"));
      CHECK(played.metric("days") == static_cast<double>(played.count("day")));
      const auto shown = prices(played);
      CHECK(std::is_sorted(shown.begin(), shown.end()));
      for (const auto& asked : played.asked) CHECK_FALSE(asked.forced);
      ++(won == 1 ? sold : unsold);
      extended += played.metric("extensions") > 0;
    }
  }
  CHECK(sold > 20);
  CHECK(unsold > 5);
  CHECK(extended > 10);
}

TEST_CASE("eBay: values and orders do not depend on who plays") {
  const DrawingAgent random;
  const ebay::Truthful truthful({});
  for (std::uint64_t luck = 1; luck <= 10; ++luck) {
    const auto a = play_agents(the_game(), "{}", {&random, &random, &random}, luck);
    const auto b = play_agents(the_game(), "{}", {&truthful, &random, &truthful}, luck);
    for (int seat = 0; seat < 3; ++seat) CHECK(a.metric("value", seat) == b.metric("value", seat));
    for (std::size_t i = 0; i < 30; ++i) CHECK(a.asked[i].seat == b.asked[i].seat);
  }
}

}  // namespace ebay_strategies_test
