#pragma once

#include <agon/outcome.hpp>

#include "survival-auction/settings.hpp"
#include "survival-auction/stages.hpp"

namespace survival_auction {

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace survival_auction
