#pragma once

#include <agon/game.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace shared {

/// A seat for each name, without roles.
[[nodiscard]] std::vector<agon::SeatCard> seats_named(const std::vector<std::string>& names);

/// Why the names of the setting `list` do not tell seats apart: one is empty, or two are the same.
/// Empty if they do.
[[nodiscard]] std::string check_names(std::string_view list, const std::vector<std::string>& names);

/// An amount without a sign of money: "70", "34.50", "1,000".
[[nodiscard]] std::string dollars(agon::Money amount);

}  // namespace shared
