#pragma once

#include <string>

#include "run/run_archive.hpp"

namespace agon {

/// Warns, before a run plays, of plugins that are not what they were when matches of the suite were
/// played which it takes as they are; empty if there are none.
[[nodiscard]] std::string describe_changed_plugins(const RunArchive& archive);

}  // namespace agon
