#pragma once

#include <agon/export.hpp>
#include <filesystem>

namespace agon::archive {

class Connection;
class SpareCopy;

/// Copies all that an open archive held, because its file is not in its place any more or not
/// whole: to `NAME.rescued.agon` beside `path`, where NAME is the archive's without ".agon"; if
/// nothing can be written there, to the current folder or the one for temporary files. Nobody's
/// file is replaced. `spare`: null if there is none. Returns where the copy is, which was read
/// through and is sound. Throws Error if there is none.
std::filesystem::path rescue(Connection& archive, SpareCopy* spare,
                             const std::filesystem::path& path);

/// Copies a whole archive that nobody writes to `to`, which appears at once and complete: the copy
/// is written beside it, synced, and renamed. Throws Error (failure), naming both files, if `to` is
/// there already or cannot be written; nothing is left of the copy then.
AGON_API void publish(const std::filesystem::path& archive, const std::filesystem::path& to);

}  // namespace agon::archive
