#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace guess_average {

/// What the numbers of a round come to.
struct Target {
  double mean = 0;
  std::int64_t hundredths = 0;  ///< the target, rounded to two decimals, halves up
  double exact = 0;             ///< the target without rounding
  [[nodiscard]] double shown() const { return static_cast<double>(hundredths) / 100; }
};

/// `percent` of the mean of the numbers; there is at least one.
[[nodiscard]] Target target_of(std::span<const int> numbers, int percent);

/// The number that wins the round: the one nearest to the target, of two as near on both sides the
/// lower. None if several players all say the same; a player alone always wins.
[[nodiscard]] std::optional<int> winning_number(std::span<const int> numbers, const Target& target);

/// How many steps of reasoning a choice stands for: the power of the share that takes 50, what
/// people who do not think about others choose on average, to the choice. Rounded to four decimals.
/// Undefined for a share of 1. K-Level Reasoning, appendix C.
[[nodiscard]] std::optional<double> strategic_depth(double choice, int percent);

}  // namespace guess_average
