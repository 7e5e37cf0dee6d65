#pragma once

#include <cstddef>
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

}  // namespace agon::json
