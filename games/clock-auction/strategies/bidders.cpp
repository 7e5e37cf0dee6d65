#include "clock-auction/strategies/bidders.hpp"

#include "auction-values/equilibrium.hpp"

namespace clock_auction {

namespace {

/// Leaves or takes at the limit that `limit_for_rise` or `limit_for_fall` makes of the view.
template <class Rise, class Fall>
void play_to_limit(agon::Question& question, Rise limit_for_rise, Fall limit_for_fall) {
  if (const auto* view = question.view<StayView>())
    if (Stay* stay = question.answer<Stay>()) {
      stay->stay = view->price < limit_for_rise(*view);
      return;
    }
  if (const auto* view = question.view<TakeView>())
    if (Take* take = question.answer<Take>()) {
      take->take = view->price <= limit_for_fall(*view);
      return;
    }
  question.decline();
}

}  // namespace

void Truthful::answer(agon::Question& question) const {
  const auto value = [](const auto& view) { return view.value; };
  play_to_limit(question, value, value);
}

void Shade::answer(agon::Question& question) const {
  const auto part = [this](const auto& view) { return params_.of(view.value); };
  play_to_limit(question, part, part);
}

void EquilibriumBid::answer(agon::Question& question) const {
  play_to_limit(
      question, [](const StayView& view) { return view.value; },
      [](const TakeView& view) {
        auction_values::Contest contest;
        contest.model = view.values;
        contest.own = view.own_range;
        contest.bidders = static_cast<int>(view.opponents.size()) + 1;
        return auction_values::whole_equilibrium_bid(contest, view.value);
      });
}

std::string EquilibriumBid::why_not(const Settings& settings) {
  if (settings.clock != Clock::dutch || settings.values == auction_values::ValueModel::independent)
    return {};
  return "a falling clock is a first price in all but looks, whose equilibrium it knows for "
         "independent values alone";
}

}  // namespace clock_auction
