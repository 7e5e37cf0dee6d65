#include "json/write.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "text/utf8.hpp"

namespace agon::json {
namespace {

namespace bj = boost::json;

// The longest array of scalars, in code points, that is written on one line.
constexpr std::size_t kOneLine = 76;

std::string_view view(bj::string_view text) {
  return {text.data(), text.size()};
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

/// Where the plain characters from `at` on end. Eight at a time: nearly all of a text are plain.
std::size_t plain_end(std::string_view text, std::size_t at) {
  constexpr std::uint64_t each = 0x0101010101010101U;
  constexpr std::uint64_t high = 0x80 * each;
  const auto has_none = [](std::uint64_t bytes, std::uint64_t below) {
    return ((bytes - below * each) & ~bytes & high) == 0;
  };
  for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    if ((bytes & high) != 0 || !has_none(bytes, 0x20) || !has_none(bytes ^ ('"' * each), 1) ||
        !has_none(bytes ^ ('\\' * each), 1))
      break;
  }
  while (at < text.size() && is_plain(text[at])) ++at;
  return at;
}

void append_control(std::string& out, char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  switch (c) {
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
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
  const auto byte = static_cast<unsigned char>(c);
  const std::array<char, 6> escape{'\\', 'u', '0', '0', digits[byte >> 4U], digits[byte & 0xFU]};
  out.append(escape.data(), escape.size());
}

void append_scalar(std::string& out, const bj::value& value) {
  switch (value.kind()) {
    case bj::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      return;
    case bj::kind::int64:
      append_number(out, value.get_int64());
      return;
    case bj::kind::uint64:
      append_number(out, value.get_uint64());
      return;
    case bj::kind::double_:
      append_number(out, value.get_double());
      return;
    case bj::kind::string:
      append_string(out, view(value.get_string()));
      return;
    default:
      out += "null";
      return;
  }
}

void append_pretty(std::string& out, const bj::value& value, std::size_t indent);

// The array as `[1, 2, 3]`, or nothing when it does not fit a line.
std::string flat(const bj::array& array) {
  std::string out = "[";
  for (const bj::value& element : array) {
    if (element.is_structured()) return {};
    if (out.size() > 1) out += ", ";
    append_scalar(out, element);
    if (out.size() > 4 * kOneLine) return {};
  }
  out += "]";
  return text::width(out) <= kOneLine ? out : std::string();
}

void append_pretty(std::string& out, const bj::array& array, std::size_t indent) {
  if (const std::string line = flat(array); !line.empty()) {
    out += line;
    return;
  }
  char before = '[';
  for (const bj::value& element : array) {
    out += before;
    out += '\n';
    out.append(indent + 2, ' ');
    append_pretty(out, element, indent + 2);
    before = ',';
  }
  out += '\n';
  out.append(indent, ' ');
  out += ']';
}

void append_pretty(std::string& out, const bj::object& object, std::size_t indent) {
  if (object.empty()) {
    out += "{}";
    return;
  }
  char before = '{';
  for (const auto& member : object) {
    out += before;
    out += '\n';
    out.append(indent + 2, ' ');
    append_string(out, view(member.key()));
    out += ": ";
    append_pretty(out, member.value(), indent + 2);
    before = ',';
  }
  out += '\n';
  out.append(indent, ' ');
  out += '}';
}

void append_pretty(std::string& out, const bj::value& value, std::size_t indent) {
  if (const bj::array* array = value.if_array()) {
    append_pretty(out, *array, indent);
  } else if (const bj::object* object = value.if_object()) {
    append_pretty(out, *object, indent);
  } else {
    append_scalar(out, value);
  }
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  // It comes in pieces: they find their room at once. Prompts have an escape in fifty letters.
  const std::size_t most = text.size() + text.size() / 32 + 2;
  if (out.capacity() - out.size() < most)
    out.reserve(std::max(2 * out.capacity(), out.size() + most));
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = plain_end(text, at);
    out.append(text.substr(at, end - at));
    at = end;
    if (at == text.size()) break;
    const char c = text[at];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append_control(out, c);
      ++at;
    } else if (const std::size_t length = text::decode(text, at).length; length != 0) {
      out.append(text.substr(at, length));
      at += length;
    } else {
      out += "\xEF\xBF\xBD";
      ++at;
    }
  }
  out += '"';
}

void append_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  std::array<char, 32> buffer;
  // Whole numbers, which most are, take a tenth of the time as integers. (-0.0 is none.)
  if (std::abs(number) < 1e15 && number == std::trunc(number) && !std::signbit(number)) {
    append_number(out, static_cast<std::int64_t>(number));
    out += ".0";
    return;
  }
  // Left to itself, to_chars writes 100000 as 1e+05.
  const double magnitude = std::abs(number);
  const bool fixed = magnitude == 0 || (magnitude >= 1e-5 && magnitude < 1e15);
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number,
                                 fixed ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  out.append(buffer.data(), end);
  if (std::find_if(buffer.data(), end, [](char c) { return c == '.' || c == 'e'; }) == end) {
    out += ".0";
  }
}

void append(std::string& out, const bj::value& value) {
  char separator = '\0';
  const auto separate = [&] {
    if (separator != '\0') out += separator;
    separator = ',';
  };
  if (const bj::array* array = value.if_array()) {
    out += '[';
    for (const bj::value& element : *array) {
      separate();
      append(out, element);
    }
    out += ']';
  } else if (const bj::object* object = value.if_object()) {
    out += '{';
    for (const auto& member : *object) {
      separate();
      append_string(out, view(member.key()));
      out += ':';
      append(out, member.value());
    }
    out += '}';
  } else {
    append_scalar(out, value);
  }
}

std::string write(const bj::value& value) {
  std::string out;
  append(out, value);
  return out;
}

std::string write_pretty(const bj::value& value) {
  std::string out;
  append_pretty(out, value, 0);
  return text::printable_json(out);
}

}  // namespace agon::json
