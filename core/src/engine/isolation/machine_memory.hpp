#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <filesystem>

#include "isolation/isolation.hpp"

namespace agon {

/// Memory of this machine that this process may use, in MiB: what there is, or what the control
/// groups that it is in leave of it. 0 where the system does not say. `root`: of the file system.
[[nodiscard]] AGON_API std::int64_t memory_of_machine(const std::filesystem::path& root = "/");

/// What all processes of plugins together may take, in MiB: as asked for, or half of the machine's,
/// but as much as one of them may at least.
[[nodiscard]] AGON_API std::int64_t total_memory_of(const ProcessLimits& limits);

}  // namespace agon
