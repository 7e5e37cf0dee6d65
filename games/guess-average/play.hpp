#pragma once

#include <agon/outcome.hpp>

#include "guess-average/settings.hpp"
#include "guess-average/stages.hpp"

namespace guess_average {

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace guess_average
