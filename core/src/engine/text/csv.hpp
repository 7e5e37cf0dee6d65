#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agon::text {

/// One row of a CSV file.
struct CsvRow {
  std::size_t line = 0;  ///< where it begins, from 1
  std::vector<std::string> cells;
};

/// Reads CSV (RFC 4180): quoted cells may hold separators, line breaks and doubled quotes. A byte
/// order mark is passed over, lines may end in CR LF, empty lines are left out, and the separator
/// is a semicolon if the first line has more of them than commas, as spreadsheets of many countries
/// write it. Throws Error (invalid) with the line of a quote that is not closed.
[[nodiscard]] AGON_API std::vector<CsvRow> read_csv(std::string_view text, const std::string& file);

}  // namespace agon::text
