#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace agon::agents {

/// Breaks lines that are wider than `columns`, at blanks, between signs that are written without
/// any, and where a word is longer than a line. What follows is moved right as far as the line
/// itself, or, in a line of a table, as far as its last column. The text is printable but for
/// emphasis (`ESC [ ... m`), which takes no room.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t columns);

}  // namespace agon::agents
