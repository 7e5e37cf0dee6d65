#include "clock-auction/strategies.hpp"

#include "shared/auction-values/equilibrium.hpp"

namespace clock_auction {

bool takes_in_equilibrium(const TakeView& view) {
  auction_values::Contest contest;
  contest.model = view.values;
  contest.own = view.own_range;
  contest.bidders = static_cast<int>(view.opponents.size()) + 1;
  return view.price <= auction_values::whole_equilibrium_bid(contest, view.value);
}

std::string why_not(const Settings& settings) {
  if (settings.clock != Clock::dutch || settings.values == auction_values::ValueModel::independent)
    return {};
  return "a falling clock is a first price in all but looks, whose equilibrium it knows for "
         "independent values alone";
}

}  // namespace clock_auction
