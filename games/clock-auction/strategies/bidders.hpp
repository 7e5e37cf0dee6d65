#pragma once

#include <agon/agent.hpp>

#include "auction-values/bidders.hpp"
#include "clock-auction/views.hpp"

namespace clock_auction {

/// Stays in while the price is below its value and takes the item at its value: dominant while the
/// price rises, and without gain while it falls.
class Truthful final : public agon::Agent {
 public:
  using Params = auction_values::NoParams;
  explicit Truthful(const Params&) {}
  void answer(agon::Question& question) const override;
};

/// The same with a share of its value in place of it.
class Shade final : public agon::Agent {
 public:
  using Params = auction_values::ShadeParams;
  explicit Shade(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};
/// Plays the equilibrium: its value while the price rises; while it falls, the bid of the
/// first-price auction, which a falling clock is in all but looks.
class EquilibriumBid final : public agon::Agent {
 public:
  using Params = auction_values::NoParams;
  explicit EquilibriumBid(const Params&) {}
  void answer(agon::Question& question) const override;
  /// Why it knows no equilibrium with these settings; empty if it does.
  static std::string why_not(const Settings& settings);
};

}  // namespace clock_auction
