#include "ebay/game.hpp"

#include <agon/agent.hpp>

#include "ebay/facts.hpp"
#include "ebay/importer.hpp"
#include "ebay/metrics.hpp"
#include "ebay/play.hpp"
#include "ebay/strategies/bidders.hpp"
#include "ebay/tables/tables.hpp"
#include "shared/names.hpp"

namespace ebay {

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Ten days, no soft close, no reserve; of bidders that tie one is drawn, and nothing is "
            "sold if nobody bids. Bids up to 200 dollars."},
    {.name = "paper",
     .doc = "The paper's first treatment; soft_close true is the second, a reserve of 40, 50 or 60 "
            "the third, both the fourth. Bids up to 1000 dollars; an answer that cannot be read is "
            "asked for three times in all, then it is a hold.",
     .settings = R"({"highest_bid": 1000})",
     .reasks = 2},
    {.name = "published-code",
     .doc = "As the published program runs: any bid puts a soft close off, the reserve is held "
            "against the price shown, and the first bidder of the list wins ties and auctions "
            "without bids.",
     .settings = R"({"highest_bid": 1000, "close_rule": "any_bid", "reserve_test": "price",
                     "tie": "first_seat", "no_bids": "first_seat"})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.bidders);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>(
      "ebay",
      {
          .title = "Online auction with proxy bidding",
          .seats = {2, kMaxBidders},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source =
              "Shah, Zhu, Jiang, Wang, Dayi, Horton, Parkes: Learning from Synthetic Labs: "
              "Language Models as Auction Participants, arXiv:2507.09083, the eBay experiments",
          .score = "profit in dollars: value less price for the buyer, else 0",
          .disagreement = "0: not buying",
          .ideal = "value less the start price (less the reserve, where the price has to "
                   "reach it): nobody else bids",
          // No sale is below the start price (or a reserve that prices are held to); losses have no
          // end, since a value may be hardly above it.
          .score_range = agon::at_most(1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .score_decimals = 2,
          .version = 3,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .reference = "sniper",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Truthful>(
      {.id = "truthful",
       .game = "ebay",
       .doc = "Tells its proxy its value at its first turn and holds from then on: weakly "
              "dominant but for the last step of the price."}));
  registry.add(agon::agent<Sniper>(
      {.id = "sniper",
       .game = "ebay",
       .doc = "Holds until what is to be the last day and then tells its proxy its value."}));
  registry.add(agon::agent<Incremental>(
      {.id = "incremental",
       .game = "ebay",
       .doc = "Goes a little above the price whenever it may have been outbid, up to its value: "
              "bids as if there were no proxy."}));
  registry.add(llm_auctions_importer());
  add_tables(registry);
}

}  // namespace ebay
