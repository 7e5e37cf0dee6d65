#pragma once

#include <filesystem>

namespace agon::plugin {

/// Throws Error (not_found) if somebody else than root, the user and whom `program` belongs to can
/// write `file`, or exchange it in its folder: who, and how to mend it. A group counts if it has
/// other members than the user; a folder in which only owners may rename (/tmp) does not count.
void require_own_file(const std::filesystem::path& file, const std::filesystem::path& program);

}  // namespace agon::plugin
