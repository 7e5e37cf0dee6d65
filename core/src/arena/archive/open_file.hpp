#pragma once

#include <filesystem>

namespace agon::archive {

/// The path without links, so that one file has one lock. Throws Error when the path is a folder or
/// no ordinary file, when its folder does not exist, and when there is no file although it
/// `must_exist`.
std::filesystem::path resolve(const std::filesystem::path& path, bool must_exist);

}  // namespace agon::archive
