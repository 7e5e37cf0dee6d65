#pragma once

#include <memory>

#include "plugin/catalogue.hpp"

namespace agon::fuzz {

/// All games and agents that Agon ships, linked in: nothing is loaded, and nothing hashed.
std::shared_ptr<Catalogue> all_games();

}  // namespace agon::fuzz
