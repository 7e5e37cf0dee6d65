#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agon::stats {

/// Under this many independent units no interval is given.
inline constexpr std::size_t kFewestUnits = 10;

/// How intervals are made. The same options and data give the same result on every machine.
struct IntervalOptions {
  double level = 0.95;           ///< coverage asked of an interval, in (0, 1)
  std::size_t resamples = 9999;  ///< (resamples + 1) (1 - level) / 2 should be a whole number
  std::uint64_t seed =
      20261120;  ///< picks the resamples and multipliers; not the seed of any match
};

/// Throws agon::Error unless the level is inside (0, 1) and there is at least one resample.
void require_valid(const IntervalOptions& options);

/// The two ends of a confidence interval.
struct Interval {
  double low = 0;
  double high = 0;
};

/// Declared ranges of scores that reach farther say nothing of how far scores go.
inline constexpr double kFarthestRange = 1e15;

/// Why an estimate has no interval, or how to read the one it has.
enum class Note : std::uint8_t {
  none,           ///< nothing to add
  undefined,      ///< the estimate itself is undefined: no data, or a pie that is not positive
  too_few,        ///< fewer than `kFewestUnits` units in some game
  no_variation,   ///< every unit says the same, so that the error cannot be estimated
  one_unit,       ///< one unit holds all that a ratio is of, so that the error cannot be estimated
  degenerate,     ///< too many resamples could not be evaluated
  not_connected,  ///< no chain of matches links the agent to the reference
};

/// A short phrase for a table or a footnote, such as "too few". Empty for Note::none.
[[nodiscard]] AGON_API std::string describe(Note note);

/// A number with its uncertainty. The interval is absent unless `note` is none.
struct Estimate {
  std::optional<double> value;           ///< the estimate from all the data
  std::optional<Interval> interval;      ///< confidence interval at the asked level
  std::optional<double> standard_error;  ///< linearised, or the spread of refits: see the function
  std::optional<double> p_value;         ///< two-sided, of a true value of zero
  std::size_t blocks = 0;                ///< blocks behind the estimate, over all games
  std::size_t units = 0;                 ///< independent units: clusters of blocks, over all games
  /// Something that happens in a smaller share of units than this may be missing from the data
  /// altogether (with the chance 1 - level), and the interval does not reckon with it. Absent where
  /// it does, because the values have declared ranges.
  std::optional<double> unseen;
  std::size_t degenerate = 0;  ///< resamples that could not be evaluated
  Note note = Note::undefined;
};

}  // namespace agon::stats
