#include "water-allocation/allocation.hpp"

namespace water_allocation {

namespace {

bool goes_before(const Claim& a, const Claim& b) {
  if (a.bid != b.bid) return a.bid > b.bid;
  if (a.need != b.need) return a.need < b.need;
  return a.seat < b.seat;
}

}  // namespace

void rank(std::span<Claim> claims) {
  for (std::size_t i = 1; i < claims.size(); ++i) {
    const Claim claim = claims[i];
    std::size_t at = i;
    for (; at > 0 && goes_before(claim, claims[at - 1]); --at) claims[at] = claims[at - 1];
    claims[at] = claim;
  }
}

Allocation allocate(std::span<const Claim> ranked, int supply) {
  // What is left only shrinks, so whoever does not fit in turn never will: one pass is enough.
  Allocation result;
  bool passed_over = false;
  for (const Claim& claim : ranked) {
    if (claim.need > supply - result.used) {
      passed_over = true;
      continue;
    }
    result.winners |= 1U << claim.seat;
    result.used += claim.need;
    result.price = claim.bid;
    result.skipped = passed_over;
  }
  return result;
}

std::optional<agon::Money> lowest_winning_bid(std::span<const Claim> ranked, int seat, int need,
                                              int supply) {
  if (need > supply) return std::nullopt;
  int left = supply;
  for (const Claim& rival : ranked) {
    if (rival.seat == seat || rival.need > left) continue;
    left -= rival.need;
    if (left >= need) continue;
    // Once this rival is served there is too little left: the seat must come before it.
    const Claim level{rival.bid, need, seat};
    return goes_before(level, rival) ? rival.bid : rival.bid + agon::Money{1};
  }
  return agon::Money{0};
}

bool has_tie(std::span<const Claim> ranked) {
  for (std::size_t i = 1; i < ranked.size(); ++i)
    if (ranked[i].bid == ranked[i - 1].bid) return true;
  return false;
}

}  // namespace water_allocation
