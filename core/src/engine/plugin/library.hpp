#pragma once

#include <agon/plugin.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace agon::plugin {

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
