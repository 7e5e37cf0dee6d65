#pragma once

#include "clock-auction/messages.hpp"
#include "shared/auction-values/equilibrium.hpp"
#include "shared/strategy.hpp"

namespace clock_auction {

/// Stays in while the price is below its value, or a share of it. Rules write nothing beside it.
template <class Params, class Answer = Stay>
void stay_below(const Params& params, const StayView& view, Answer& stay) {
  stay.stay = view.price < auction_values::limit(params, view.value);
}
/// Takes the item at its value, or a share of it.
template <class Params, class Answer = Take>
void take_at(const Params& params, const TakeView& view, Answer& take) {
  take.take = view.price <= auction_values::limit(params, view.value);
}
/// Takes the item at the equilibrium bid of the first-price auction, which a falling clock is in
/// all but looks.
[[nodiscard]] inline bool takes_in_equilibrium(const TakeView& view) {
  auction_values::Contest contest;
  contest.model = view.values;
  contest.own = view.own_range;
  contest.bidders = static_cast<int>(view.opponents.size()) + 1;
  return view.price <= auction_values::whole_equilibrium_bid(contest, view.value);
}
template <class Answer>
void take_in_equilibrium(const shared::NoParams&, const TakeView& view, Answer& take) {
  take.take = takes_in_equilibrium(view);
}

/// Dominant while the price rises, and without gain while it falls.
using Truthful =
    shared::Strategy<&stay_below<shared::NoParams>, &stay_below<shared::NoParams, WrittenStay>,
                     &take_at<shared::NoParams>, &take_at<shared::NoParams, WrittenTake>>;
using Shade = shared::Strategy<
    &stay_below<auction_values::ShadeParams>, &stay_below<auction_values::ShadeParams, WrittenStay>,
    &take_at<auction_values::ShadeParams>, &take_at<auction_values::ShadeParams, WrittenTake>>;
using EquilibriumBid =
    shared::Strategy<&stay_below<shared::NoParams>, &stay_below<shared::NoParams, WrittenStay>,
                     &take_in_equilibrium<Take>, &take_in_equilibrium<WrittenTake>>;
/// Why the equilibrium is not known with these settings; empty if it is.
[[nodiscard]] inline std::string why_not(const Settings& settings) {
  if (settings.clock != Clock::dutch || settings.values == auction_values::ValueModel::independent)
    return {};
  return "a falling clock is a first price in all but looks, whose equilibrium it knows for "
         "independent values alone";
}

}  // namespace clock_auction
