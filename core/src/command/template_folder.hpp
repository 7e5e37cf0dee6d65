#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace agon::command {

/// Words of a template and what stands for them in the copy. Where one begins with another, the
/// longer comes first.
using Wording = std::vector<std::pair<std::string, std::string>>;

/// `text` with every word exchanged, in one go: what was put in is not looked at again.
[[nodiscard]] std::string reworded(const std::string& text, const Wording& wording);

/// Makes `folder` with all files of `source`, texts and file names reworded; returns their paths,
/// in order of their names. Throws Error (failure) if there is something of that name already, or
/// if it cannot be written; nothing is left behind then.
std::vector<std::string> copy_template(const std::filesystem::path& source,
                                       const std::filesystem::path& folder, const Wording& wording);

}  // namespace agon::command
