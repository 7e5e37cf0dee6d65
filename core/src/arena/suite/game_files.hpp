#pragma once

#include <agon/export.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace agon {

/// A plugin that a suite names in the place of a game.
struct NamedGameFile {
  std::filesystem::path file;  ///< full path, links followed
  std::string where;           ///< "suite.json:4:12 ($.scenarios[0].game)"
};

/// Each once, in order. Needs no plugins, since they are loaded by it. Throws Error for a suite
/// that cannot be read.
[[nodiscard]] AGON_API std::vector<NamedGameFile> game_files(const std::string& text,
                                                             const std::string& file);

}  // namespace agon
