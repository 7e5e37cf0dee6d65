#include "bargaining/facts.hpp"

#include <fmt/format.h>

namespace bargaining {

Facts facts(const Settings& s) {
  Facts facts;
  facts.max_turns = s.max_turns;
  // As scored: budget - price and price - cost, and 0 without a deal.
  facts.buyer_objective =
      "A deal brings you your budget less the price; no deal brings you 0, and a deal above your "
      "budget a loss.";
  facts.seller_objective =
      "A deal brings you the price less your cost; no deal brings you 0, and a deal below your "
      "cost a loss.";
  if (s.price_ceiling != 0)
    facts.ceiling = fmt::format("No price can be above {} times the list price.", s.price_ceiling);
  return facts;
}

}  // namespace bargaining
