#pragma once

#include <agon/outcome.hpp>

#include "ebay/settings.hpp"
#include "ebay/stages.hpp"

namespace ebay {

/// Plays one match.
agon::Outcome play(Table table, const Settings& settings);

}  // namespace ebay
