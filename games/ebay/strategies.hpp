#pragma once

#include "ebay/messages.hpp"
#include "shared/strategy.hpp"

namespace ebay {

/// Parameters of `incremental`.
struct IncrementalParams {
  std::optional<agon::Money> raise;
};
AGON_DESCRIBE(IncrementalParams,
              (raise, "how far it goes above the price; null: one step of the auction",
               agon::range(1, 1e8), agon::unit("dollars")))

/// Bids a little above the price while its maximum does not stand above it, up to its value. Nobody
/// is shown who leads, so it also raises where it is level with another.
void bid_step_by_step(const IncrementalParams& params, const Desk& desk, Turn& turn);
using Incremental = shared::Strategy<&bid_step_by_step>;

/// Bids its value at its first turn and holds from then on.
void bid_value(const shared::NoParams&, const Desk& desk, Turn& turn);
using Truthful = shared::Strategy<&bid_value>;

/// Holds until what is to be the last day, then bids its value.
void bid_value_late(const shared::NoParams&, const Desk& desk, Turn& turn);
using Sniper = shared::Strategy<&bid_value_late>;

}  // namespace ebay
