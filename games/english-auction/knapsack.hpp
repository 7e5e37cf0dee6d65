#pragma once

#include <cstdint>
#include <span>

namespace english_auction {

/// Something that can be bought once.
struct Purchase {
  std::int64_t cost = 0;  ///< cents, at least 0
  std::int64_t gain = 0;  ///< any integer; what does not gain is never bought
};

/// The largest total gain of any set that costs at most `budget` in total: the 0/1 knapsack, exact
/// over integers. Keeps the undominated (cost, gain) pairs and drops those that cannot beat a
/// greedy set even if the rest could be bought in parts. Costs and gains stay below 10^9.
[[nodiscard]] std::int64_t best_gain(std::span<const Purchase> purchases, std::int64_t budget);

}  // namespace english_auction
