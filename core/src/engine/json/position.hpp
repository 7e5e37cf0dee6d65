#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace agon::json {

/// A place in a text.
struct Position {
  std::size_t offset = 0;  ///< bytes from the start
  std::size_t line = 1;    ///< from 1; lines end with `\n`
  std::size_t column = 1;  ///< from 1, in code points
};

/// The line and column of a byte offset (at most `text.size()`).
AGON_API Position position_at(std::string_view text, std::size_t offset);

/// How a place is written in messages: `file:line:column`, or `line 3, column 5` without a file.
AGON_API std::string place(std::string_view file, const Position& position);

}  // namespace agon::json
