#include "http/target.hpp"

#include <algorithm>
#include <utility>

#include "text/utf8.hpp"

namespace agon::serve {
namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Nothing for an escape that is none, a control character, or what is no UTF-8.
std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '%') {
      if (i + 2 >= text.size()) return std::nullopt;
      const int high = digit(text[i + 1]), low = digit(text[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      i += 2;
    } else if (c == '+' && plus_is_space) {
      c = ' ';
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
    out += c;
  }
  if (!text::is_utf8(out)) return std::nullopt;
  return out;
}

/// What comes before `end`, which is taken off `text` with it.
std::string_view take(std::string_view& text, char end) {
  const std::size_t at = text.find(end);
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return part;
}

bool climbs(std::string_view path) {
  while (!path.empty()) {
    const std::string_view segment = take(path, '/');
    if (segment == "." || segment == "..") return true;
  }
  return false;
}

}  // namespace

std::optional<Target> read_target(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  std::string_view rest = text.substr(0, text.find('#'));
  const std::string_view path = take(rest, '?');
  std::optional<std::string> decoded = decode(path, false);
  if (!decoded || climbs(*decoded)) return std::nullopt;
  Target target{.path = std::move(*decoded)};
  while (!rest.empty()) {
    std::string_view pair = take(rest, '&');
    if (pair.empty()) continue;
    const std::optional<std::string> name = decode(take(pair, '='), true);
    const std::optional<std::string> value = decode(pair, true);
    if (!name || !value) return std::nullopt;
    target.query.insert_or_assign(*name, *value);
  }
  return target;
}

void read_cookies(std::string_view header, std::map<std::string, std::string>& cookies) {
  while (!header.empty()) {
    std::string_view pair = take(header, ';');
    pair.remove_prefix(std::min(pair.find_first_not_of(" \t"), pair.size()));
    const std::string_view name = take(pair, '=');
    if (!name.empty()) cookies.emplace(name, pair);
  }
}

}  // namespace agon::serve
