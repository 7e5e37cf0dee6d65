#pragma once

#include <agon/analysis/game_theory.hpp>
#include <optional>
#include <string>

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
///   between could be drawn and bid; what whole money does to it is said in
///   docs/papers/llm-auctions.md, and for the all-pay auction in
///   shared/auction-values/all_pay.hpp);
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

}  // namespace auction_values
