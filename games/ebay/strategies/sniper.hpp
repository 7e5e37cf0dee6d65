#pragma once

#include <agon/agent.hpp>

namespace ebay {

/// `sniper` has no parameters.
struct SniperParams {};
AGON_DESCRIBE(SniperParams)

/// Holds until what is to be the last day, then bids its value.
class Sniper final : public agon::Agent {
 public:
  using Params = SniperParams;
  explicit Sniper(const Params&) {}
  void answer(agon::Question& question) const override;
};

}  // namespace ebay
