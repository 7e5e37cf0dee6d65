#pragma once

#include <agon/agent.hpp>

#include "clock-auction/views.hpp"

namespace clock_auction {

/// Parameters of strategies that have none.
struct NoParams {};
AGON_DESCRIBE(NoParams)

/// Stays in while the price is below its value and takes the item at its value: dominant while the
/// price rises, and without gain while it falls.
class Truthful final : public agon::Agent {
 public:
  using Params = NoParams;
  explicit Truthful(const Params&) {}
  void answer(agon::Question& question) const override;
};

/// The same with a share of its value in place of it.
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
AGON_DESCRIBE(Shade::Params, (share, "what it takes for its value", agon::range(0, 300),
                              agon::unit("percent of the value")))

/// Plays the equilibrium: its value while the price rises; while it falls, the bid of the
/// first-price auction, which a falling clock is in all but looks.
class EquilibriumBid final : public agon::Agent {
 public:
  using Params = NoParams;
  explicit EquilibriumBid(const Params&) {}
  void answer(agon::Question& question) const override;
};

}  // namespace clock_auction
