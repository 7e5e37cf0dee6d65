#pragma once

#include <filesystem>

#include "remote/remote_plugin.hpp"

namespace agon::remote {

/// How a plugin that is a program is started: locked in, unless no plugin is to be kept apart.
/// Throws Error (not_found) where it cannot be.
[[nodiscard]] Launch launch_of(const std::filesystem::path& file, const Isolation& isolation);

/// How a shared library is kept apart: Agon's own worker loads it, locked in.
[[nodiscard]] Launch launch_library(const std::filesystem::path& file, const Isolation& isolation);

}  // namespace agon::remote
