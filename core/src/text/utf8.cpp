#include "text/utf8.hpp"

#include <array>
#include <charconv>

namespace agon::text {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
  return at < text.size() && (byte_at(text, at) & 0xC0U) == 0x80U;
}

// Characters that a terminal acts on, or that make text look like what it is not.
bool is_unsafe(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) ||  // control characters
         code == 0x061C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) ||  // separators, direction overrides
         (code >= 0x2066 && code <= 0x2069) ||  // direction isolates
         code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFB) ||
         (code >= 0xE0000 && code <= 0xE007F);  // invisible tags
}

void append_hex(std::string& out, char32_t value, std::size_t digits) {
  std::array<char, 8> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<unsigned>(value), 16)
          .ptr;
  const auto size = static_cast<std::size_t>(end - buffer.data());
  if (size < digits) out.append(digits - size, '0');
  out.append(buffer.data(), size);
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
  out += code < 0x80 ? "\\x" : "\\u";
  append_hex(out, code, code < 0x80 ? 2 : 4);
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

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&out](char32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

std::size_t find_invalid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (byte_at(text, at) < 0x80) {
      ++at;
      continue;
    }
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

std::string printable(std::string_view text, Breaks breaks) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode(text, at);
    if (point.length == 0) {
      out += "\\x";
      append_hex(out, byte_at(text, at), 2);
      ++at;
      continue;
    }
    const bool kept_break = breaks == Breaks::keep && (point.value == '\n' || point.value == '\t');
    if (is_unsafe(point.value) && !kept_break) {
      append_escape(out, point.value);
    } else {
      out.append(text.substr(at, point.length));
    }
    at += point.length;
  }
  return out;
}

}  // namespace agon::text
