#pragma once

#include <string>
#include <vector>

#include "text/table.hpp"

namespace agon::report {

/// A table whose last columns may be too many for a page: they are then spread over several tables,
/// each of which repeats the first columns.
class WideTable {
 public:
  /// `fixed` columns come first in every part, `spread` are shared out over the parts.
  WideTable(std::vector<text::Column> fixed, std::vector<text::Column> spread);

  /// One cell for every column. `below`: the line belongs to the row before, and is left out of
  /// parts in which it says nothing.
  void add(std::vector<std::string> cells, bool below = false);

  /// All parts, with an empty line between, none wider than `page` unless a single column is.
  [[nodiscard]] std::string str(std::size_t indent = 2, std::size_t page = 100) const;

 private:
  std::vector<text::Column> columns_;
  std::size_t fixed_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<bool> below_;
};

}  // namespace agon::report
