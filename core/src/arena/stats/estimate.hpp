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

/// Units of a difference by who did better, however much by: another question than the mean's.
struct UnitsWon {
  std::size_t won = 0;
  std::size_t tied = 0;
  std::size_t lost = 0;
  double p_value = 1;  ///< sign test, two-sided: as likely to be won as lost
};

/// A number with its uncertainty. The interval is absent unless `note` is none.
struct Estimate {
  std::optional<double> value;           ///< the estimate from all the data
  std::optional<Interval> interval;      ///< confidence interval at the asked level
  std::optional<double> standard_error;  ///< linearised, or the spread of refits: see the function
  std::optional<double> p_value;         ///< two-sided, of a true value of zero
  std::size_t blocks = 0;                ///< blocks behind the estimate, over all games
  std::size_t units = 0;                 ///< independent units: clusters of blocks, over all games
  /// How many units of equal weight would say as much: Kish's 1 / (sum of squared shares), where a
  /// unit's share is its part of what a game's figure is divided by (the pie), summed over games.
  std::optional<double> effective_n{};
  std::optional<double> largest_share{};  ///< of one unit in the figure of its game
  std::string largest_unit{};             ///< whose share that is, where units have names
  /// The fewest units of any of its parts, such as a scenario or a role, and which part that is.
  std::size_t fewest_units = 0;
  std::string fewest_of{};
  /// Something that happens in a smaller share of units than this may be missing from the data
  /// altogether (with the chance 1 - level), and the interval does not reckon with it.
  std::optional<double> unseen;
  /// Of a difference whose interval leaves out 0: how far on the other side of 0 units of a kind
  /// not seen would have to be on average for the truth to be 0. Absent, as is `unseen`, where the
  /// declared range does not reach so far.
  std::optional<double> unseen_effect{};
  std::optional<UnitsWon> units_won{};  ///< of a difference
  std::size_t degenerate = 0;           ///< resamples that could not be evaluated
  Note note = Note::undefined;
};

}  // namespace agon::stats
