#pragma once

#include <agon/export.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace agon::plugin {

/// A folder where plugins are looked for.
struct SearchPlace {
  std::filesystem::path folder;
  std::string what;  ///< "AGON_PLUGIN_PATH", "beside the command", "install prefix"
};

/// The folders of `path` (separated by colons, empty parts left out), then the plugins beside the
/// program (<its folder>/../lib/agon/plugins, in a build as in an installed tree), then those of
/// the prefix that agon was configured for. A folder that is named twice is kept once; folders
/// need not exist.
AGON_API std::vector<SearchPlace> search_places(const std::string& path,
                                                const std::filesystem::path& program_folder);

/// The value of AGON_PLUGIN_PATH, empty if it is not set.
std::string plugin_path_variable();

/// The running program; empty if that cannot be told.
std::filesystem::path program_file();

/// The folder of the running program, the command or the worker; where another program uses Agon's
/// libraries, that of the command.
AGON_API std::filesystem::path program_folder();

/// What ships with Agon under this name in share/agon, there or not.
[[nodiscard]] AGON_API std::filesystem::path shipped_file(std::string_view name);

/// The file of a scenario: what the documents call scenarios/X is the shipped one where the present
/// folder has none of that name. Any other file is itself.
[[nodiscard]] AGON_API std::string scenario_file(std::string file);

/// True if the file is in one of the folders beside the program or of the install prefix: who can
/// put it there can replace Agon too.
[[nodiscard]] AGON_API bool comes_with_agon(const std::filesystem::path& file);

/// The files of a folder that end in .so, and those in Python that bring a game, in order of their
/// names.
AGON_API std::vector<std::filesystem::path> plugin_files(const std::filesystem::path& folder);

}  // namespace agon::plugin
