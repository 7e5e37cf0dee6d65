#include "english-auction/rules_text.hpp"

#include <fmt/format.h>

#include "english-auction/items.hpp"

namespace english_auction {

namespace {

/// A paragraph on the seller; empty: none sits at the table.
std::string seller_text(const Settings& settings) {
  if (!settings.seller) return {};
  std::string text = fmt::format(
      "\nThe seller. {} sets the start price of each item before it comes up, between {}% and {}% "
      "of what it is listed at.",
      kSellerName, settings.least_start, settings.most_start);
  if (settings.reserve != Reserve::none)
    text += fmt::format(
        " It may also set a reserve, the least price at which it sells: if the leading bid is "
        "below "
        "it in the end, the item stays unsold. {}",
        settings.reserve == Reserve::open ? "Bidders are told the reserve."
                                          : "Bidders are not told whether there is one.");
  return text + "\n";
}

/// A paragraph on messages; empty: nobody talks.
std::string talk_text(const Settings& settings) {
  if (settings.talk == 0) return {};
  const std::string_view when = settings.talk_time == TalkTime::auction ? "the first item"
                                : settings.talk_time == TalkTime::item ? "the bidding for each item"
                                                                       : "each round of bidding";
  const std::string rounds =
      settings.talk == 1 ? std::string("comes a round of messages: in it")
                         : fmt::format("come {} rounds of messages: in each", settings.talk);
  return fmt::format(
      "\nTalk. Before {} {} every bidder may send one message of at most {} characters to all "
      "other "
      "bidders, all at the same time. Who sends an empty one says nothing.{} Nobody is bound by "
      "what "
      "is said.\n",
      when, rounds, settings.talk_length,
      !settings.seller        ? ""
      : settings.seller_hears ? fmt::format(" {} reads them too.", kSellerName)
                              : fmt::format(" {} does not read them.", kSellerName));
}

}  // namespace

std::string rules_text(const Settings& settings) {
  const bool is_private = settings.value_spread > 0 || !settings.given_values.empty();
  const std::string values =
      is_private
          ? "Values. Each item has a true value for each bidder, not the same for all, which "
            "nobody "
            "knows before it is sold. You may have an estimate of what it is worth to you, which "
            "can "
            "be too high or too low. Whoever wins an item gains its true value to the winner and "
            "pays its own last bid: profit = true value - price, which is a loss if the price is "
            "higher. After a sale the winner alone is told the true value."
          : "Values. Each item has a true value, the same for every bidder, which nobody knows "
            "before "
            "it is sold. You may have an estimate of it, which can be too high or too low. Whoever "
            "wins an item gains its true value and pays its own last bid: profit = true value - "
            "price, which is a loss if the price is higher. After a sale everybody is told the "
            "true "
            "value.";
  std::string aims =
      "Aims. A bidder wants as much profit as possible, or as many items as possible, or as many "
      "as "
      "possible of certain items. ";
  if (settings.warn)
    aims +=
        "It may also be that a bidder bids to harm its rivals, or that it works for the seller and "
        "only means to drive up prices; nobody is told who. ";
  aims += "You are told your own aim only.";
  if (settings.seller)
    aims += fmt::format(" {} wants as much as possible of what bidders pay{}.", kSellerName,
                        settings.seller_cost > 0 ? ", less what the items sold cost it" : "");
  std::string text = fmt::format(
      R"({} bidders buy {} items, one after another, in an open ascending auction.

Money. Each bidder has a budget for the whole auction, which only that bidder knows. Nobody can bid more than it has left. Money that is not spent is worth nothing at the end.

{}

{}
{}{}
Bidding for one item goes in rounds:
- In each round everybody is asked at the same time except the leader and those who have withdrawn. You bid an amount, or you withdraw. A withdrawal is final for this item{}.
- The first bids must be at least the start price. Later ones must exceed the leading bid of the round before by at least {}% of the item's start price. Bids of the same round are not compared with each other: the highest of them leads.
- When several bidders share the highest bid, the leader is drawn from them by chance; the others are asked again in the next round.
- If the first bid for an item is the only one of its round, the item is sold for it at once. Otherwise the item is sold to the leader as soon as a round brings no new bid.
- A bid that breaks a rule is turned down with the reason, and you are asked again. If you keep breaking rules you are withdrawn.
- The bidding for one item ends after {} rounds at the latest.
)",
      bidders_at_seats(settings).size(), items_for_sale(settings).size(), values, aims,
      seller_text(settings), talk_text(settings),
      settings.discount ? ", unless it is offered again" : "", settings.markup,
      settings.most_rounds);
  if (settings.discount)
    text += fmt::format(
        "\nWhen nobody bids for an item it is offered again at half its price, to everybody and up "
        "to {} times; then it stays unsold.\n",
        settings.most_discounts);
  else
    text += "\nAn item for which nobody bids stays unsold and does not come back.\n";
  return text;
}

}  // namespace english_auction
