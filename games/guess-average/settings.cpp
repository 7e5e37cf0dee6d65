#include "guess-average/settings.hpp"

#include <fmt/format.h>

namespace guess_average {

std::vector<std::string> five_players() {
  return {"Alex", "Bob", "Cindy", "David", "Eric"};
}

std::string check(const Settings& s) {
  for (std::size_t i = 0; i < s.players.size(); ++i) {
    if (s.players[i].empty()) return fmt::format("players[{}] has no name", i);
    for (std::size_t j = 0; j < i; ++j)
      if (s.players[j] == s.players[i])
        return fmt::format("players[{}] and players[{}] are both called {}", j, i, s.players[i]);
  }
  if (s.lowest >= s.highest)
    return fmt::format("lowest is {} and highest {}: there is nothing to choose", s.lowest,
                       s.highest);
  return {};
}

}  // namespace guess_average
