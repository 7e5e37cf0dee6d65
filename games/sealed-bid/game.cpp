#include "sealed-bid/game.hpp"

#include <agon/agent.hpp>

#include "sealed-bid/facts.hpp"
#include "sealed-bid/importer.hpp"
#include "sealed-bid/metrics.hpp"
#include "sealed-bid/play.hpp"
#include "sealed-bid/strategies/bidders.hpp"
#include "sealed-bid/tables/tables.hpp"
#include "sealed-bid/views.hpp"

namespace sealed_bid {

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Second price, three bidders, fifteen rounds, values of 0 to 99; a bid above the range "
            "is turned down and asked for again",
     .reasks = 3},
    {.name = "paper",
     .doc = "The published loop of plan, bid and lesson; there are three tries in all, after which "
            "the bid is 0",
     .reasks = 2},
    {.name = "published-code",
     .doc = "Like `paper`; as in the published program nothing holds a bid to a range",
     .settings = R"({"highest_bid": 1000000})",
     .reasks = 2},
    {.name = "out-of-the-box",
     .doc = "Like `paper`, without plans and lessons",
     .settings = R"({"plan": false, "reflect": false})",
     .reasks = 2},
    {.name = "one-shot",
     .doc = "Like `paper`, with one round and no word of more, so without plans and lessons",
     .settings = R"({"plan": false, "reflect": false, "rounds": 1})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return auction_values::seating(settings.bidders);
}

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "sealed-bid",
      {
          .title = "Sealed-Bid Auction",
          .seats = {auction_values::kMinBidders, auction_values::kMaxBidders},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Shah, Zhu, Jiang, Wang, Dayi, Horton, Parkes: Learning from Synthetic Labs: "
                    "Language Models as Auction Participants, 2025, arXiv:2507.09083",
          .score = "profit over all rounds: what the item was worth, where the bidder won, less "
                   "what the bidder paid",
          .disagreement = "0: nothing won and nothing paid",
          .ideal = "every round won for nothing",
          // No bid, and so no price, is below 0; losses have no end.
          .score_range = agon::at_most(1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .version = 2,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .reference = "equilibrium-bid",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Truthful>(
      {.id = "truthful",
       .game = "sealed-bid",
       .doc = "Bids what it sees: its value, or its estimate of a common value.",
       .source = "Vickrey 1961: dominant with the second price and values of one's own"}));
  registry.add(agon::agent<Shade>({.id = "shade",
                                   .game = "sealed-bid",
                                   .doc = "Bids a share of what it sees, halves rounded up."}));
  registry.add(agon::agent<EquilibriumBid>(
      {.id = "equilibrium-bid",
       .game = "sealed-bid",
       .doc = "Bids the symmetric equilibrium of risk-neutral bidders, rounded to whole money: all "
              "four payments with independent values, the second price with affiliated and common "
              "ones. Where all pay it is the equilibrium of whole money itself, which mixes bids.",
       .source = "Vickrey 1961; Kagel and Levin 1993 (third price); Milgrom and Weber 1982 "
                 "(common value); Athey 2001 (bids in steps are monotone in value)",
       .check = agon::hook<&EquilibriumBid::why_not>}));
  registry.add(llm_auctions_importer());
  add_tables(registry);
}

}  // namespace sealed_bid
