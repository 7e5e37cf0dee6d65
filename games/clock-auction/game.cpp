#include "clock-auction/game.hpp"

#include <agon/agent.hpp>

#include "clock-auction/answers.hpp"
#include "clock-auction/facts.hpp"
#include "clock-auction/metrics.hpp"
#include "clock-auction/play.hpp"
#include "clock-auction/strategies/bidders.hpp"
#include "clock-auction/tables/tables.hpp"

namespace clock_auction {

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Three bidders, ten rounds, values in two parts of 0 to 20; a blind clock is blind, "
            "earlier rounds are shown, plans and lessons are asked for",
     .reasks = 3},
    {.name = "paper",
     .doc =
         "The published clock: rounds that know nothing of each other, without plans before them "
         "or lessons after them; a plan and a reflection are written with every action",
     .settings = R"({"plan": false, "reflect": false, "history": false, "written": true})",
     .reasks = 3},
    {.name = "published-code",
     .doc = "Like `paper`, with the flaw of the published program that a blind clock names the "
            "rivals who are still in, and so gives their exits away",
     .settings =
         R"({"plan": false, "reflect": false, "history": false, "written": true, "opponents": "remaining"})",
     .reasks = 3},
    {.name = "dutch",
     .doc = "Our own falling clock, over independent values of 0 to 99",
     .settings = R"({"clock": "dutch", "values": "independent"})",
     .reasks = 3},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return auction_values::seating(settings.bidders);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>(
      "clock-auction",
      {
          .title = "Clock Auction",
          .seats = {auction_values::kMinBidders, auction_values::kMaxBidders},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Shah, Zhu, Jiang, Wang, Dayi, Horton, Parkes: Learning from Synthetic Labs: "
                    "Language Models as Auction Participants, 2025, arXiv:2507.09083, after Li: "
                    "Obviously Strategy-Proof Mechanisms, 2017; the falling clock is our own",
          .score =
              "profit over all rounds, in whole units of the currency: value less price where the "
              "bidder won",
          .disagreement = "0: nothing won",
          .ideal =
              "every round whose value is above the lowest price that the clock shows, won at it",
          // No price is below the lowest that the clock shows; losses have no end.
          .score_range = agon::at_most(1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .version = 3,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .rates = auction_values::kWrittenRates,
          .reference = "equilibrium-bid",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Truthful>(
      {.id = "truthful",
       .game = "clock-auction",
       .doc = "Stays in while the price is below its value; with a falling clock takes the item "
              "at its value.",
       .source = "Li 2017: dominant with a rising clock, and seen to be so without thought"}));
  registry.add(agon::agent<Shade>({.id = "shade",
                                   .game = "clock-auction",
                                   .doc = "Plays as if its value were a share of what it is."}));
  registry.add(agon::agent<EquilibriumBid>(
      {.id = "equilibrium-bid",
       .game = "clock-auction",
       .doc = "With a rising clock its value; with a falling one the equilibrium bid of the "
              "first-price auction, which is known for independent values only.",
       .source = "Vickrey 1961",
       .check = agon::hook<&why_not>}));
  add_tables(registry);
}

}  // namespace clock_auction
