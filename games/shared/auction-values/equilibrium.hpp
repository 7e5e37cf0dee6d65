#pragma once

#include <agon/analysis/game_theory.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "shared/auction-values/values.hpp"

namespace auction_values {

/// The auction that a bid is worked out for.
struct Contest {
  agon::theory::SealedBid format = agon::theory::SealedBid::first_price;
  ValueModel model = ValueModel::independent;
  Span common{};
  Span own{};
  int bidders = 0;
};

/// The bid of the symmetric equilibrium at what a bidder sees, not rounded; nothing where it has no
/// known form here:
/// - independent values: the four formats, evenly drawn from own[0] to own[1] (as if any number in
///   between could be drawn and bid; docs/papers/llm-auctions.md says what
///   whole money changes);
/// - affiliated values: the second price, where bidding one's value is dominant;
/// - a common value: the second price, what the item is worth on average if the highest rival
///   sees the same (Milgrom and Weber 1982, section 5).
[[nodiscard]] std::optional<double> equilibrium_bid(const Contest& contest, int seen);

/// Why no equilibrium of the auction is known here; empty if one is.
[[nodiscard]] std::string why_unknown(const Contest& contest);

/// To whole money, halves up.
[[nodiscard]] int to_whole(double amount);

/// The same, rounded; not for the all-pay auction, where rounding costs too much. Throws
/// agon::Error where no equilibrium is known.
[[nodiscard]] int whole_equilibrium_bid(const Contest& contest, int seen);

/// An all-pay auction in whole money: values drawn evenly and independently, bids of 0 to
/// `highest_bid`, the highest bid wins, ties are drawn evenly.
struct AllPayAuction {
  Span values{};
  int bidders = 0;
  int highest_bid = 0;

  friend bool operator==(const AllPayAuction&, const AllPayAuction&) = default;
};

/// The largest value for which the equilibrium is worked out.
inline constexpr int kMaxAllPayValue = 1000;
/// No deviation of any value gains more a round than this part of the highest value.
inline constexpr double kAllPayGain = 1e-6;

/// The symmetric equilibrium of the auction as it is played. In whole money it is one of dice: a
/// bidder with a value draws among some neighbouring bids. Who values it more gains more by a
/// better chance to win, so higher values bid higher (single crossing: Athey 2001, Econometrica
/// 69), and the equilibrium is a list of thresholds: of all that a bidder can be, by value and by
/// chance, ordered from 0 to 1, the share that bids at most each bid.
class AllPayEquilibrium {
 public:
  /// Nothing where values go above kMaxAllPayValue, or where what was found leaves a deviation that
  /// gains more than kAllPayGain: that is worked out exactly, and met only where two bidders have
  /// hundreds of values.
  [[nodiscard]] static std::optional<AllPayEquilibrium> find(const AllPayAuction& auction);

  /// The bid of a bidder with this value; `draw` is its chance, evenly from 0 to 1 (excluded).
  [[nodiscard]] int bid(int value, double draw) const;
  /// The share of bidders that bid b or less, for b from 0 up.
  [[nodiscard]] const std::vector<double>& thresholds() const { return thresholds_; }
  /// What the value that could gain most by bidding otherwise would gain by it, on average over
  /// everybody's values and dice.
  [[nodiscard]] double gain() const { return gain_; }

 private:
  explicit AllPayEquilibrium(const AllPayAuction& auction) : auction_(auction) {}

  AllPayAuction auction_;
  std::vector<double> thresholds_;
  double gain_ = 0;
};

/// Works equilibria out once and keeps the last one: bidders are asked about the same auction round
/// after round. For use by many threads.
class AllPayMemo {
 public:
  /// Null where none is found.
  [[nodiscard]] std::shared_ptr<const AllPayEquilibrium> of(const AllPayAuction& auction) const;

 private:
  mutable std::mutex mutex_;
  mutable std::optional<AllPayAuction> auction_;
  mutable std::shared_ptr<const AllPayEquilibrium> known_;
};

}  // namespace auction_values
