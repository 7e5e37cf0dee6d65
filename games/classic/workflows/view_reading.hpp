#pragma once

#include <string>
#include <vector>

#include "classic/game_data.hpp"

namespace classic {

/// The game as it stands in the JSON of a View, names as the players know them.
[[nodiscard]] GameData game_in(const std::string& view_json, std::vector<std::string> players);

}  // namespace classic
