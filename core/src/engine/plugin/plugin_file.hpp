#pragma once

#include <agon/export.hpp>
#include <agon/plugin.hpp>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon::plugin {

/// True for "game.py".
[[nodiscard]] bool is_python_file(const std::filesystem::path& file);

/// True if the file is a plugin that is started rather than loaded: Python, or a program that is no
/// shared library.
[[nodiscard]] bool is_program(const std::filesystem::path& file);

/// True if a Python file says that it brings a game or an importer, so that a folder may hold
/// others beside it.
[[nodiscard]] bool brings_game(const std::filesystem::path& file);

}  // namespace agon::plugin

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

namespace agon::plugin {

/// Throws Error (not_found) if somebody else than root, the user and whom `program` belongs to can
/// write `file`, or exchange it in its folder: who, and how to fix it. A group counts if it has
/// other members than the user; a folder in which only owners may rename (/tmp) does not count.
void require_own_file(const std::filesystem::path& file, const std::filesystem::path& program);

/// The start of the symbol whose name is a library's ABI tag.
inline constexpr std::string_view kTagPrefix = "agon_abi__";

/// The tag that this library was built with (AGON_ABI_TAG as text).
AGON_API std::string_view own_tag();

/// The start of symbols whose names are the kits that a library uses: "agon_kit__model__h1".
inline constexpr std::string_view kKitPrefix = "agon_kit__";

/// The kits that this library was built with, as they stand in such symbols: "model__h1".
AGON_API std::span<const std::string_view> own_kits();

/// "model" of "model__h1".
std::string_view kit_name(std::string_view kit);

/// Why a library that uses this kit does not fit, empty if it does.
AGON_API std::string problem_of_kit(std::string_view kit, std::span<const std::string_view> own);

/// One thing in which a plugin was built differently from this agon.
struct TagDifference {
  std::string what;  ///< "SDK headers: the plugin has h1, this agon has h2"
  std::string hint;  ///< what to change in the plugin's build
};

/// Everything in which two ABI tags differ, component by component, in the order of `own`; what
/// only the plugin's tag names comes last. Empty if they are equal.
AGON_API std::vector<TagDifference> differences(std::string_view plugin, std::string_view own);

/// A plugin file that was opened.
struct OpenLibrary {
  const Plugin& plugin;
  std::vector<std::string> kits;  ///< that it uses, by name
};

/// The names of the kits that a plugin file uses, after all that can be told from the file alone:
/// no code of it runs. Throws Error (not_found), whose place is the file.
std::vector<std::string> check_library(const std::filesystem::path& file);

/// Opens a plugin file and returns what it exports, checked: the ABI tag is read from the file
/// before any of its code runs, and those of the kits that it uses, then magic, size and SDK
/// version of the entry. The library stays loaded as long as the process, because types, texts and
/// exceptions of it may be anywhere. Throws Error (not_found), whose place is the file.
OpenLibrary open_library(const std::filesystem::path& file);

}  // namespace agon::plugin
