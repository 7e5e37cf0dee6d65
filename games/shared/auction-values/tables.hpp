#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <optional>
#include <string>

namespace auction_values {

/// The one agent that played all seats of a match, by the name of its entry in the suite: its
/// factors, such as how it reasons, do not count. With several, all their names.
[[nodiscard]] std::string bidders_of(const agon::PlayedMatch& match);

/// How an item was sold, in the words of arXiv:2507.09083.
struct Format {
  std::string_view name;  ///< AC, AC-B, Dutch; FPSB, SPSB, TPSB, all-pay
  std::string values;     ///< independent, affiliated, common
};
/// The name of a format, by the setting `payment` or `clock`.
[[nodiscard]] std::string_view format_name(std::string_view setting);
/// The format of a match of a clock or of sealed bids, as its settings say. Only of three bidders
/// and, with sealed bids, of several rounds without advice; nothing of others.
[[nodiscard]] std::optional<Format> format_of(const agon::PlayedMatch& match);

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
