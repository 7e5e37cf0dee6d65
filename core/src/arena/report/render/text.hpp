#pragma once

#include <string>
#include <vector>

#include "report/tables.hpp"

namespace agon::report {

/// A table as words, for people: what all their renderers share.
struct Grid {
  struct Cell {
    std::string words;
    bool figure = false;  ///< numbers, intervals and notes; else a name or other words
  };
  struct Row {
    std::vector<Cell> cells;
    const ReportRow* from = nullptr;  ///< the table's, as long as it lives
    bool heading = false;
    bool below = false;  ///< belongs to the row above, and says more of its figures
  };
  std::vector<text::Column> columns;
  std::vector<const ReportColumn*> from;  ///< the table's, for each, as long as it lives
  std::size_t fixed = 0;  ///< columns repeated where the others do not fit on a page; 0: no breaks
  std::vector<Row> rows;
};

[[nodiscard]] Grid grid_of(const ReportTable& table);

}  // namespace agon::report
