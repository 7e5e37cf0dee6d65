#pragma once

#include <agon/agent.hpp>

#include "sealed-bid/views.hpp"

namespace sealed_bid {

/// Parameters of strategies that have none.
struct NoParams {};
AGON_DESCRIBE(NoParams)

/// Bids what it sees.
class Truthful final : public agon::Agent {
 public:
  using Params = NoParams;
  explicit Truthful(const Params&) {}
  void answer(agon::Question& question) const override;
};

/// Bids a share of what it sees.
class Shade final : public agon::Agent {
 public:
  struct Params {
    int share = 80;
  };
  explicit Shade(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};
AGON_DESCRIBE(Shade::Params,
              (share, "how much of it", agon::range(0, 300), agon::unit("percent of the value")))

/// Bids the symmetric equilibrium.
class EquilibriumBid final : public agon::Agent {
 public:
  using Params = NoParams;
  explicit EquilibriumBid(const Params&) {}
  void answer(agon::Question& question) const override;
};

}  // namespace sealed_bid
