#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "stats/estimate.hpp"

namespace agon::stats {

/// Under this many independent units there is no interval, unless values are bounded: what is rare
/// is too likely not to have been seen yet.
inline constexpr std::size_t kFewestSequenceUnits = 24;

/// How an interval of a confidence sequence was made.
enum class Sequence : std::uint8_t {
  none,        ///< there is no interval
  asymptotic,  ///< from the mean, its error and its skewness; holds as units become many
  betting,     ///< from bounds on the values: exact
};
[[nodiscard]] std::string_view name(Sequence sequence);

/// A mean after so many units, as far as it matters for an interval.
struct RunningMean {
  double value = 0;
  double error = 0;  ///< standard error
  double skew = 0;   ///< sum of the units' cubed deviations over the cubed error
  std::size_t units = 0;
};

/// The interval of a running mean that belongs to a confidence sequence: with probability `level`
/// it holds the truth after every number of units at once, so that one may look after each and stop
/// whenever one likes. Absent under `kFewestSequenceUnits`, without an error, and where the
/// sequence still says nothing.
///
/// With t = (mean - truth) / error, the sequence is all truths for which the Bayes factor of t with
/// a normal prior of variance 1/25 on the standardised effect is below 1 / (1 - level): for normal
/// units exact after any number (Lai, Annals of Statistics 4, 1976; Wang and Ramdas, 2023), and
/// otherwise as units become many (Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, Annals of
/// Statistics 52, 2024). Where the units are skewed, Hall's transformation of t (JRSS-B 54, 1992)
/// has to be outside too, which only ever widens the interval.
[[nodiscard]] AGON_API std::optional<Interval> asymptotic_sequence(const RunningMean& mean,
                                                                   double level);

/// How many errors an interval of that sequence reaches to each side where nothing is skewed;
/// infinite while it says nothing.
[[nodiscard]] AGON_API double sequence_multiplier(std::size_t units, double level);

/// The same for the mean of values that lie in [low, high], by betting: exact after any number of
/// values, whatever else they are, as long as each has this mean given those before. Values outside
/// count as the bound that they passed.
///
/// The hedged capital process with predictable plug-in bets (Waudby-Smith and Ramdas, JRSS-B 86,
/// 2024, sections 4.2 and 4.4), bets at most three quarters of what may be bet.
[[nodiscard]] AGON_API Interval betting_sequence(std::span<const double> values,
                                                 const Interval& bounds, double level);

/// On which side of 0 that interval lies; 0: it holds 0. Quicker than the interval.
[[nodiscard]] AGON_API int betting_sign(std::span<const double> values, const Interval& bounds,
                                        double level);

/// The fewest values after which the betting sequence can leave out the middle of its bounds.
[[nodiscard]] AGON_API std::size_t fewest_bets(double level);

}  // namespace agon::stats
