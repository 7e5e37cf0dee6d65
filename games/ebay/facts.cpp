#include "ebay/facts.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>

namespace ebay {

namespace {

std::string worth(const Settings& s) {
  if (!s.value_list.empty())
    return "What the item is worth differs from bidder to bidder, and each knows only its own "
           "value.";
  return fmt::format(
      "What the item is worth to a bidder is a whole number of dollars from {} to {}, every number "
      "equally likely and drawn for each bidder by itself. Each knows only its own value.",
      agon::with_thousands(s.values[0]), agon::with_thousands(s.values[1]));
}

std::string closing(const Settings& s) {
  if (!s.soft_close) return fmt::format("The auction ends after day {}.", s.days);
  if (s.close_rule == CloseRule::new_leader)
    return fmt::format(
        "The auction is to end after day {}. If on the last day a bid makes somebody the leader "
        "who was not, there is one day more, and so on until a last day passes without that; day "
        "{} is the last in any case.",
        s.days, s.max_days);
  return fmt::format(
      "The auction is to end after day {}. When the day before the last is over and anybody has "
      "bid in the auction, or since the end was last put off, there is one day more, and so on; "
      "day "
      "{} is the last in any case. A bid on the last day puts off nothing.",
      s.days, s.max_days);
}

std::string reserve(const Settings& s) {
  if (!s.reserve) return "There is no reserve price.";
  return s.reserve_test == ReserveTest::highest_bid
             ? "The seller has set a secret reserve: if no maximum is above it, the item is not "
               "sold."
             : "The seller has set a secret reserve: if the final price is below it, the item is "
               "not sold.";
}

/// What comes of an auction in which nobody bids.
std::string_view unsold(const Settings& s) {
  if (s.no_bids == NoBids::no_sale)
    return s.reserve ? " If nobody bids, it is not sold either."
                     : " If nobody bids, it is not sold.";
  if (s.reserve && s.reserve_test == ReserveTest::highest_bid)
    return " If nobody bids, it is not sold.";
  return s.reserve
             ? " If nobody bids and the starting price meets the reserve, the one first in the "
               "list of bidders gets it at that price."
             : " If nobody bids, the one first in the list of bidders gets it at the starting "
               "price.";
}

}  // namespace

Facts facts(const Settings& s) {
  Facts f;
  f.days = s.days;
  f.bidders = static_cast<int>(s.bidders.size());
  f.worth = worth(s);
  f.closing = closing(s);
  f.reserve = reserve(s);
  f.objective =
      "Your profit is the value of the item to you less the price if you win it, and nothing if "
      "you do not. The aim is the highest profit.";
  return f;
}

std::string rules_text(const Settings& s) {
  std::string text = fmt::format(
      "A used telephone with 256 GB of memory is sold in an online auction that runs over {} days. "
      "There are {} bidders. {}\n\n"
      "1. Each day every bidder has one turn, in an order that is drawn anew every day and told in "
      "the morning; on what is to be the last day it is not told.\n"
      "2. At your turn you either bid or hold. A bid is the most you are willing to pay, up to {}: "
      "a proxy bids for you, no higher than it must. You may raise your maximum later, never lower "
      "it, and nobody else is shown it.\n"
      "3. The price is {} above the second highest maximum, but never above the highest. As long "
      "as fewer than two have bid it is {}. After each turn everybody is shown the price, and "
      "nobody is shown who leads.\n"
      "4. {}\n"
      "5. Then the bidder with the highest maximum wins and pays the price. ",
      s.days, s.bidders.size(), worth(s), agon::money_text(s.highest_bid), agon::money_text(s.step),
      agon::money_text(s.start_price), closing(s));
  text += s.tie == TieRule::random ? "If several have it, one of them is drawn."
                                   : "If several have it, the one first in the list of bidders "
                                     "wins.";
  text += "\n6. " + reserve(s);
  text += unsold(s);
  text += "\n\n" + facts(s).objective;
  return text;
}

}  // namespace ebay
