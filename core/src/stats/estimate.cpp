#include "stats/estimate.hpp"

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
    case Note::degenerate:
      return "too many degenerate resamples";
    case Note::not_connected:
      return "not connected to the reference";
  }
  return "";
}

}  // namespace agon::stats
