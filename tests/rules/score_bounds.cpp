// What games declare of their normalised scores, under play that tries to leave it.

#include <cmath>

#include "agents.hpp"
#include "catch.hpp"
#include "clock-auction/game.hpp"
#include "deal-or-no-deal/game.hpp"
#include "ebay/game.hpp"
#include "guess-average/game.hpp"
#include "sealed-bid/game.hpp"
#include "support/scripted_match.hpp"
#include "survival-auction/game.hpp"
#include "water-allocation/game.hpp"

namespace score_bounds_test {
namespace {

struct Hard {
  agon::Game game;
  std::vector<const char*> settings;
};

std::vector<Hard> hard_games() {
  return {
      {sealed_bid::game(),
       {R"({"payment": "all_pay", "bidders": 5, "rounds": 3})",
        R"({"payment": "third_price", "highest_bid": 1000000, "rounds": 2})",
        R"({"payment": "first_price", "own_range": [0, 0], "highest_bid": 5, "rounds": 2})",
        R"({"values": "common", "common_range": [0, 1], "own_range": [-100, 100], "rounds": 2})",
        R"({"values": "affiliated", "common_range": [5, 5], "own_range": [-5, 0], "rounds": 2})"}},
      {clock_auction::game(),
       {R"({"clock": "dutch", "values": "independent", "rounds": 3})",
        R"({"values": "independent", "start": 40, "rounds": 3})",
        R"({"values": "independent", "start": 0, "ceiling": 1000, "step": 100, "rounds": 2})",
        R"({"clock": "ascending_blind", "rounds": 3})"}},
      {ebay::game(),
       {R"({"start_price": 0})", R"({"reserve": 50, "reserve_test": "price"})",
        R"({"reserve": 50, "reserve_test": "highest_bid", "no_bids": "first_seat"})",
        R"({"no_bids": "first_seat", "start_price": 30, "values": [0, 40]})",
        R"({"tie": "first_seat", "values": [0, 1], "start_price": 0, "highest_bid": 1000})"}},
      {guess_average::game(),
       {R"({"rounds": 2})", R"({"percent": 200, "start_hp": 1, "rounds": 50})",
        R"({"lowest": 0, "highest": 1, "rounds": 5})"}},
      {survival_auction::game(), {R"({"days": 2})", R"({"start_hp": 1})", "{}"}},
      {water_allocation::game(),
       {"{}", R"({"days": 20, "first_day": 20})", R"({"days": 3, "supply": [0, 0]})",
        R"({"days": 30, "supply": [100, 100]})"}},
      {deal_or_no_deal::game(),
       {R"({"instances": []})", R"({"preset": "openspiel", "instances": []})",
        R"({"preset": "openspiel", "instances": [], "discount": 0})",
        R"({"preset": "openspiel", "instances": [], "discount": 0.5})"}},
  };
}

}  // namespace

TEST_CASE("normalised scores stay within what the game declares, however it is played") {
  const agon::agents::Random random({});
  const agon::agents::Default silent({});
  for (const Hard& hard : hard_games()) {
    const agon::Range range = hard.game.card.score_range;
    INFO(hard.game.id);
    REQUIRE(range.max == 1);
    bool reached = false;
    for (const char* settings : hard.settings) {
      INFO(settings);
      for (std::uint64_t luck = 1; luck <= 40; ++luck) {
        agon::test::ScriptedMatch match(hard.game, settings);
        // Everybody at random, or all but seat 0, or seat 0 alone.
        const int most = luck % 4 == 0 ? 1 : 16;
        for (int seat = luck % 4 == 1 ? 1 : 0; seat < most; ++seat) match.agent(seat, random);
        // Games are held to their ranges as they end: a score outside fails here.
        const agon::test::Played played = match.luck(luck).play();
        for (int seat = 0; seat < played.outcome.seats(); ++seat) {
          const agon::SeatOutcome& at = played.outcome[seat];
          const double pie = at.ideal - at.disagreement;
          if (std::isnan(pie)) continue;
          CHECK(at.score - at.disagreement <= range.max * pie + 1e-9);
          if (std::isfinite(range.min)) CHECK(at.score - at.disagreement >= range.min * pie - 1e-9);
          reached = reached || (pie > 0 && at.score > at.disagreement);
        }
      }
    }
    CHECK(reached);
  }
}

}  // namespace score_bounds_test
