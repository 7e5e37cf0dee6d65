#pragma once

#include <agon/agent.hpp>

namespace ebay {

/// `truthful` has no parameters.
struct TruthfulParams {};
AGON_DESCRIBE(TruthfulParams)

/// Bids its value at its first turn and holds from then on.
class Truthful final : public agon::Agent {
 public:
  using Params = TruthfulParams;
  explicit Truthful(const Params&) {}
  void answer(agon::Question& question) const override;
};

}  // namespace ebay
