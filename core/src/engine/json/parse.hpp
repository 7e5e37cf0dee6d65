#pragma once

#include <agon/export.hpp>
#include <boost/json/fwd.hpp>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace agon::json {

/// A JSON text whose comments are overwritten with spaces. Every other byte, and every line break,
/// stays where it was, so positions are those of the original.
///
/// Boost.JSON 1.81 can read comments itself, but misses the end of one that closes with `**/`.
class Uncommented {
 public:
  /// Copies `text` only when it holds a comment; otherwise `text` must outlive this object. A byte
  /// order mark at the start is blanked as well.
  explicit Uncommented(std::string_view text);
  Uncommented(const Uncommented&) = delete;
  Uncommented& operator=(const Uncommented&) = delete;

  /// The text without comments.
  [[nodiscard]] std::string_view text() const { return copied_ ? copy_ : original_; }

  /// Where a `/*` begins that is never closed, or `std::string_view::npos`.
  [[nodiscard]] std::size_t unclosed() const { return unclosed_; }

 private:
  void blank(std::size_t begin, std::size_t end);

  std::string_view original_;
  std::string copy_;
  bool copied_ = false;
  std::size_t unclosed_ = std::string_view::npos;
};

/// How deeply arrays and objects may be nested.
inline constexpr std::size_t max_depth = 64;

/// Reads one JSON value, with `//` and `/* */` comments allowed anywhere between tokens and a byte
/// order mark at the start ignored. Stricter than usual, so that nothing is silently changed:
/// doubles are the nearest to the text, integers fit 64 bits (signed where they can be), names are
/// unique within their object, and trailing commas, NaN and Infinity are refused.
///
/// Throws Error (invalid) that says `file:line:column`, what is wrong there and how to fix it.
/// Include <boost/json/value.hpp> to use the result.
AGON_API boost::json::value parse(std::string_view text, std::string_view file);

/// True for what `parse` reads and that has no comments, so that it can stand in other JSON.
AGON_API bool is_value(std::string_view text);

/// Reads a whole file. Throws Error: not_found when there is none, failure when it is a directory,
/// cannot be read or is larger than 256 MiB.
AGON_API std::string read_file(const std::filesystem::path& path);

/// `parse` over `read_file`.
AGON_API boost::json::value parse_file(const std::filesystem::path& path);

}  // namespace agon::json
