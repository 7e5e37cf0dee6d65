#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

#include "suite/suite.hpp"
#include "text/hash.hpp"

namespace agon {

/// How fast a scenario plays.
struct Speed {
  double matches = 0;    ///< a second
  double questions = 0;  ///< a second, probes that are declined unseen included
  double seconds = 0;    ///< measured
};

/// Plays the first line-up of a scenario's first treatment over and over under ever other random
/// numbers, on `jobs` threads, without a record, for about `seconds`. All its agents must answer at
/// once. Throws Error where the system gives fewer threads.
[[nodiscard]] AGON_API Speed measure_speed(const Suite& suite, const Scenario& scenario, int jobs,
                                           double seconds);

/// A digest over the records of all matches of a suite, in the order of its plan. The same on every
/// machine, compiler, build type and number of jobs, as long as nothing changes how games play.
[[nodiscard]] AGON_API hash::Digest signature(const Suite& suite, int jobs);

}  // namespace agon
