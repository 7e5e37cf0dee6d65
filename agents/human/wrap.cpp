#include "human/wrap.hpp"

#include <algorithm>
#include <utility>

namespace agon::agents {
namespace {

/// One sign of a text: how many bytes and columns it takes.
struct Sign {
  std::size_t bytes = 1;
  std::size_t columns = 1;
  bool wide = false;
};

/// Signs of East Asian scripts and pictures take two columns (Unicode Standard Annex 11, roughly).
bool is_wide(char32_t c) {
  constexpr std::pair<char32_t, char32_t> kWide[]{
      {0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},  {0xfe30, 0xfe6f},
      {0xff00, 0xff60}, {0xffe0, 0xffe6}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
  return std::any_of(std::begin(kWide), std::end(kWide),
                     [c](const auto& range) { return c >= range.first && c <= range.second; });
}

Sign sign_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first == 0x1b) {
    const std::size_t end = text.find('m', at);
    return {end == std::string_view::npos ? 1 : end - at + 1, 0};
  }
  std::size_t bytes = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  bytes = std::min(bytes, text.size() - at);
  char32_t value = bytes == 1 ? first : first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i)
    value = value << 6U | (static_cast<unsigned char>(text[at + i]) & 0x3fU);
  const bool wide = is_wide(value);
  return {bytes, wide ? 2U : 1U, wide};
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Sign sign = sign_at(text, at);
    columns += sign.columns;
    at += sign.bytes;
  }
  return columns;
}

/// How far the lines after the first are moved right.
std::size_t indent_of(std::string_view line, std::size_t columns) {
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  std::size_t indent = first + (line.substr(first).starts_with("- ") ? 2 : 0);
  for (std::size_t gap = line.find("  ", first); gap != std::string_view::npos;
       gap = line.find("  ", gap)) {
    gap = std::min(line.find_first_not_of(' ', gap), line.size());
    if (const std::size_t at = width(line.substr(0, gap)); at <= columns / 2) indent = at;
  }
  return std::min(indent, columns / 2);
}

void wrap_line(std::string_view line, std::size_t columns, std::string& out) {
  if (width(line) <= columns) {
    out += line;
    return;
  }
  const std::string indent(indent_of(line, columns), ' ');
  std::size_t from = 0, used = 0, broken = 0;  // the present line's begin, and where it may end
  bool blank = true;                           // nothing but blanks so far
  const auto end_line = [&](std::size_t end) {
    out += line.substr(from, end - from);
    while (out.ends_with(' ')) out.pop_back();
    out += '\n' + indent;
    from = std::min(line.find_first_not_of(' ', end), line.size());
    used = indent.size();
    broken = 0;
  };
  for (std::size_t at = 0; at < line.size();) {
    const Sign sign = sign_at(line, at);
    if (sign.wide && at > from) broken = at;
    if (used + sign.columns > columns && line[at] != ' ' && !blank) {
      const std::size_t end = broken > from ? broken : at;
      end_line(end);
      used += width(line.substr(from, at - from));
    }
    if (line[at] == ' ') {
      if (!blank) broken = at;
    } else {
      blank = false;
    }
    used += sign.columns;
    at += sign.bytes;
  }
  out += line.substr(from);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    wrap_line(text.substr(0, end), columns, out);
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace agon::agents
