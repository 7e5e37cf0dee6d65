#include "deal-or-no-deal/facts.hpp"

#include <fmt/format.h>

namespace deal_or_no_deal {

Facts facts(const Settings& s) {
  Facts facts;
  for (const std::string& item : s.items) facts.items += (facts.items.empty() ? "" : ", ") + item;
  if (s.total_value > 0)
    facts.total =
        fmt::format("All items together are worth {} points to you, and {} to the other side.",
                    s.total_value, s.total_value);
  // The score is the worth of the own items, 0 without a deal.
  facts.objective =
      "Your score is what the items that you get are worth to you; without a deal it is 0.";
  facts.max_rounds = s.max_rounds;
  facts.max_turns = s.max_turns;
  facts.deal = s.deal_match == DealMatch::le
                   ? "There is a deal if no item is taken twice; what nobody takes is lost."
                   : "There is a deal only if every item is taken exactly once.";
  if (s.discount < 1)
    facts.discount = fmt::format(
        "From the third decision on, each decision multiplies both scores by {}.", s.discount);
  return facts;
}

}  // namespace deal_or_no_deal
