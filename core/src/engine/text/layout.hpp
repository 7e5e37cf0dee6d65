#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agon::text {

/// The side to which a column's cells are moved.
enum class Align {
  left,   ///< words
  right,  ///< numbers
};

/// One column of a table.
struct Column {
  std::string header;         ///< may be empty; when all are, the header line is left out
  Align align = Align::left;  ///< for the header as well
  /// A wider header is cut with an ellipsis, and so are wider cells, unless cells of the column
  /// that differ would then read the same; 0: none.
  std::size_t limit = 0;
};

/// Whether texts that differ still do when each is cut to `limit`; 0: not cut.
[[nodiscard]] AGON_API bool stay_apart(const std::vector<std::string>& texts, std::size_t limit);

/// A text table for terminals: columns two spaces apart, as wide as their widest cell in code
/// points. Cells are untrusted: they are made printable, and stay on one line.
class AGON_API TextTable {
 public:
  explicit TextTable(std::vector<Column> columns);

  /// Adds a row; cells that are missing at its end are empty. Throws std::invalid_argument when
  /// there are more cells than columns.
  void add(std::vector<std::string> cells);

  [[nodiscard]] bool empty() const { return rows_.empty(); }

  /// Header, a line of dashes and rows, each ended by a line break, without trailing spaces. Every
  /// line is moved right by `indent` spaces.
  [[nodiscard]] std::string str(std::size_t indent = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

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
