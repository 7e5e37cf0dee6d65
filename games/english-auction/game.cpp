#include "english-auction/game.hpp"

#include "english-auction/events.hpp"
#include "english-auction/facts.hpp"
#include "english-auction/import.hpp"
#include "english-auction/import_memos.hpp"
#include "english-auction/items.hpp"
#include "english-auction/metrics.hpp"
#include "english-auction/rules_text.hpp"
#include "english-auction/strategies/drive_up.hpp"
#include "english-auction/strategies/ring.hpp"
#include "english-auction/strategies/rule.hpp"
#include "english-auction/strategies/seller.hpp"
#include "english-auction/strategies/value_cap.hpp"
#include "english-auction/tables/tables.hpp"

namespace english_auction {

namespace {

constexpr std::string_view kSection4 = "Chen et al. 2023, section 4";

constexpr agon::RateCard kRates[] = {
    {.name = "CFR of bids",
     .above = "failed_bids",
     .below = "total_bids",
     .what = "answers to the question for a bid that broke a rule of bidding; n: answers",
     .source = kSection4},
    {.name = "CFR of beliefs, self",
     .above = "belief_self_errors",
     .below = "belief_self_total",
     .what = "wrong figures about itself; n: figures checked",
     .source = kSection4},
    {.name = "CFR of beliefs, others",
     .above = "belief_others_errors",
     .below = "belief_others_total",
     .what = "wrong figures about the others; n: figures checked",
     .source = kSection4},
};

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Three bidders, ten items; legal bids are stated, ties are drawn evenly, three re-asks",
     .settings = "{}",
     .reasks = 3},
    {.name = "paper",
     .doc = "AucArena's set-up: bids are checked only once they are made, and bidders that do not "
            "plan see no estimates, and all live by their own account of the auction",
     .settings =
         R"({"guide_bids": false, "show_estimates": false, "opening_hint": true, "own_account": true})",
     .reasks = 3},
    {.name = "published-code",
     .doc = "Like `paper`, with the published code's uneven draw among tied bidders and, in place "
            "of its endless re-asking, twenty re-asks",
     .settings =
         R"({"guide_bids": false, "show_estimates": false, "opening_hint": true, "own_account": true, "ties": "repeated_coin"})",
     .reasks = 20},
    {.name = "twenty-items",
     .doc = "Three bidders with 20,000 dollars each, twenty items; otherwise like `agon`",
     .settings = R"({"arena": "twenty", "everyone": {"budget": 20000}})",
     .reasks = 3},
    {.name = "laboratory",
     .doc =
         "Three bidders and a seller, ten items, private values that are known: up to 40% above "
         "or below what the item is listed as worth; a hidden reserve, and talk before each item",
     .settings =
         R"({"value_spread": 40, "everyone": {"overestimate": 0, "planning": "none", "beliefs": false}, "seller": true, "talk": 1})",
     .reasks = 3},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  std::vector<agon::SeatCard> seats;
  for (const Bidder& bidder : bidders_at_seats(settings))
    seats.push_back({.name = bidder.name, .role = settings.seller ? "bidder" : ""});
  if (settings.seller) seats.push_back({.name = std::string(kSellerName), .role = "seller"});
  return seats;
}

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "english-auction",
      {
          .title = "English Auction",
          .seats = {2, static_cast<int>(agon::kMaxSeats)},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Chen, Yuan, Ye, Majumder, Richardson: Put Your Money Where Your Mouth Is: "
                    "Evaluating Strategic Planning and Execution of LLM Agents in an Auction Arena "
                    "(AucArena), 2023, arXiv:2310.05746",
          .score =
              "profit in dollars for the desire profit; the number of items won for the desire "
              "items; the number of wanted items won for the desire specific_items; for spite, "
              "profit "
              "less `spite` percent of the mean of the other bidders' profits; for a shill and for "
              "a "
              "seller at the table, what buyers (bidders that are no shills) pay less what the "
              "items "
              "cost the seller. Ranks are by profit, whatever the desire; a seller's profit is its "
              "score",
          .disagreement =
              "0: no purchase, no sale. For spite, what it is if the rivals buy all that their "
              "budgets together can at start prices",
          .ideal =
              "the largest surplus (or number of items, or of wanted items) that the budget can "
              "buy at start prices with nobody else bidding; for a shill and a seller, every item "
              "at the highest value that a buyer has for it, as far as all buyers' budgets go",
          // No score_range: losses have no end, and an item at a discount brings more than `one`.
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .score_decimals = 2,
          .version = 6,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .rates = kRates,
          .reference = "value-cap",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(rule_card());
  registry.add(value_cap_card());
  registry.add(shill_card());
  registry.add(spiteful_card());
  registry.add(ring_card());
  registry.add(seller_card());
  registry.add(items_importer());
  registry.add(memos_importer());
  add_tables(registry);
}

}  // namespace english_auction
