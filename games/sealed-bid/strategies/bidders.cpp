#include "sealed-bid/strategies/bidders.hpp"

#include <agon/error.hpp>
#include <algorithm>

namespace sealed_bid {

namespace {

using auction_values::AllPayEquilibrium;
using auction_values::ValueModel;

constexpr const char* kNotFound =
    "the equilibrium of an all-pay auction is worked out for values up to 1000, with two bidders "
    "for a few hundred values: set own_range to a smaller range";

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
  bid_amount(question, [&](const BidView& view) {
    auction_values::Source values;
    values.model = view.values;
    values.common = view.common_range;
    values.own = view.own_range;
    if (view.payment == Payment::all_pay && view.values == ValueModel::independent) {
      const auto known = all_pay_.of({view.own_range, view.bidders, view.highest_bid});
      if (known == nullptr) throw agon::Error(agon::ErrorKind::invalid, kNotFound);
      return known->bid(view.value, question.dice().unit());
    }
    return auction_values::whole_equilibrium_bid(contest(view.payment, values, view.bidders),
                                                 view.value);
  });
}

std::string EquilibriumBid::why_not(const Settings& settings) {
  const auction_values::Source values = source(settings);
  if (settings.payment == Payment::all_pay && settings.values == ValueModel::independent)
    return AllPayEquilibrium::find({values.own, settings.bidders, highest_bid(settings)})
               ? ""
               : kNotFound;
  return auction_values::why_unknown(contest(settings.payment, values, settings.bidders));
}

}  // namespace sealed_bid
