#pragma once

#include <agon/analysis/paper_table.hpp>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shared {

/// What a paper prints in a table: numbers by the labels of rows and columns.
class PublishedTable {
 public:
  /// The table's columns, in the paper's order.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Its rows, likewise.
  [[nodiscard]] const std::vector<std::string>& rows() const { return rows_; }
  /// Whom the rows are about, each once: what stands before ": " or ", " in their labels.
  [[nodiscard]] std::vector<std::string> agents() const;
  [[nodiscard]] bool has_row(std::string_view label) const { return !row(label).empty(); }
  /// The numbers of a row, by column; NaN where the paper prints none. Empty: it has no such row.
  [[nodiscard]] std::span<const double> row(std::string_view label) const;
  /// The number at a place; NaN where the paper prints none.
  [[nodiscard]] double at(std::string_view row, std::string_view column) const;
  /// Puts its numbers beside ours, wherever row and column have the paper's labels. A row "  Bob"
  /// under the heading "setting 1" is "setting 1: Bob" in the paper's table.
  void fill(agon::PaperTable& table) const;

 private:
  friend class PublishedTables;
  std::vector<std::string> columns_, rows_;
  std::vector<std::vector<double>> numbers_;  ///< by row
};

/// The tables of a game's published.json, by id:
///
///     {"k-level/table-8-guess": {
///       "source": "Zhang et al., K-Level Reasoning (2024), table 8, left",
///       "columns": ["Direct", "K-R", "K-R (k=3)"],
///       "rows": {"Direct": [0.43, 0.82, 0.77], "K-R": [0.04, 0.52, 0.60]}}}
///
/// A number is null where the paper prints none. CMake compiles the file into the game, as
/// plugins open no files: `published(id)` in the game's namespace is a table of it.
class PublishedTables {
 public:
  /// Throws Error (failure) with file and JSON path for anything else.
  PublishedTables(std::string_view json, std::string file);
  /// Throws Error (failure) if there is none.
  [[nodiscard]] const PublishedTable& operator[](std::string_view id) const;

 private:
  std::string file_;
  std::map<std::string, PublishedTable, std::less<>> tables_;
};

}  // namespace shared
