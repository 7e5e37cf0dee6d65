#pragma once

#include <filesystem>

namespace agon::archive {

class Connection;

/// Copies all that an open archive holds, because its file is not in its place any more: to
/// `NAME.rescued.agon` beside `path`, where NAME is the archive's without ".agon"; if nothing can
/// be written there, to the current folder or the one for temporary files. `before`: where it was
/// copied to earlier, which is replaced as a whole; empty: nowhere yet, and then nobody's file is
/// replaced. Returns where the copy is. Throws Error if no place takes it.
std::filesystem::path rescue(Connection& archive, const std::filesystem::path& path,
                             const std::filesystem::path& before);

}  // namespace agon::archive
