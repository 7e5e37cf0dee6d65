#include "survival-auction/auction.hpp"

#include <algorithm>

namespace survival_auction {

std::optional<std::size_t> winner_of(std::span<const Offer> offers) {
  agon::Money highest{-1};
  for (const Offer& offer : offers) highest = std::max(highest, offer.bid);
  std::optional<std::size_t> winner;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    if (offers[i].bid != highest || offers[i].bid > offers[i].balance) continue;
    if (winner) return std::nullopt;
    winner = i;
  }
  return winner;
}

}  // namespace survival_auction
