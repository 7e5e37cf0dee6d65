#include "deal-or-no-deal/facts.hpp"

#include <fmt/format.h>

namespace deal_or_no_deal {

Facts facts(const Settings& s) {
  Facts facts;
  facts.total_value = s.total_value;
  facts.speaking = s.messages ? "Write your message to the other side."
                              : "You cannot say anything to the other side.";
  if (s.messages && s.claims == ClaimOrder::none)
    facts.secrecy = "Do not tell the other side what the items are worth to you.";
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
