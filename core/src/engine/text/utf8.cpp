#include "text/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace agon::text {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xC0U) == 0x80U;
}

struct CodePoints {
  char32_t first;
  char32_t last;
};

template <std::size_t Size>
bool is_in(const std::array<CodePoints, Size>& ranges, char32_t code) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const CodePoints& r) { return code >= r.first && code <= r.last; });
}

// Characters that a terminal acts on, that reorder text, or that nobody sees: control characters,
// line and paragraph separators, interlinear annotations, and all that Unicode calls
// Default_Ignorable_Code_Point (DerivedCoreProperties, 15.0): soft hyphen, fillers, zero widths,
// directions, variation selectors, tags.
bool is_unsafe(char32_t code) {
  static constexpr std::array<CodePoints, 19> unsafe{{{0x00, 0x1F},
                                                      {0x7F, 0x9F},
                                                      {0xAD, 0xAD},
                                                      {0x34F, 0x34F},
                                                      {0x61C, 0x61C},
                                                      {0x115F, 0x1160},
                                                      {0x17B4, 0x17B5},
                                                      {0x180B, 0x180F},
                                                      {0x200B, 0x200F},
                                                      {0x2028, 0x202E},
                                                      {0x2060, 0x206F},
                                                      {0x3164, 0x3164},
                                                      {0xFE00, 0xFE0F},
                                                      {0xFEFF, 0xFEFF},
                                                      {0xFFA0, 0xFFA0},
                                                      {0xFFF0, 0xFFFB},
                                                      {0x1BCA0, 0x1BCA3},
                                                      {0x1D173, 0x1D17A},
                                                      {0xE0000, 0xE0FFF}}};
  return code < 0x20 || is_in(unsafe, code);
}

constexpr char32_t kZeroWidthJoiner = 0x200D;
constexpr char32_t kAsText = 0xFE0E;
constexpr char32_t kAsEmoji = 0xFE0F;
constexpr char32_t keycap = 0x20E3;

// Pictures, roughly: what is drawn as one, or as text, and what is joined into one.
bool is_picture(char32_t code) {
  static constexpr std::array<CodePoints, 9> pictures{{{0xA9, 0xA9},
                                                       {0xAE, 0xAE},
                                                       {0x203C, 0x203C},
                                                       {0x2049, 0x2049},
                                                       {0x2122, 0x2139},
                                                       {0x2190, 0x2BFF},
                                                       {0x3030, 0x303D},
                                                       {0x3297, 0x3299},
                                                       {0x1F000, 0x1FAFF}}};
  return is_in(pictures, code);
}

// Whether an invisible character belongs to a picture: what selects its form behind it, and what
// joins two of them. Alone, and behind letters, they are shown.
bool is_of_picture(std::string_view text, std::size_t at, const CodePoint& point, char32_t before) {
  const std::size_t next = at + point.length;
  const char32_t after = next < text.size() ? decode(text, next).value : 0;
  if (point.value == kZeroWidthJoiner)
    return (is_picture(before) || before == kAsEmoji) && is_picture(after);
  if (point.value != kAsEmoji && point.value != kAsText) return false;
  const bool key = (before >= '0' && before <= '9') || before == '#' || before == '*';
  return is_picture(before) || (key && after == keycap);
}

/// A backslash, the letter and at least so many hexadecimal digits.
void append_hex(std::string& out, char letter, char32_t value, std::size_t digits) {
  std::array<char, 10> buffer{'\\', letter};
  while (digits < 8 && value >> (4 * digits) != 0) ++digits;
  for (std::size_t i = 0; i < digits; ++i)
    buffer[2 + i] = "0123456789abcdef"[value >> (4 * (digits - 1 - i)) & 0xFU];
  out.append(buffer.data(), 2 + digits);
}

/// Of most text all of it: nothing to escape, and a byte for each character.
bool is_plain(unsigned byte) {
  return byte >= 0x20 && byte < 0x7F;
}

/// How many bytes from there on are below 0x80.
std::size_t ascii_run(std::string_view text, std::size_t at) {
  constexpr std::uint64_t kHigh = 0x8080'8080'8080'8080;
  std::size_t end = at;
  for (std::uint64_t eight = 0; end + sizeof eight <= text.size(); end += sizeof eight) {
    std::memcpy(&eight, text.data() + end, sizeof eight);
    if ((eight & kHigh) != 0) break;
  }
  while (end < text.size() && byte_at(text, end) < 0x80) ++end;
  return end - at;
}

/// As JSON has it: UTF-16.
void append_json_escape(std::string& out, char32_t code) {
  constexpr char32_t kFirstOfTwo = 0x10000;
  if (code >= kFirstOfTwo) {
    append_hex(out, 'u', 0xD800 + ((code - kFirstOfTwo) >> 10U), 4);
    code = 0xDC00 + ((code - kFirstOfTwo) & 0x3FFU);
  }
  append_hex(out, 'u', code, 4);
}

void append_escape(std::string& out, char32_t code) {
  switch (code) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  append_hex(out, code < 0x80 ? 'x' : 'u', code, code < 0x80 ? 2 : 4);
}

}  // namespace

CodePoint decode(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return {first, 1};
  std::size_t length = 0;
  char32_t value = 0;
  char32_t least = 0;
  if ((first & 0xE0U) == 0xC0U) {
    length = 2, value = first & 0x1FU, least = 0x80;
  } else if ((first & 0xF0U) == 0xE0U) {
    length = 3, value = first & 0x0FU, least = 0x800;
  } else if ((first & 0xF8U) == 0xF0U) {
    length = 4, value = first & 0x07U, least = 0x10000;
  } else {
    return {};
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text, at + i)) return {};
    value = (value << 6U) | (byte_at(text, at + i) & 0x3FU);
  }
  if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) return {};
  return {value, length};
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    at += ascii_run(text, at);
    if (at == text.size()) break;
    const std::size_t length = decode(text, at).length;
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

bool is_utf8(std::string_view text) {
  return find_invalid_utf8(text) == std::string_view::npos;
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size(); ++columns) {
    const std::size_t plain = ascii_run(text, at);
    columns += plain;
    at += plain;
    if (at == text.size()) break;
    const std::size_t length = decode(text, at).length;
    at += length == 0 ? 1 : length;
  }
  return columns;
}

std::string shorten(std::string_view text, std::size_t limit) {
  if (width(text) <= limit) return std::string(text);
  if (limit == 0) return {};
  std::size_t at = 0;
  for (std::size_t columns = 1; columns < limit; ++columns) {
    const std::size_t length = decode(text, at).length;
    at += length == 0 ? 1 : length;
  }
  return std::string(text.substr(0, at)) + "\u2026";
}

namespace {

/// The text with escapes for all that is unsafe, unless `keeps` says otherwise of it.
template <class Keeps, class Escape, class EscapeByte>
std::string escaped(std::string_view text, Keeps keeps, Escape escape, EscapeByte escape_byte) {
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;  // what was kept last, 0 behind an escape
  for (std::size_t at = 0; at < text.size();) {
    const auto end =
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                         [](char c) { return is_plain(static_cast<unsigned char>(c)); });
    if (const auto plain = static_cast<std::size_t>(end - text.begin()) - at; plain > 0) {
      out.append(text.substr(at, plain));
      at += plain;
      before = byte_at(text, at - 1);
      continue;
    }
    if (const unsigned byte = byte_at(text, at); byte < 0x20 && !keeps(byte)) {
      escape(out, byte);
      before = 0;
      ++at;
      continue;
    }
    const CodePoint point = decode(text, at);
    if (point.length == 0) {
      escape_byte(out, byte_at(text, at));
      before = 0;
      ++at;
      continue;
    }
    if (is_unsafe(point.value) && !keeps(point.value) && !is_of_picture(text, at, point, before)) {
      escape(out, point.value);
      before = 0;
    } else {
      out.append(text.substr(at, point.length));
      before = point.value;
    }
    at += point.length;
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text, Breaks breaks) {
  return escaped(
      text, [&](char32_t code) { return breaks == Breaks::keep && (code == '\n' || code == '\t'); },
      append_escape, [](std::string& out, unsigned byte) { append_hex(out, 'x', byte, 2); });
}

std::string printable_json(std::string_view json) {
  // White space between values: within texts JSON has it as escapes.
  return escaped(
      json, [](char32_t code) { return code < 0x20; }, append_json_escape,
      [](std::string& out, unsigned) { out += "\xEF\xBF\xBD"; });
}

}  // namespace agon::text
