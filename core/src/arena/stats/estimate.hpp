#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

/// Nor is there an interval where a term, such as one of a game's scenarios, has fewer units.
inline constexpr std::size_t kFewestOfTerm = 6;

/// weight * (sum of numerators / sum of denominators) over the units of a stratum. A plain mean has
/// denominators of 1. A unit that says nothing about this ratio has 0 in both.
struct RatioTerm {
  double weight = 1;
  std::vector<double> numerator;    ///< one value a unit
  std::vector<double> denominator;  ///< one value a unit
  std::string name{};               ///< such as the role that it is of
};

/// A term of so many units that say nothing yet.
[[nodiscard]] inline RatioTerm ratio_over(std::size_t units, double weight = 1) {
  return {weight, std::vector<double>(units), std::vector<double>(units), {}};
}

/// What a cell's value can be, whatever is played: no interval goes beyond.
struct ValueBounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// A sum of ratios over the units of one stratum, such as an agent's mean over roles minus the
/// reference's. The terms see the same units, so that what they share cancels.
struct StratumCell {
  std::size_t stratum = 0;
  std::vector<RatioTerm> terms;
  std::size_t blocks = 0;  ///< blocks behind the cell, for the result
  std::size_t units = 0;   ///< units that say something, for the result and the rule of ten
  ValueBounds range{};
  bool yes_or_no = false;   ///< every match says 0 or 1
  bool difference = false;  ///< 0 says that two are alike; else a level, such as a score
  /// What the stratum's units are called; empty where nobody asks. Outlives the cell.
  std::span<const std::string> unit_names{};
};

/// One cell's part in a contrast.
struct CellWeight {
  std::size_t cell = 0;
  double weight = 1;
};

/// A weighted sum of cells of different strata, which are independent.
using Contrast = std::vector<CellWeight>;

/// What is estimated, from what. The strata are games.
struct ContrastProblem {
  std::vector<std::size_t> units;   ///< number of units of each stratum
  std::vector<StratumCell> cells;   ///< every cell belongs to one stratum
  std::vector<Contrast> contrasts;  ///< a contrast has at most one cell of a stratum

  /// The number of the contrast that is added.
  std::size_t add(Contrast contrast) {
    contrasts.push_back(std::move(contrast));
    return contrasts.size() - 1;
  }
  /// The same of a cell by itself.
  std::size_t add(StratumCell cell) {
    cells.push_back(std::move(cell));
    return add(Contrast{{cells.size() - 1, 1.0}});
  }
};

/// Units that take two values only, so that their mean is a share.
struct TwoValues {
  double low = 0;
  double high = 0;
  std::size_t highs = 0;  ///< units with the higher one
  std::size_t units = 0;
};

/// What a cell says by itself.
struct CellSummary {
  std::optional<double> value;  ///< absent: no data, a pie that is not positive, or no finite value
  bool lone = false;            ///< one unit holds nearly all that a ratio is of
  bool varies = false;          ///< the units differ by more than rounding
  double error = 0;             ///< standard error of the value, by the jackknife
  double skewness = 0;          ///< of the value, as the units' third moment tells it
  double degrees = 1;           ///< of freedom
  double effective_n = 0;       ///< 1 / (sum of squared shares of the units); 0 without a value
  double largest_share = 0;     ///< of one unit in the value
  std::size_t largest_unit = 0;
  std::size_t fewest_units = 0;   ///< of a term
  std::size_t fewest_term = 0;    ///< which one that is
  std::vector<double> influence;  ///< by unit of the stratum, over the error; empty: nothing varies
  /// From the lowest to the highest value of a unit by itself; absent where a unit has none.
  std::optional<Interval> hull;
  std::optional<TwoValues> two;
  UnitsWon won;  ///< units whose own value is above, at and below 0
};

/// The influence of unit i is what leaving it out would change: with the ratio R = N/D of a term,
/// weight (n_i - R d_i) / (D - d_i), times (m - 1)/m for the term's m units, minus their mean,
/// summed over terms. The variance is the sum of squares of these times sqrt(m / (m - 1)). For a
/// mean that is the textbook variance. Efron and Tibshirani, "An Introduction to the Bootstrap"
/// (1993), chapter 11.
///
/// Terms of the same units are a part. A part has 1 / (sum of squared shares) effective units, and
/// one degree of freedom less; the parts' degrees are put together as Satterthwaite's (Biometrics
/// Bulletin 2, 1946).
///
/// A difference that is the same c in all m units has the error that it would have if one more unit
/// said -c.
[[nodiscard]] CellSummary summarise(const StratumCell& cell);

}  // namespace agon::stats
