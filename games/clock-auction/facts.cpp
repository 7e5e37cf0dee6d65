#include "clock-auction/facts.hpp"

#include <fmt/format.h>

namespace clock_auction {

namespace {

/// Rounds that know nothing of each other are so many single auctions.
int told_rounds(const Settings& s) {
  return s.history || s.plan || s.reflect ? s.rounds : 1;
}

}  // namespace

Facts facts(const Settings& settings) {
  Facts facts;
  facts.bidders = settings.bidders;
  facts.rounds = told_rounds(settings);
  facts.step = settings.step;
  facts.ceiling = ceiling(settings);
  facts.currency = auction_values::currency_name(settings.currency);
  facts.values = auction_values::values_text(source(settings), facts.rounds, facts.currency);
  facts.objective = auction_values::goal_text(settings.values, facts.rounds);
  const bool falls = settings.clock == Clock::dutch;
  facts.act = falls ? "take the item" : "leave";
  facts.otherwise = falls ? "taken the item earlier, or waited for longer"
                          : "left earlier, or stayed in for longer";
  if (!settings.history) facts.apart = "round";
  return facts;
}

std::string rules_text(const Settings& settings) {
  const Facts f = facts(settings);
  const bool falls = settings.clock == Clock::dutch;
  const auto amount = [&](int n) { return auction_values::amount_text(n, settings.currency); };
  std::string text = fmt::format(
      "{} bidders compete for one item{}, in an auction in which the price moves by itself.\n\n"
      "Values. {}\n\n",
      f.bidders, f.rounds == 1 ? "" : fmt::format(" in each of {} rounds", f.rounds), f.values);
  if (falls)
    text += fmt::format(
        "The clock. The price starts at {} and falls by {} from call to call, the last time by "
        "what is left, down to {}. At each "
        "call everybody is asked at the same time whether to take the item at that price. The "
        "first to take it gets it and pays that price; if several take it at the same call, one of "
        "them is drawn evenly. If nobody has taken it at the last call, it stays unsold.",
        amount(f.ceiling), amount(f.step), amount(settings.start));
  else
    text += fmt::format(
        "The clock. The price starts at {0} and rises by {1} from call to call. At each call "
        "everybody who is still in is asked at the same time whether to stay in at that price or "
        "to leave. Who has left does not come back{2}. As soon as one bidder alone is still in, "
        "that bidder gets the item and pays the price at which the last rival left. If all who "
        "were in leave at the same call, one of them is drawn evenly, gets the item and pays that "
        "price. At {3} the clock stops: of those who would still stay, one is drawn evenly, gets "
        "the item and pays that.\n\n",
        amount(settings.start), amount(f.step), f.rounds == 1 ? "" : " in that round",
        amount(f.ceiling));
  if (settings.clock == Clock::ascending)
    text +=
        settings.opponents == Named::all
            ? "After each call all are told how many have left at it, but not who."
            : "After each call all are told how many have left at it, and at the next one which "
              "rivals are still in.";
  if (settings.clock == Clock::ascending_blind)
    text += settings.opponents == Named::all
                ? fmt::format("Nobody is told{} whether others have left.",
                              f.rounds == 1 ? "" : " during a round")
                : "How many leave at a call is not told, but at each call every bidder is told "
                  "which rivals are still in.";
  if (settings.history && settings.rounds > 1)
    text += "\n\nAfter a round you are told what the item was sold for and what you gained.";
  text += "\n\nAims. " + f.objective;
  return text;
}

}  // namespace clock_auction
