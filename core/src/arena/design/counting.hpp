#pragma once

#include <cstdint>
#include <numeric>
#include <optional>

namespace agon::design {

/// A number of things, or nothing if it does not fit into 64 bits.
using Count = std::optional<std::uint64_t>;

/// a * b.
[[nodiscard]] inline Count product(Count a, Count b) {
  std::uint64_t out = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

/// a + b.
[[nodiscard]] inline Count sum(Count a, Count b) {
  std::uint64_t out = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

/// a * b / c, where c > 0 divides the product; dividing first keeps the steps between small.
[[nodiscard]] inline Count ratio(Count a, std::uint64_t b, std::uint64_t c) {
  if (!a) return std::nullopt;
  const std::uint64_t common = std::gcd(*a, c);
  return product(*a / common, b / (c / common));
}

/// How many ways there are to take `take` different things of `count`.
[[nodiscard]] inline Count binomial(std::uint64_t count, std::uint64_t take) {
  if (take > count) return 0;
  if (take > count - take) take = count - take;
  Count out = 1;
  for (std::uint64_t i = 1; out && i <= take; ++i) out = ratio(out, count - take + i, i);
  return out;
}

}  // namespace agon::design
