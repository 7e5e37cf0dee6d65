#include "json/comments.hpp"

namespace agon::json {
namespace {

// The offset after the string that begins at `at`. A string cannot span lines, so a missing quote
// costs one line only.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '\n'; ++at) {
    if (text[at] == '"') return at + 1;
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') ++at;
  }
  return at;
}

}  // namespace

Uncommented::Uncommented(std::string_view text) : original_(text) {
  constexpr auto none = std::string_view::npos;
  std::size_t at = 0;
  if (text.starts_with("\xEF\xBB\xBF")) {
    blank(0, 3);
    at = 3;
  }
  while ((at = text.find_first_of("\"/", at)) != none) {
    if (text[at] == '"') {
      at = after_string(text, at);
      continue;
    }
    const std::string_view rest = text.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      end = text.find('\n', at);
      if (end == none) end = text.size();
      blank(at, end);
    } else if (rest.starts_with("/*")) {
      end = text.find("*/", at + 2);
      if (end == none) {
        unclosed_ = at;
        return;
      }
      end += 2;
      blank(at, end);
    }
    at = end;
  }
}

void Uncommented::blank(std::size_t begin, std::size_t end) {
  if (!copied_) {
    copy_ = original_;
    copied_ = true;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (copy_[i] != '\n') copy_[i] = ' ';
  }
}

}  // namespace agon::json
