#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

namespace agon::text {

/// A word as a person types it at a shell: in quotes where it needs them.
[[nodiscard]] AGON_API std::string shell_word(const std::string& word);

/// Words of a command line, so that they can be pasted into a shell.
[[nodiscard]] AGON_API std::string shell_line(const std::vector<std::string>& words);

}  // namespace agon::text
