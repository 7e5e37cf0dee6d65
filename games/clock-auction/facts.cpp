#include "clock-auction/facts.hpp"

#include <fmt/format.h>

namespace clock_auction {

Facts facts(const Settings& settings) {
  Facts facts;
  facts.bidders = settings.bidders;
  facts.rounds = settings.rounds;
  facts.step = settings.step;
  facts.ceiling = ceiling(settings);
  facts.currency = auction_values::currency_name(settings.currency);
  facts.values = auction_values::values_text(source(settings), settings.rounds, facts.currency);
  // Rounds that know nothing of each other are so many single ones.
  facts.objective =
      auction_values::goal_text(settings.values, settings.history ? settings.rounds : 1);
  if (!settings.history) facts.apart = "round";
  return facts;
}

std::string rules_text(const Settings& settings) {
  const Facts f = facts(settings);
  const bool falls = settings.clock == Clock::dutch;
  std::string text = fmt::format(
      "{} bidders compete for one item{}, in an auction in which the price moves by itself.\n\n"
      "Values. {} What you pay is taken off your value; who does not get the item gains and pays "
      "nothing.\n\n",
      f.bidders, f.rounds == 1 ? "" : fmt::format(" in each of {} rounds", f.rounds), f.values);
  if (falls)
    text += fmt::format(
        "The clock. The price starts at {0} {1} and falls by {2} from call to call, down to {3}. "
        "At each call everybody is asked at the same time whether to take the item at that price. "
        "The first to take it gets it and pays that price; if several take it at the same call, "
        "one of them is drawn evenly. If nobody has taken it at the last call, it stays unsold.",
        f.ceiling, f.currency, f.step, settings.start);
  else
    text += fmt::format(
        "The clock. The price starts at {0} {1} and rises by {2} from call to call. At each call "
        "everybody who is still in is asked at the same time whether to stay in at that price or "
        "to leave. Who has left does not come back in that round. As soon as one bidder alone is "
        "still in, that bidder gets the item and pays the price at which the last rival left. If "
        "all who were in leave at the same call, one of them is drawn evenly, gets the item and "
        "pays that price. At {3} {1} the clock stops: of those who would still stay, one is drawn "
        "evenly and pays {3}.\n\n",
        settings.start, f.currency, f.step, f.ceiling);
  if (settings.clock == Clock::ascending)
    text +=
        settings.opponents == Named::all
            ? "After each call all are told how many have left at it, but not who."
            : "After each call all are told how many have left at it, and at the next one which "
              "rivals are still in.";
  if (settings.clock == Clock::ascending_blind)
    text += settings.opponents == Named::all
                ? "Nobody is told during a round whether others have left."
                : "How many leave at a call is not told, but at each call every bidder is told "
                  "which rivals are still in.";
  if (settings.history && settings.rounds > 1)
    text += "\n\nAfter a round you are told what the item was sold for and what you gained.";
  text += "\n\nAims. " + f.objective;
  return text;
}

}  // namespace clock_auction
