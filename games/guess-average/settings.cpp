#include "guess-average/settings.hpp"

#include <fmt/format.h>

#include "shared/names.hpp"

namespace guess_average {

std::vector<std::string> five_players() {
  return {"Alex", "Bob", "Cindy", "David", "Eric"};
}

std::string check(const Settings& s) {
  if (std::string why = shared::check_names("players", s.players); !why.empty()) return why;
  if (s.lowest >= s.highest)
    return fmt::format("lowest is {} and highest {}: there is nothing to choose", s.lowest,
                       s.highest);
  return {};
}

}  // namespace guess_average
