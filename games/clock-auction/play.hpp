#pragma once

#include "clock-auction/settings.hpp"

namespace clock_auction {

/// Plays one match.
agon::Outcome play(agon::Table& table, const Settings& settings);

}  // namespace clock_auction
