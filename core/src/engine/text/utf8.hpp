#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace agon::text {

/// One code point read from UTF-8.
struct CodePoint {
  char32_t value = 0;      ///< the code point, 0 when the bytes are invalid
  std::size_t length = 0;  ///< bytes it takes, 0 when the bytes are invalid
};

/// Reads the code point that starts at byte `at` (below `text.size()`). Overlong forms, surrogates
/// and values above U+10FFFF are invalid (RFC 3629, section 4).
AGON_API CodePoint decode(std::string_view text, std::size_t at);

/// The offset of the first byte that is not valid UTF-8, or `std::string_view::npos`.
AGON_API std::size_t find_invalid_utf8(std::string_view text);

/// True when all of `text` is valid UTF-8.
AGON_API bool is_utf8(std::string_view text);

/// How many columns `text` takes on a terminal, approximated by its code points (an invalid byte
/// counts as one). Wide East Asian and combining characters are therefore off by one each.
AGON_API std::size_t width(std::string_view text);

/// The longest beginning of `text` that is at most `limit` code points wide; when something was cut
/// off, the last column holds an ellipsis.
AGON_API std::string shorten(std::string_view text, std::size_t limit);

/// Whether `printable` keeps line breaks.
enum class Breaks {
  escape,  ///< a line break is shown as `\n`, so that the result is one line
  keep,    ///< line breaks and tabs are kept
};

/// Makes untrusted text safe to show on a terminal: control characters (and so every terminal
/// escape sequence), characters that reorder or hide text or that nobody sees, and invalid bytes
/// are replaced by visible escapes such as `\x1b`, `\u202e` and `\u200b`. Everything else is kept,
/// and so is what selects and joins emoji (a family is one picture); the tags of regional flags,
/// and the joiners of Arabic and Indic scripts, are escaped. Not meant to be read back.
AGON_API std::string printable(std::string_view text, Breaks breaks = Breaks::escape);

/// The same for JSON, which stands for the same data afterwards: what is replaced are characters of
/// its texts, and their escapes are JSON's own.
AGON_API std::string printable_json(std::string_view json);

}  // namespace agon::text
