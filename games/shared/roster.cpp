#include "shared/roster.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>

namespace shared {

std::vector<agon::SeatCard> seats_named(const std::vector<std::string>& names) {
  std::vector<agon::SeatCard> seats;
  for (const std::string& name : names) seats.push_back({.name = name});
  return seats;
}

std::string check_names(std::string_view list, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) return fmt::format("{}[{}] has no name", list, i);
    for (std::size_t j = 0; j < i; ++j)
      if (names[j] == names[i])
        return fmt::format("{0}[{1}] and {0}[{2}] are both called {3}", list, j, i, names[i]);
  }
  return {};
}

std::string dollars(agon::Money amount) {
  return agon::money_text(amount).substr(1);
}

}  // namespace shared
