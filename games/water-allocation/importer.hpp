#pragma once

#include <agon/importer.hpp>

namespace water_allocation {

/// The records of Alympics' games, one JSON file each, as matches.
[[nodiscard]] agon::Importer alympics_importer();

}  // namespace water_allocation
