#pragma once

#include <agon/agent.hpp>
#include <agon/plugin.hpp>
#include <vector>

#include "english-auction/messages.hpp"

namespace english_auction {

/// The rule bidder of AucArena: raises by the least amount a fixed number of times an item, as long
/// as its money lasts, and looks at nothing else.
class Rule final : public agon::Agent {
 public:
  struct Params {
    int max_bids = 4;
  };

  explicit Rule(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

  /// Its move: a bid, or nothing to withdraw.
  [[nodiscard]] static std::optional<agon::Money> bid(const BidView& view, int max_bids);

 private:
  Params params_;
};
AGON_DESCRIBE(Rule::Params, (max_bids, "most bids that it makes for one item, the first one too",
                             agon::range(0, 1000), agon::unit("bids"),
                             agon::source("AucArena, section 4 (4 or 5) and its code (4)")))

/// The least bid that can win the item: an open reserve is no less a bound than the rules.
[[nodiscard]] agon::Money least_bid(const BidView& view);

/// What it bids who wants others to pay: the least amount that counts, on any item, up to a share
/// of its own estimate (of the start price where it has none), so that a rival who means to win
/// must pay more than that. Empty: it withdraws.
[[nodiscard]] std::optional<agon::Money> drive_up(const BidView& view, int share);

/// Bids the least amount that counts, never above a cap made of its own estimate, and only while
/// this item is among those that it would buy with the money that it has left.
class ValueCap final : public agon::Agent {
 public:
  struct Params {
    int share = 90;
    agon::Money margin{};
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
  /// How far each rival went for the last item, in words.
  [[nodiscard]] static std::string rivals(const BeliefView& view);

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

/// A shill: drives up the price of every item, and leaves while a rival would still pay more.
class Shill final : public agon::Agent {
 public:
  struct Params {
    int share = 70;
  };

  explicit Shill(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};
AGON_DESCRIBE(Shill::Params, (share, "how much of its estimate it bids at most",
                              agon::range(0, 200), agon::unit("percent")))

/// A spiteful bidder: buys as `value-cap` does, and drives up the price of what it does not buy.
class Spiteful final : public agon::Agent {
 public:
  struct Params {
    int share = 90;
    int push = 110;
  };

  explicit Spiteful(const Params& params) : push_(params.push), buyer_({.share = params.share}) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return true; }

 private:
  int push_;
  ValueCap buyer_;
};
AGON_DESCRIBE(Spiteful::Params,
              (share, "how much of its estimate it pays at most for what it means to buy",
               agon::range(0, 200), agon::unit("percent")),
              (push, "how much of its estimate it bids at most for all else", agon::range(0, 200),
               agon::unit("percent")))

/// A member of a bidding ring: where bidders may talk it offers to take turns, and with all others
/// who said so it does. Without talk, with nobody to take turns with, and where it is a shill, it
/// is `value-cap`.
class Ring final : public agon::Agent {
 public:
  struct Params {
    int share = 90;
    bool keeps = true;
  };

  explicit Ring(const Params& params) : keeps_(params.keeps), buyer_({.share = params.share}) {}
  void answer(agon::Question& question) const override;
  [[nodiscard]] bool answers_probes() const override { return true; }

  /// Who has said in this auction that it takes turns, in the order of their names' first words on
  /// it.
  [[nodiscard]] static std::vector<std::string_view> members(std::span<const Remark> talk);
  /// Whose turn the n-th item of the sale is, from 1; empty: there is no ring.
  [[nodiscard]] static std::string_view turn(std::span<const Remark> talk, int number);

 private:
  bool keeps_;
  ValueCap buyer_;
};
AGON_DESCRIBE(Ring::Params,
              (share, "how much of its estimate it pays at most", agon::range(0, 200),
               agon::unit("percent")),
              (keeps, "whether it keeps to the turns; false: it offers them and bids all the same"))

/// A seller that starts each item at a share of what it is listed at, and sells it for no less than
/// a share of its estimate.
class ReserveShare final : public agon::Agent {
 public:
  struct Params {
    int start = 100;
    int reserve = 70;
  };

  explicit ReserveShare(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override;

 private:
  Params params_;
};
AGON_DESCRIBE(ReserveShare::Params,
              (start, "where it starts an item, as a share of what it is listed at",
               agon::range(0, 1000), agon::unit("percent")),
              (reserve,
               "its reserve, as a share of its estimate; never below what an item costs it",
               agon::range(0, 1000), agon::unit("percent")))

/// A seller that hurries: as `reserve-share`, and where it may act in the middle of the bidding it
/// has bidders take large steps far from what it thinks an item is worth, and the usual ones near.
class Brisk final : public agon::Agent {
 public:
  struct Params {
    int start = 100;
    int reserve = 70;
    int near = 60;
  };

  explicit Brisk(const Params& params)
      : near_(params.near), seller_({params.start, params.reserve}) {}
  void answer(agon::Question& question) const override;

  /// The least raise that it sets: half the way to `near` percent of its estimate, in whole
  /// dollars, as far as it may.
  [[nodiscard]] agon::Money step(const ConductView& view) const;

 private:
  int near_;
  ReserveShare seller_;
};
AGON_DESCRIBE(Brisk::Params,
              (start, "where it starts an item, as a share of what it is listed at",
               agon::range(0, 1000), agon::unit("percent")),
              (reserve,
               "its reserve, as a share of its estimate; never below what an item costs it",
               agon::range(0, 1000), agon::unit("percent")),
              (near, "from which share of its estimate on steps are the usual ones",
               agon::range(0, 200), agon::unit("percent")))

/// Adds them all.
void add_strategies(agon::Registry& registry);

}  // namespace english_auction
