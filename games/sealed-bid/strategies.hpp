#pragma once

#include <agon/error.hpp>
#include <algorithm>

#include "sealed-bid/messages.hpp"
#include "shared/auction-values/equilibrium.hpp"
#include "shared/strategy.hpp"

namespace sealed_bid {

/// Bids what it sees, or a share of it, within what may be bid.
template <class Params>
void bid_by_value(const Params& params, const BidView& view, Bid& bid) {
  bid.bid = std::clamp(auction_values::limit(params, view.value), 0, view.highest_bid);
}
using Truthful = shared::Strategy<&bid_by_value<shared::NoParams>>;
using Shade = shared::Strategy<&bid_by_value<auction_values::ShadeParams>>;

/// Why EquilibriumBid knows none where all pay.
inline constexpr const char* kNoEquilibrium =
    "the equilibrium of an all-pay auction is worked out for values up to 1000, with two bidders "
    "for a few hundred values: set own_range to a smaller range";

/// Bids the symmetric equilibrium; where all pay that of whole money, which needs dice.
class EquilibriumBid final : public agon::Agent {
 public:
  using Params = shared::NoParams;
  explicit EquilibriumBid(const Params&) {}
  void answer(agon::Question& question) const override;
  /// Why it knows no equilibrium with these settings; empty if it does.
  static std::string why_not(const Settings& settings);

 private:
  auction_values::AllPayMemo all_pay_;
};

inline void EquilibriumBid::answer(agon::Question& question) const {
  const auto* view = question.view<BidView>();
  Bid* bid = question.answer<Bid>();
  if (view == nullptr || bid == nullptr) return question.decline();
  int amount = 0;
  if (view->payment == Payment::all_pay &&
      view->values == auction_values::ValueModel::independent) {
    const auto known = all_pay_.of({view->own_range, view->bidders, view->highest_bid});
    if (known == nullptr) throw agon::Error(agon::ErrorKind::invalid, kNoEquilibrium);
    amount = known->bid(view->value, question.dice().unit());
  } else {
    const auction_values::Source values{view->values, view->common_range, view->own_range, {}};
    amount = auction_values::whole_equilibrium_bid(contest(view->payment, values, view->bidders),
                                                   view->value);
  }
  bid->bid = std::clamp(amount, 0, view->highest_bid);
}

inline std::string EquilibriumBid::why_not(const Settings& settings) {
  const auction_values::Source values = auction_values::source_of(settings);
  if (settings.payment == Payment::all_pay &&
      settings.values == auction_values::ValueModel::independent)
    return auction_values::AllPayEquilibrium::find(
               {values.own, settings.bidders, highest_bid(settings)})
               ? ""
               : kNoEquilibrium;
  return auction_values::why_unknown(contest(settings.payment, values, settings.bidders));
}

}  // namespace sealed_bid
