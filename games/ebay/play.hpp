#pragma once

#include <agon/outcome.hpp>
#include <agon/table.hpp>

#include "ebay/settings.hpp"

namespace ebay {

/// Plays one match.
agon::Outcome play(agon::Table& table, const Settings& settings);

}  // namespace ebay
