#pragma once

#include <agon/importer.hpp>

namespace classic {

/// The published decisions in Golden Balls, as matches.
[[nodiscard]] agon::Importer golden_balls_importer();

}  // namespace classic
