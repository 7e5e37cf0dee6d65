#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>

namespace auction_values {

/// Sums over pairs of a bid and the value it was made at, from which every figure of the papers can
/// be made, and which can be added up over matches.
struct BidTally {
  std::int64_t n = 0;
  std::int64_t value_sum = 0, value_squares = 0;
  std::int64_t bid_sum = 0, bid_squares = 0;
  std::int64_t products = 0;                          ///< of value and bid
  std::int64_t exact = 0;                             ///< bid = value
  std::int64_t near = 0;                              ///< at most one step away
  std::int64_t above = 0;                             ///< bid over value
  std::int64_t below = 0;                             ///< bid under value
  std::int64_t error_sum = 0;                         ///< of |bid - value|
  std::int64_t squares_above = 0, squares_below = 0;  ///< of (bid - value)^2, bids over and under

  constexpr void add(std::int64_t bid, std::int64_t value, std::int64_t step = 1) {
    const std::int64_t error = bid - value;
    const std::int64_t size = error < 0 ? -error : error;
    ++n;
    value_sum += value;
    value_squares += value * value;
    bid_sum += bid;
    bid_squares += bid * bid;
    products += bid * value;
    exact += error == 0;
    near += size <= step;
    above += error > 0;
    below += error < 0;
    error_sum += size;
    (error > 0 ? squares_above : squares_below) += error * error;
  }

  [[nodiscard]] constexpr std::int64_t error_squares() const {
    return squares_above + squares_below;
  }
};

/// a / b; undefined for b = 0.
[[nodiscard]] constexpr std::optional<double> ratio(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::nullopt;
  return static_cast<double>(a) / static_cast<double>(b);
}

/// 1 - sum (b - v)^2 / sum (b - mean b)^2: how well the value explains the bid, against the spread
/// of the bids. Undefined if all bids are the same.
[[nodiscard]] constexpr std::optional<double> r_squared(std::int64_t n, std::int64_t bid_sum,
                                                        std::int64_t bid_squares,
                                                        std::int64_t error_squares) {
  // n times the sum of squares around the mean, exact in integers.
  const std::int64_t spread = n * bid_squares - bid_sum * bid_sum;
  if (spread == 0) return std::nullopt;
  return 1.0 - static_cast<double>(n * error_squares) / static_cast<double>(spread);
}

}  // namespace auction_values
