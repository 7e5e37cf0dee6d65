#pragma once

#include <filesystem>

#include "remote/remote_plugin.hpp"

namespace agon::remote {

/// True if the file is a plugin that is started rather than loaded: Python, or a program that is no
/// shared library.
[[nodiscard]] bool is_program(const std::filesystem::path& file);

/// True if a Python file says that it brings a game, so that a folder may hold others beside it.
[[nodiscard]] bool brings_game(const std::filesystem::path& file);

/// How such a plugin is started: locked in, unless no plugin is to be kept apart. Throws Error
/// (not_found) where it cannot be.
[[nodiscard]] Launch launch_of(const std::filesystem::path& file, const Isolation& isolation);

/// How a shared library is kept apart: Agon's own worker loads it, locked in.
[[nodiscard]] Launch launch_library(const std::filesystem::path& file, const Isolation& isolation);

}  // namespace agon::remote
