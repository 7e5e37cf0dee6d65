#include "sealed-bid/strategies.hpp"

#include <agon/error.hpp>
#include <algorithm>

namespace sealed_bid {

namespace {

using auction_values::AllPayEquilibrium;
using auction_values::ValueModel;

constexpr const char* kNotFound =
    "the equilibrium of an all-pay auction is worked out for values up to 1000, with two bidders "
    "for a few hundred values: set own_range to a smaller range";

}  // namespace

void EquilibriumBid::answer(agon::Question& question) const {
  const auto* view = question.view<BidView>();
  Bid* bid = question.answer<Bid>();
  if (view == nullptr || bid == nullptr) return question.decline();
  int amount = 0;
  if (view->payment == Payment::all_pay && view->values == ValueModel::independent) {
    const auto known = all_pay_.of({view->own_range, view->bidders, view->highest_bid});
    if (known == nullptr) throw agon::Error(agon::ErrorKind::invalid, kNotFound);
    amount = known->bid(view->value, question.dice().unit());
  } else {
    const auction_values::Source values{view->values, view->common_range, view->own_range, {}};
    amount = auction_values::whole_equilibrium_bid(contest(view->payment, values, view->bidders),
                                                   view->value);
  }
  bid->bid = std::clamp(amount, 0, view->highest_bid);
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
