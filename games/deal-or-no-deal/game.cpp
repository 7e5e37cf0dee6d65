#include "deal-or-no-deal/game.hpp"

#include <fmt/format.h>

#include "deal-or-no-deal/answers.hpp"
#include "deal-or-no-deal/facts.hpp"
#include "deal-or-no-deal/importer.hpp"
#include "deal-or-no-deal/match.hpp"
#include "deal-or-no-deal/metrics.hpp"
#include "deal-or-no-deal/strategies/by_claims.hpp"
#include "deal-or-no-deal/strategies/concede.hpp"
#include "deal-or-no-deal/strategies/envy_free_bayes.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "deal-or-no-deal/views.hpp"
#include "deal-or-no-deal/workflows/envy_free_workflow.hpp"

namespace deal_or_no_deal {
namespace {

std::string negotiation_rules(const Settings& s) {
  std::string text = fmt::format(
      "You talk for at most {} round{}. In each round Alice sends one message and then Bob sends "
      "one. ",
      s.max_rounds, s.max_rounds == 1 ? "" : "s");
  text += s.messages ? "A message is free text and may carry a concrete proposal: what its writer "
                       "would take, the rest being for the other side. "
                     : "A message holds no text, but may carry a concrete proposal: what its "
                       "writer would take, the rest being for the other side. ";
  text +=
      "Proposals bind nobody. Either side may ask to stop talking. Talks stop after a round "
      "in which both sides have asked for it, after one in which one side has asked for it and at "
      "whose end the latest proposals of both sides are the same split, and after the last round.\n"
      "Then each side presents in private what it takes. ";
  text +=
      s.deal_match == DealMatch::le
          ? "If no item is taken twice, there is a deal, each side gets what it took, and items "
            "that nobody took are lost. "
          : "If every item is taken exactly once, there is a deal and each side gets what it "
            "took. ";
  text += "Otherwise, and if a side leaves without a deal, nobody gets anything.\n";
  return text;
}

std::string offer_rules(const Settings& s) {
  std::string text = fmt::format(
      "Alice makes an offer: what she would keep, the rest being for Bob. From then on the "
      "sides decide in turn: agree to the other side's last offer, which ends the game "
      "with that split, or make an offer of your own instead. Offers are binding. Offer number {} "
      "ends the game without a deal, so nobody can agree to it. ",
      s.max_turns);
  if (s.messages) text += "With each decision you may write a message to the other side. ";
  if (s.discount < 1) {
    text += fmt::format(
        "Time costs: from the third decision on, every decision, agreeing included, multiplies the "
        "scores of both sides by {}. ",
        s.discount);
  }
  if (s.prob_end > 0) {
    text += fmt::format(
        "Once both sides have moved, talks break down after an offer with probability {}. ",
        s.prob_end);
  }
  text += "Without a deal nobody gets anything.\n";
  return text;
}

std::vector<agon::SeatCard> seating(const Settings&) {
  return {{.name = "Alice"}, {.name = "Bob"}};
}

constexpr std::string_view kSection55 = "Hua et al. 2024, section 5.5";

constexpr agon::RateCard kRates[] = {
    {.name = "valuation precision",
     .above = "belief_precision",
     .what = "last reports that hold the other's true values; n: seats that reported",
     .source = kSection55},
    {.name = "valuation recall",
     .above = "belief_recall",
     .what = "1 / size of a last report that holds them, else 0; n: seats that reported",
     .source = kSection55},
    {.name = "valuation reduction",
     .above = "belief_reduction",
     .what = "share of the possible values that the last report rules out; n: seats that reported",
     .source = kSection55},
    {.name = "valuation precision, alike",
     .above = "belief_precision_alike",
     .what = "precision up to values with the same best splits; n: seats that reported",
     .source = kSection55},
    {.name = "valuation recall, alike",
     .above = "belief_recall_alike",
     .what = "recall up to values with the same best splits; n: seats that reported",
     .source = kSection55},
};

}  // namespace

std::string rules_text(const Settings& s) {
  std::string text =
      "Alice and Bob divide a small number of items of several types. Items cannot be cut. What an "
      "item is worth differs between the sides, and neither knows what it is worth to the other. ";
  if (s.total_value > 0) {
    text += fmt::format("All items together are worth {} points to either side. ", s.total_value);
  }
  text +=
      "Your score is what the items that you get are worth to you. Make it as high as you can.\n";
  if (s.claims != ClaimOrder::none) {
    text +=
        "Before anything else each side states what one item of each type is worth to it, or "
        "states "
        "nothing. ";
    text += s.claims == ClaimOrder::at_once
                ? "Both do so at the same time, and then both are told what was stated. "
                : "Alice does so first; Bob is told what she stated before he does. ";
    text += "Nothing checks whether it is true.\n";
  }
  text += s.protocol == Protocol::negotiation ? negotiation_rules(s) : offer_rules(s);
  return text + "Amounts are lists with one number for each item type, in the order of your items.";
}

agon::Game game() {
  return agon::game<&play, &prepare>(
      "deal-or-no-deal",
      {
          .title = "Deal or No Deal",
          .seats = {2, 2},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Lewis, Yarats, Dauphin, Parikh, Batra: Deal or No Deal? End-to-End Learning "
                    "for Negotiation "
                    "Dialogues, EMNLP 2017; Lanctot et al.: OpenSpiel, 2019 (game \"bargaining\"); "
                    "Hua et al.: "
                    "Game-theoretic LLM: Agent Workflow for Negotiation Games, 2024",
          .score =
              "points: what the seat's items are worth to it, times the discount; 0 without a deal",
          .disagreement = "0: no deal",
          .ideal = "what all items together are worth to the seat: its best with the other at 0 or "
                   "above",
          // Worths are 0 or more, nobody gets more than all items, and a discount only takes away.
          .score_range = agon::range(0, 1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = presets(),
          .cluster = "instance",
          .version = 2,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .rates = kRates,
          .reference = "concede",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(EnvyFreeBayes::card());
  registry.add(Concede::card());
  registry.add(ByClaims::card());
  registry.add(envy_free_workflow_card());
  registry.add(meta_strategy_card());
  registry.add(importer());
  registry.add(dialogue_importer());
  add_tables(registry);
}

}  // namespace deal_or_no_deal
