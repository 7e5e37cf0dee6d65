#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace agon::archive {

/// Where a row has nothing to say: its column belongs to other games.
struct Absent {
  bool operator==(const Absent&) const = default;
};
/// JSON text.
struct ExportJson {
  std::string text;
  bool operator==(const ExportJson&) const = default;
};

/// One value of an exported row. NaN stands for a value that is not defined.
using ExportCell = std::variant<Absent, std::int64_t, double, std::string, ExportJson>;

/// The cells of a row, each with the name of its column.
using NamedCells = std::vector<std::pair<std::string_view, ExportCell>>;

/// Appends a cell as JSON; Absent and NaN become null.
AGON_API void append_json(std::string& out, const ExportCell& cell);

/// Who reads CSV.
enum class CsvAudience {
  data,         ///< a program: texts are as they are
  spreadsheet,  ///< a person: what is no number and would be a formula begins with an apostrophe,
                ///< and what nobody sees are visible escapes
};

/// Appends a cell as a CSV field (RFC 4180): quoted where it holds a comma, a quote or a line
/// break; Absent and NaN are empty.
AGON_API void append_csv(std::string& out, const ExportCell& cell,
                         CsvAudience reader = CsvAudience::data);

/// The cells of a row as a line of CSV, with its end.
template <class Cells>
std::string csv_line(const Cells& cells, CsvAudience reader = CsvAudience::data) {
  std::string line;
  bool first = true;
  for (const auto& cell : cells) {
    if (!std::exchange(first, false)) line += ',';
    append_csv(line, cell, reader);
  }
  return line + "\r\n";
}

/// A number of minor units as a decimal text: 1250 with 2 decimals is "12.50". NaN becomes Absent,
/// a number with 0 decimals itself.
AGON_API ExportCell decimal(double minor_units, int decimals);

/// Billionths of a US dollar as dollars, with at least two decimals: 1'500'000 is "0.0015".
AGON_API std::string dollars(std::int64_t billionths);

/// A count that is below 0 where it is not known; then Absent.
AGON_API ExportCell cell_if_known(std::int64_t value);

/// Billionths of a US dollar as `dollars` writes them; Absent where they are not known.
AGON_API ExportCell money_cell(const std::optional<std::int64_t>& billionths);

/// Milliseconds since 1970 as "2026-11-20T12:34:56.789Z".
AGON_API std::string utc(std::int64_t milliseconds);

}  // namespace agon::archive
