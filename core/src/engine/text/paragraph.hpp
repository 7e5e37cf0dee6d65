#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <string>
#include <string_view>

namespace agon::text {

/// How a paragraph is laid out.
struct ParagraphLayout {
  std::size_t indent = 2;     ///< columns before every line
  std::string_view bullet{};  ///< before the first line; the others are moved right by as much
  std::size_t columns = 100;  ///< of the page; a longer word stands on a line of its own
};

/// Breaks words into lines, each ended by a line break. They are untrusted and made printable.
[[nodiscard]] AGON_API std::string paragraph(std::string_view words,
                                             const ParagraphLayout& layout = {});

}  // namespace agon::text
