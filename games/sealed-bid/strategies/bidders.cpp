#include "sealed-bid/strategies/bidders.hpp"

#include <algorithm>

namespace sealed_bid {

namespace {

/// Bids what `amount` makes of the view, within what may be bid.
template <class Amount>
void bid_amount(agon::Question& question, Amount amount) {
  const auto* view = question.view<BidView>();
  Bid* bid = question.answer<Bid>();
  if (view == nullptr || bid == nullptr) return question.decline();
  bid->bid = std::clamp(amount(*view), 0, view->highest_bid);
}

}  // namespace

void Truthful::answer(agon::Question& question) const {
  bid_amount(question, [](const BidView& view) { return view.value; });
}

void Shade::answer(agon::Question& question) const {
  bid_amount(question, [this](const BidView& view) { return params_.of(view.value); });
}

void EquilibriumBid::answer(agon::Question& question) const {
  bid_amount(question, [](const BidView& view) {
    auction_values::Source values;
    values.model = view.values;
    values.common = view.common_range;
    values.own = view.own_range;
    return auction_values::whole_equilibrium_bid(contest(view.payment, values, view.bidders),
                                                 view.value);
  });
}

std::string EquilibriumBid::why_not(const Settings& settings) {
  return auction_values::why_unknown(contest(settings.payment, source(settings), settings.bidders));
}

}  // namespace sealed_bid
