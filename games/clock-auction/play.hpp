#pragma once

#include "clock-auction/settings.hpp"
#include "clock-auction/stages.hpp"

namespace clock_auction {

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace clock_auction
