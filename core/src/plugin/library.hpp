#pragma once

#include <agon/plugin.hpp>
#include <filesystem>

namespace agon::plugin {

/// Opens a plugin file and returns what it exports, checked: the ABI tag is read from the file
/// before any of its code runs, then magic, size and SDK version of the entry. The library stays
/// loaded as long as the process, because types, texts and exceptions of it may be anywhere.
/// Throws Error (not_found), whose place is the file.
const Plugin& open_library(const std::filesystem::path& file);

}  // namespace agon::plugin
