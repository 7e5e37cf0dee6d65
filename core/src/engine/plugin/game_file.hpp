#pragma once

#include <agon/export.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace agon {

/// A game that is named by the file that brings it: "./my-game.py", "games.py:chicken".
struct GameFile {
  std::filesystem::path file;  ///< full path, links followed
  std::string id;              ///< of one of its games; empty: it brings one
};

/// The file that `name` names, from `folder` on (empty: the current one); nothing where it is the
/// name of a game.
[[nodiscard]] AGON_API std::optional<GameFile> game_file(std::string_view name,
                                                         const std::filesystem::path& folder);

}  // namespace agon
