#pragma once

#include <agon/export.hpp>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "archive/archive.hpp"
#include "archive/export/cell.hpp"
#include "archive/export/turns.hpp"

namespace agon::archive {

/// What one row of an export is. docs/archive.md lists the columns.
enum class ExportRows : std::uint8_t {
  seats,    ///< a seat of a finished match
  matches,  ///< a finished match
  records,  ///< a finished match and what happened in it; JSON Lines only
  answers,  ///< a field of an answer, and its value
  turns,    ///< a call of a model, or an answer without one
};

/// What to export.
struct ExportOptions {
  ExportRows rows = ExportRows::seats;
  /// Numbers of the scenarios; empty for all.
  std::vector<std::int64_t> scenarios{};
  /// How `gain` and `counted` treat forced answers: "as-played", "forfeit" or "exclude".
  std::string policy = "as-played";
  /// Needed for `records` and `answers`.
  RecordEntries record_entries{};
  /// Needed for `turns`.
  TurnReader* turns = nullptr;
  CsvAudience reader = CsvAudience::data;
};

/// Writes JSON Lines: one flat object a row, every row with the same members in the same order, as
/// readers of columns need it (pyarrow, DuckDB). What a row's scenario or game does not have, and
/// what is undefined, is null. Throws Error when the stream fails.
AGON_API void export_jsonl(const Archive& archive, std::ostream& out, const ExportOptions& options);

/// Writes CSV (RFC 4180) with a header line. Undefined values are empty. Throws Error when the
/// stream fails, and for `records` (usage).
AGON_API void export_csv(const Archive& archive, std::ostream& out, const ExportOptions& options);

}  // namespace agon::archive
