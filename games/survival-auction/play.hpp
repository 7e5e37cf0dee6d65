#pragma once

#include <agon/outcome.hpp>
#include <agon/table.hpp>

#include "survival-auction/settings.hpp"

namespace survival_auction {

/// Plays one match.
agon::Outcome play(agon::Table& table, const Settings& settings);

}  // namespace survival_auction
