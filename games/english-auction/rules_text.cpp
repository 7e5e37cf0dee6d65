#include "english-auction/rules_text.hpp"

#include <fmt/format.h>

#include "english-auction/items.hpp"

namespace english_auction {

std::string rules_text(const Settings& settings) {
  std::string text = fmt::format(
      R"({} bidders buy {} items, one after another, in an open ascending auction.

Money. Each bidder has a budget for the whole auction, which only that bidder knows. Nobody can bid more than it has left. Money that is not spent is worth nothing at the end.

Values. Each item has a true value, the same for every bidder, which nobody knows before it is sold. You may have an estimate of it, which can be too high or too low. Whoever wins an item gains its true value and pays its own last bid: profit = true value - price, which is a loss if the price is higher. After a sale everybody is told the true value.

Aims. A bidder wants as much profit as possible, or as many items as possible, or as many as possible of certain items. You are told your own aim only.

Bidding for one item goes in rounds:
- In each round everybody is asked at the same time except the leader and those who have withdrawn. You bid an amount, or you withdraw. A withdrawal is final for this item{}.
- The first bids must be at least the start price. Later ones must exceed the leading bid of the round before by at least {}% of the item's start price. Bids of the same round are not compared with each other: the highest of them leads.
- When several bidders share the highest bid, the leader is drawn from them by chance; the others are asked again in the next round.
- If the first bid for an item is the only one of its round, the item is sold for it at once. Otherwise the item is sold to the leader as soon as a round brings no new bid.
- A bid that breaks a rule is turned down with the reason, and you are asked again. If you keep breaking rules you are withdrawn.
- The bidding for one item ends after {} rounds at the latest.
)",
      bidders_at_seats(settings).size(), items_for_sale(settings).size(),
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
