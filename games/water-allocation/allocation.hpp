#pragma once

#include <agon/money.hpp>
#include <cstdint>
#include <optional>
#include <span>

namespace water_allocation {

/// A bid that its bidder can pay.
struct Claim {
  agon::Money bid{};
  int need = 0;
  int seat = 0;
};

/// Puts claims in the order in which they are served: the highest bid first, equal bids by lower
/// need, equal needs by seat.
void rank(std::span<Claim> claims);

/// Who gets water: bit s of `winners` is seat s.
struct Allocation {
  std::uint32_t winners = 0;
  int used = 0;  ///< units of water handed out
  /// The lowest bid that won.
  std::optional<agon::Money> price{};
  /// Somebody was passed over, for needing more than was left, and a lower rank was served.
  bool skipped = false;

  [[nodiscard]] bool has(int seat) const { return (winners >> seat & 1U) != 0; }
};

/// Hands out water: again and again the highest-ranked claim whose need still fits is served, until
/// none fits. `ranked` is in the order of rank().
Allocation allocate(std::span<const Claim> ranked, int supply);

/// The lowest bid with which `seat` would be served, every other claim standing as it is; none if
/// no bid would do. `ranked` may hold a claim of the seat itself: it does not count.
std::optional<agon::Money> lowest_winning_bid(std::span<const Claim> ranked, int seat, int need,
                                              int supply);

/// True if two claims bid the same.
bool has_tie(std::span<const Claim> ranked);

}  // namespace water_allocation
