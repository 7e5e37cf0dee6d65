#include "bargaining/rounding.hpp"

#include <bit>
#include <cstdint>

namespace bargaining {

std::optional<agon::Money> cents_of(double dollars) {
  if (!(dollars >= 0 && dollars < 0x1.0p53)) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(dollars);
  const auto raw_exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFULL;
  // A number below 2^-60 has no share in a cent; this takes the subnormal ones away too.
  if (raw_exponent < 1023 - 60) return agon::Money{0};
  // dollars = mantissa / 2^shift, and mantissa * 100 stays below 2^60.
  const std::uint64_t hundredfold = (fraction | 1ULL << 52) * 100;
  const int shift = 1023 + 52 - raw_exponent;
  if (shift == 0) return agon::Money{static_cast<std::int64_t>(hundredfold)};
  if (shift >= 64) return agon::Money{0};
  const std::uint64_t floor = hundredfold >> shift;
  const std::uint64_t rest = hundredfold & ((1ULL << shift) - 1);
  const std::uint64_t half = 1ULL << (shift - 1);
  const bool up = rest > half || (rest == half && (floor & 1U) != 0);
  return agon::Money{static_cast<std::int64_t>(floor + (up ? 1 : 0))};
}

}  // namespace bargaining
