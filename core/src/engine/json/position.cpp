#include "json/position.hpp"

#include <algorithm>

#include "text/utf8.hpp"

namespace agon::json {

Position position_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t start = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::string_view line = before.substr(start);
  if (start == 0 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  return {before.size(),
          1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          1 + text::width(line)};
}

std::string place(std::string_view file, const Position& position) {
  const std::string line = std::to_string(position.line);
  const std::string column = std::to_string(position.column);
  if (file.empty()) return "line " + line + ", column " + column;
  return std::string(file) + ":" + line + ":" + column;
}

}  // namespace agon::json
