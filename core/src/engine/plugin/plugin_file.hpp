#pragma once

#include <filesystem>

namespace agon::plugin {

/// True for "game.py".
[[nodiscard]] bool is_python_file(const std::filesystem::path& file);

/// True if the file is a plugin that is started rather than loaded: Python, or a program that is no
/// shared library.
[[nodiscard]] bool is_program(const std::filesystem::path& file);

/// True if a Python file says that it brings a game, so that a folder may hold others beside it.
[[nodiscard]] bool brings_game(const std::filesystem::path& file);

}  // namespace agon::plugin
