#include "text/paragraph.hpp"

#include <algorithm>

#include "text/utf8.hpp"

namespace agon::text {

std::string paragraph(std::string_view words, const ParagraphLayout& layout) {
  std::string out;
  std::string line = std::string(layout.indent, ' ') + std::string(layout.bullet);
  const std::string next(layout.indent + layout.bullet.size(), ' ');
  bool fresh = true;
  const std::string shown = printable(words);
  for (std::size_t at = 0; at < shown.size();) {
    const std::size_t end = std::min(shown.find(' ', at), shown.size());
    const std::string word = shown.substr(at, end - at);
    if (!fresh && width(line) + 1 + width(word) > layout.columns) {
      out += line + '\n';
      line = next;
      fresh = true;
    }
    if (!fresh) line += ' ';
    line += word;
    fresh = false;
    at = end + 1;
  }
  return out + line + '\n';
}

}  // namespace agon::text
