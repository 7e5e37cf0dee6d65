#pragma once

#include <agon/agent.hpp>

#include "auction-values/all_pay.hpp"
#include "auction-values/bidders.hpp"
#include "sealed-bid/views.hpp"

namespace sealed_bid {

/// Bids what it sees.
class Truthful final : public agon::Agent {
 public:
  using Params = auction_values::NoParams;
  explicit Truthful(const Params&) {}
  void answer(agon::Question& question) const override;
};

/// Bids a share of what it sees.
class Shade final : public agon::Agent {
 public:
  using Params = auction_values::ShadeParams;
  explicit Shade(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};

/// Bids the symmetric equilibrium; where all pay that of whole money, which needs dice.
class EquilibriumBid final : public agon::Agent {
 public:
  using Params = auction_values::NoParams;
  explicit EquilibriumBid(const Params&) {}
  void answer(agon::Question& question) const override;
  /// Why it knows no equilibrium with these settings; empty if it does.
  static std::string why_not(const Settings& settings);

 private:
  auction_values::AllPayMemo all_pay_;
};

}  // namespace sealed_bid
