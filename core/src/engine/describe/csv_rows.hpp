#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "text/csv.hpp"

namespace agon {

/// A CSV file whose rows are described structs of single values: a column a member, by its name.
/// Columns may stand in any order, and others beside them; an optional member's cell may be empty.
class AGON_API CsvRows {
 public:
  /// Throws Error (invalid) with file and line where a column is missing or there is no header.
  /// `help`: what to use instead.
  CsvRows(const Type& row, std::string_view text, const std::string& file, const std::string& help);

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Where row `i` begins, from 1.
  [[nodiscard]] std::size_t line(std::size_t i) const { return rows_[i].line; }
  /// Reads row `i` into an object that is as it was made. What is wrong with it; empty: nothing.
  [[nodiscard]] std::string read(std::size_t i, void* object) const;

  /// The first line of such a file, with its line break.
  [[nodiscard]] static std::string header(const Type& row);

 private:
  const Type& type_;
  std::vector<text::CsvRow> rows_;
  std::vector<std::size_t> columns_;  // by member
  std::size_t width_ = 0;
};

}  // namespace agon
