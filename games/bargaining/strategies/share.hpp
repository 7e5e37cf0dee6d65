#pragma once

#include <cmath>
#include <cstdint>

namespace bargaining {

/// Parameters that are shares become whole millionths once, so that prices are integer arithmetic.
inline constexpr std::int64_t million = 1'000'000;

[[nodiscard]] inline std::int64_t in_millionths(double share) {
  return std::llround(share * static_cast<double>(million));
}

/// amount * millionths / a million, rounded towards zero, without running out of 64 bits for shares
/// up to a million millionths.
[[nodiscard]] constexpr std::int64_t share_of(std::int64_t amount, std::int64_t millionths) {
  return amount / million * millionths + amount % million * millionths / million;
}

}  // namespace bargaining
