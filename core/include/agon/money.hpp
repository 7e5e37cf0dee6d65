#pragma once

#include <compare>
#include <cstdint>

namespace agon {

/// An amount of money in integer minor units (cents). Never a binary float: sums are exact and
/// equality means what it says. Its JSON form is a number with at most two decimals: 12.50.
struct Money {
  std::int64_t cents = 0;  ///< may be negative

  /// Sums, differences and multiples are exact; nothing looks for an overflow of 64 bits.
  ///@{
  constexpr auto operator<=>(const Money&) const = default;
  constexpr Money operator-() const { return {-cents}; }
  constexpr Money& operator+=(Money other) { return cents += other.cents, *this; }
  constexpr Money& operator-=(Money other) { return cents -= other.cents, *this; }
  friend constexpr Money operator+(Money a, Money b) { return {a.cents + b.cents}; }
  friend constexpr Money operator-(Money a, Money b) { return {a.cents - b.cents}; }
  friend constexpr Money operator*(Money a, std::int64_t n) { return {a.cents * n}; }
  friend constexpr Money operator*(std::int64_t n, Money a) { return {a.cents * n}; }
  ///@}
};

/// `units` whole currency units (dollars): major(5) is 5.00.
constexpr Money major(std::int64_t units) {
  return {units * 100};
}

/// The amount in whole units, for figures: 12.50 is 12.5.
constexpr double to_double(Money amount) {
  return static_cast<double>(amount.cents) / 100;
}

}  // namespace agon
