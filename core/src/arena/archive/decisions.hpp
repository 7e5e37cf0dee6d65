#pragma once

#include <agon/export.hpp>
#include <filesystem>
#include <vector>

#include "archive/rows.hpp"

namespace agon::archive {

/// Writes a copy of the archive `from` at `to`, with these values of decisions beside those that it
/// has. It appears at `to` when it is whole. Throws Error if `to` is there, or cannot be written.
AGON_API void copy_with_decisions(const std::filesystem::path& from,
                                  const std::filesystem::path& to,
                                  const std::vector<DecisionRow>& decisions);

}  // namespace agon::archive
