#include "sealed-bid/facts.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>

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
  facts.bidders = settings.bidders;
  facts.rounds = settings.rounds;
  facts.highest_bid = highest_bid(settings);
  facts.currency = auction_values::currency_name(settings.currency);
  facts.values = auction_values::values_text(source(settings), settings.rounds, facts.currency);
  facts.seen = settings.values == auction_values::ValueModel::common ? "estimate" : "value";
  facts.objective = auction_values::goal_text(settings.values, settings.rounds,
                                              settings.payment == Payment::all_pay);
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

}  // namespace sealed_bid
