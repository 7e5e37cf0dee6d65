#pragma once

#include <agon/analysis/statistics.hpp>

namespace auction_values {

/// Numbers of which only n, the sum and the sum of squares are known, so that matches can be added
/// up without their records.
struct Moments {
  double n = 0;
  double sum = 0;
  double squares = 0;

  void add(double count, double total, double total_squares) {
    n += count;
    sum += total;
    squares += total_squares;
  }
  [[nodiscard]] double mean() const;
  /// Of the sample, divisor n - 1; NaN under two numbers.
  [[nodiscard]] double variance() const;
};

/// Welch's t-test of two independent samples by their moments; NaN under two numbers on a side or
/// without spread.
[[nodiscard]] agon::TTest welch(const Moments& a, const Moments& b);

}  // namespace auction_values
