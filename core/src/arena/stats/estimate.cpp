#include "stats/estimate.hpp"

#include <agon/error.hpp>

namespace agon::stats {

std::string describe(Note note) {
  switch (note) {
    case Note::none:
      return "";
    case Note::undefined:
      return "undefined";
    case Note::too_few:
      return "too few";
    case Note::no_variation:
      return "no variation";
    case Note::one_unit:
      return "all in one unit";
    case Note::degenerate:
      return "too many degenerate resamples";
    case Note::not_connected:
      return "not connected to the reference";
  }
  return "";
}

void require_valid(const IntervalOptions& options) {
  if (!(options.level > 0 && options.level < 1)) {
    throw Error(ErrorKind::invalid, "the level of an interval lies between 0 and 1", "level",
                "write 0.95 for 95 per cent");
  }
  if (options.resamples == 0) {
    throw Error(ErrorKind::invalid, "a bootstrap needs at least one resample", "resamples",
                "9999 is the default");
  }
}

}  // namespace agon::stats
