#pragma once

#include <agon/agent.hpp>

#include "english-auction/views.hpp"

namespace english_auction {

/// The least bid that can win the item: an open reserve is no less a bound than the rules.
[[nodiscard]] agon::Money least_bid(const BidView& view);

/// What it bids who wants others to pay: the least amount that counts, on any item, up to a share
/// of its own estimate (of the start price where it has none), so that whoever means to win must
/// pay more than that. Empty: it withdraws.
[[nodiscard]] std::optional<agon::Money> drive_up(const BidView& view, int share);

/// Bids the least amount that counts, never above a cap made of its own estimate, and only while
/// this item is among those that it would buy with the money that it has left.
class ValueCap final : public agon::Agent {
 public:
  struct Params {
    int share = 90;
    agon::Money margin;
    int premium = 0;
    int shill_share = 70;
    int spite_share = 110;
  };

  explicit ValueCap(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return true; }

  /// The most that it pays for an item; start_price if it has no estimate.
  [[nodiscard]] agon::Money cap(agon::Money start_price, std::optional<agon::Money> estimate) const;
  /// Its move: a bid, or nothing to withdraw.
  [[nodiscard]] std::optional<agon::Money> bid(const BidView& view) const;
  /// What it bids for an item that it means to buy.
  [[nodiscard]] std::optional<agon::Money> buy(const BidView& view) const;
  /// 3 for what it means to buy, 2 for what is worth its price, 1 for the rest.
  [[nodiscard]] Plan plan(const PlanView& view) const;
  /// Its last account brought up to date with what everybody saw.
  [[nodiscard]] static Belief belief(const BeliefView& view);

 private:
  Params params_;
};
AGON_DESCRIBE(
    ValueCap::Params,
    (share, "how much of its estimate it pays at most", agon::range(0, 200), agon::unit("percent"),
     agon::source("90: pays back an estimate that is 10 % too high, as in AucArena")),
    (margin, "subtracted from that; the least profit that is worth a bid", agon::range(0, 1e9),
     agon::unit("dollars")),
    (premium,
     "by how much it expects later items to sell above their start prices, when it decides what "
     "its money is for",
     agon::range(0, 1000), agon::unit("percent")),
    (shill_share, "as a shill: how much of its estimate it bids at most, for any item",
     agon::range(0, 200), agon::unit("percent")),
    (spite_share,
     "after spite: how much of its estimate it bids at most, for any item; over 100 it may win at "
     "a loss",
     agon::range(0, 200), agon::unit("percent")))

/// How the arena makes it.
[[nodiscard]] agon::AgentCard value_cap_card();

}  // namespace english_auction
