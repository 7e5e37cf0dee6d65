#include "sealed-bid/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/telling.hpp>
#include <algorithm>

#include "sealed-bid/messages.hpp"
#include "sealed-bid/play.hpp"
#include "sealed-bid/settings.hpp"
#include "sealed-bid/strategies.hpp"
#include "sealed-bid/tables/tables.hpp"

namespace sealed_bid {

namespace {

std::string_view payment_text(Payment payment) {
  switch (payment) {
    case Payment::first_price:
      return "The highest bid gets the item, and its bidder pays that bid. The others pay nothing.";
    case Payment::second_price:
      return "The highest bid gets the item, and its bidder pays the second highest bid. The "
             "others pay nothing.";
    case Payment::third_price:
      return "The highest bid gets the item, and its bidder pays the third highest bid. The others "
             "pay nothing.";
    case Payment::all_pay:
      return "The highest bid gets the item. Everybody pays their own bid, also those who do not "
             "get the item.";
  }
  return {};
}

std::string_view intervention_text(Intervention intervention) {
  switch (intervention) {
    case Intervention::none:
      return {};
    case Intervention::menu:
      return "Another way to see it. The highest of the other bids is your price to win. You do "
             "not know it and cannot change it. If your bid is above it, you get the item and pay "
             "the price to win; if your bid is below it, you get and pay nothing. So your bid only "
             "says which prices to win you accept.";
    case Intervention::proxy:
      return "Another way to see it. After the bids are in, a price rises from 0 in steps of 1, "
             "and each bidder is taken out by itself when the price reaches that bidder's bid. The "
             "last one left gets the item at the price at which the clock stopped. So your bid is "
             "the price at which you leave a rising clock.";
    case Intervention::nash:
      return "Advice. Before you settle on a bid, go through both directions. Suppose you bid a "
             "little more: in which cases does that change whether you win, and what do you gain "
             "or lose in them? Suppose you bid a little less: the same. Settle on a bid from which "
             "neither pays.";
    case Intervention::direct:
      return "Advice. In this auction it is a dominant strategy to bid exactly what the item is "
             "worth to you: whatever the others bid, no other bid brings you more.";
    case Intervention::wrong:
      return "Advice. In this auction it is best to bid half of what the item is worth to you.";
    case Intervention::risk:
      return "Who you are. You are indifferent to risk: a certain gain and a gamble with the same "
             "average gain are worth the same to you.";
  }
  return {};
}

}  // namespace

Facts facts(const Settings& settings) {
  Facts facts;
  const auction_values::Source drawn = auction_values::source_of(settings);
  facts.bidders = settings.bidders;
  facts.rounds = settings.rounds;
  facts.highest_bid = highest_bid(settings);
  facts.currency = auction_values::currency_name(settings.currency);
  facts.values = auction_values::values_text(drawn, settings.rounds, facts.currency);
  facts.seen = settings.values == auction_values::ValueModel::common ? "estimate" : "value";
  facts.objective = auction_values::goal_text(settings.values, settings.rounds,
                                              settings.payment == Payment::all_pay);
  facts.rivals = settings.bidders - 1;
  facts.sign = auction_values::currency_sign(settings.currency);
  facts.payment = settings.payment;
  facts.value_model = settings.values;
  facts.common_low = drawn.common[0];
  facts.common_high = drawn.common[1];
  facts.own_low = drawn.own[0];
  facts.own_high = drawn.own[1];
  facts.highest_value = auction_values::seen_range(drawn)[1];
  facts.intervention = settings.intervention;
  facts.plans = settings.plan;
  return facts;
}

std::string rules_text(const Settings& settings) {
  const Facts f = facts(settings);
  // A range that is there only so that there is an end is none to be told.
  const std::string range = f.highest_bid > reasonable_bid(settings)
                                ? "0 or more"
                                : "from 0 to " + agon::with_thousands(f.highest_bid);
  std::string text = fmt::format(
      "{} bidders compete for one item{}, with sealed bids.\n\nValues. {}\n\n"
      "Bids. Everybody makes one bid, at the same time as the others and in secret, in whole {}: "
      "{}. {} If several bid the most, one of them is drawn evenly.",
      f.bidders, f.rounds == 1 ? "" : fmt::format(" in each of {} rounds", f.rounds), f.values,
      f.currency, range, payment_text(settings.payment));
  if (f.rounds > 1)
    text += fmt::format(
        "\n\nAfter a round you are told {}your profit, all bids in order of size "
        "without names, what the winner paid and what the winner gained.",
        settings.values == auction_values::ValueModel::common ? "what the item was worth, " : "");
  text += "\n\nAims. " + f.objective;
  if (settings.intervention != Intervention::none)
    text += fmt::format("\n\n{}", intervention_text(settings.intervention));
  return text;
}

auction_values::Contest contest(Payment payment, const auction_values::Source& source,
                                int bidders) {
  using agon::theory::SealedBid;
  auction_values::Contest contest{SealedBid::first_price, source.model, source.common, source.own,
                                  bidders};
  if (payment == Payment::second_price) contest.format = SealedBid::second_price;
  if (payment == Payment::third_price) contest.format = SealedBid::third_price;
  if (payment == Payment::all_pay) contest.format = SealedBid::all_pay;
  return contest;
}

int highest_bid(const Settings& settings) {
  return settings.highest_bid.value_or(reasonable_bid(settings));
}

int reasonable_bid(const Settings& settings) {
  const int value = std::max(0, auction_values::seen_range(auction_values::source_of(settings))[1]);
  if (settings.payment != Payment::third_price) return value;
  // (n - 1) / (n - 2) times the value, rounded up.
  const int fewer = settings.bidders - 2;
  return value + (value + fewer - 1) / fewer;
}

std::string check(const Settings& settings) {
  if (settings.payment == Payment::third_price && settings.bidders < 3)
    return fmt::format(
        "payment is third_price, but {} bidders make no third bid: set bidders to 3 or more",
        settings.bidders);
  const bool is_about_second_price =
      settings.intervention == Intervention::menu || settings.intervention == Intervention::proxy ||
      settings.intervention == Intervention::direct || settings.intervention == Intervention::wrong;
  if (is_about_second_price && settings.payment != Payment::second_price)
    return "intervention describes the second price: set payment to second_price, or intervention "
           "to none, nash or risk";
  return auction_values::check(auction_values::source_of(settings), settings.bidders,
                               settings.rounds);
}

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
  add_tables(registry);
}

}  // namespace sealed_bid
