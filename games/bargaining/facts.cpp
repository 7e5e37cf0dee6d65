#include "bargaining/facts.hpp"

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
  return facts;
}

}  // namespace bargaining
