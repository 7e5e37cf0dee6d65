#pragma once

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

}  // namespace sealed_bid
