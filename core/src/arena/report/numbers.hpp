#pragma once

#include <agon/export.hpp>
#include <optional>
#include <string>

#include "stats/estimate.hpp"

namespace agon::report {

/// `value` with a fixed number of decimals, or with an exponent where it is huge; never "-0".
[[nodiscard]] AGON_API std::string fixed(double value, int decimals, bool sign = false);

/// "low to high", with signs for differences.
[[nodiscard]] std::string interval(const stats::Interval& interval, int decimals,
                                   bool sign = false);

/// Decimals that show about four digits of a number of this size.
[[nodiscard]] int decimals_for(double value);

/// "0.812 [0.790, 0.834]", "0.812 (too few)", "0.812 (always)" or "-".
[[nodiscard]] std::string with_interval(const stats::Estimate& estimate, int decimals,
                                        bool sign = false);

/// Why there is no interval, in one or two words of a table: "too few", "always", "unstable".
[[nodiscard]] std::string note_words(stats::Note note);

/// The same, with the part of the figure that has too few units where only that has.
[[nodiscard]] std::string why_no_interval(const stats::Estimate& estimate);

/// The interval alone, or why there is none.
[[nodiscard]] std::string interval_or_note(const stats::Estimate& estimate, int decimals,
                                           bool sign = false);

/// "0.0312", "<0.0001", or nothing where there is none.
[[nodiscard]] std::string p_words(const std::optional<double>& p);

/// A count, or a mean of counts.
[[nodiscard]] std::string count_words(double n);

/// An estimate in minor units in units of `decimals` more places: 1250 with 2 is 12.5.
[[nodiscard]] stats::Estimate in_major_units(stats::Estimate estimate, int decimals);

}  // namespace agon::report
