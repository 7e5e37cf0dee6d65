#include "ebay/strategies.hpp"

namespace ebay {

namespace {

/// A bid of this amount where it counts, else a hold.
void bid_or_hold(agon::Money amount, const Desk& desk, Turn& turn) {
  const agon::Money bid = std::min(amount, desk.highest_bid);
  if (bid >= desk.lowest_bid && bid > desk.maximum) turn.bid = bid;
}

}  // namespace

void bid_step_by_step(const IncrementalParams& params, const Desk& desk, Turn& turn) {
  turn.bid.reset();
  if (desk.maximum > desk.price) return;
  const agon::Money raise = params.raise.value_or(desk.step);
  bid_or_hold(std::min(desk.price + raise, desk.value), desk, turn);
}

void bid_value(const shared::NoParams&, const Desk& desk, Turn& turn) {
  turn.bid.reset();
  bid_or_hold(desk.value, desk, turn);
}

void bid_value_late(const shared::NoParams& none, const Desk& desk, Turn& turn) {
  turn.bid.reset();
  if (desk.day >= desk.days) bid_value(none, desk, turn);
}

}  // namespace ebay
