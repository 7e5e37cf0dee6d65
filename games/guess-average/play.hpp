#pragma once

#include <agon/outcome.hpp>
#include <agon/table.hpp>

#include "guess-average/settings.hpp"

namespace guess_average {

/// Plays one match.
agon::Outcome play(agon::Table& table, const Settings& settings);

}  // namespace guess_average
