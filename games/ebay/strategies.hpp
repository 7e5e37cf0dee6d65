#pragma once

#include <algorithm>

#include "ebay/play.hpp"
#include "shared/strategy.hpp"

namespace ebay {

/// Parameters of `incremental`.
struct IncrementalParams {
  std::optional<agon::Money> raise;
};
AGON_DESCRIBE(IncrementalParams,
              (raise, "how far it goes above the price; null: one step of the auction",
               agon::range(1, 1e8), agon::unit("dollars")))

/// A bid of this amount where it counts, else a hold.
inline void bid_or_hold(agon::Money amount, const Desk& desk, Turn& turn) {
  const agon::Money bid = std::min(amount, desk.highest_bid);
  if (bid >= desk.lowest_bid && bid > desk.maximum) turn.bid = bid;
}

/// Bids a little above the price while its maximum does not stand above it, up to its value. Nobody
/// is shown who leads, so it also raises where it is level with another.
inline void bid_step_by_step(const IncrementalParams& params, const Desk& desk, Turn& turn) {
  turn.bid.reset();
  if (desk.maximum > desk.price) return;
  const agon::Money raise = params.raise.value_or(desk.step);
  bid_or_hold(std::min(desk.price + raise, desk.value), desk, turn);
}
using Incremental = shared::Strategy<&bid_step_by_step>;

/// Bids its value at its first turn and holds from then on.
inline void bid_value(const shared::NoParams&, const Desk& desk, Turn& turn) {
  turn.bid.reset();
  bid_or_hold(desk.value, desk, turn);
}
using Truthful = shared::Strategy<&bid_value>;

/// Holds until what is to be the last day, then bids its value.
inline void bid_value_late(const shared::NoParams& none, const Desk& desk, Turn& turn) {
  turn.bid.reset();
  if (desk.day >= desk.days) bid_value(none, desk, turn);
}
using Sniper = shared::Strategy<&bid_value_late>;

}  // namespace ebay
