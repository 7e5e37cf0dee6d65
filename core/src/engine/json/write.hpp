#pragma once

#include <agon/export.hpp>
#include <array>
#include <boost/json/fwd.hpp>
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace agon::json {

/// Appends `text` as a JSON string, quotes included. Bytes that are not valid UTF-8 become U+FFFD,
/// so that the result is always valid JSON.
AGON_API void append_string(std::string& out, std::string_view text);

/// Appends a double in the shortest form that reads back as the same double. Whole numbers keep a
/// `.0` (or an exponent), so that they read back as doubles; NaN and infinities become `null`.
AGON_API void append_number(std::string& out, double number);

/// Appends an integer.
template <std::integral Integer>
requires(!std::same_as<Integer, bool> &&
         !std::same_as<Integer, char>) void append_number(std::string& out, Integer number) {
  std::array<char, 24> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  out.append(buffer.data(), end);
}

/// Appends `value` in its compact form.
void append(std::string& out, const boost::json::value& value);

/// `value` on one line, without spaces. Members keep their order.
AGON_API std::string write(const boost::json::value& value);

/// `value` with an indentation of two spaces, for people: characters that nobody sees are escapes
/// (text::printable_json). Arrays of scalars that fit a line stay on one. There is no line break at
/// the end.
AGON_API std::string write_pretty(const boost::json::value& value);

}  // namespace agon::json
