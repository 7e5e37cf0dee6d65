#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "archive/export/cell.hpp"
#include "archive/export/spans.hpp"
#include "archive/export/turns.hpp"

/// What an archive is exported as.
namespace agon::archive {

/// What one row of an export is. docs/archive.md lists the columns.
enum class ExportRows : std::uint8_t {
  seats,       ///< a seat of a finished match
  matches,     ///< a finished match
  records,     ///< a finished match and what happened in it; JSON Lines only
  answers,     ///< a field of an answer, and its value
  turns,       ///< a call of a model, or an answer without one
  statements,  ///< what a seat said that the record can check
};

/// What a seat said, and what the record knows of it: docs/words.md.
struct StatementRow {
  std::int64_t seat = 0;
  std::int64_t question = 0;
  NamedCells cells{};  ///< the same names in every row
};
/// Those of a match of this game under these settings, in the order of its record. Without a
/// record, the names of the cells alone, in one row.
using StatementReader = std::function<std::vector<StatementRow>(
    const std::string& game, const hash::Digest& settings, std::string_view record)>;

/// What to export.
struct ExportOptions {
  ExportRows rows = ExportRows::seats;
  /// Numbers of the scenarios; empty for all.
  std::vector<std::int64_t> scenarios{};
  /// How `gain` and `counted` treat forced answers: "as-played", "forfeit" or "exclude".
  std::string policy = "as-played";
  /// Needed for `records` and `answers`.
  RecordEntries record_entries{};
  /// Needed for `statements`.
  StatementReader statements{};
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

/// Writes every call of models, one a row, as CSV (RFC 4180) with a header line, or without a
/// reader of that as JSON Lines; docs/archive.md lists the columns.
/// Messages are a JSON array of {role, text}. What is not known is empty or null. Throws Error when
/// the stream fails.
AGON_API void export_calls(const Archive& archive, std::ostream& out,
                           std::optional<CsvAudience> csv);

/// Layouts of the data sets that trainers of TRL (Hugging Face) read.
enum class TrlLayout : std::uint8_t {
  messages,           ///< the dialogue, what the model said included
  prompt_completion,  ///< the dialogue, and what the model said
  preference,         ///< the dialogue, and of two things said the one with the higher advantage
};

/// Writes the turns of models as JSON Lines, every row with the same members in the same order;
/// docs/training.md lists them. What was refused is left out. A pair is of one group and one
/// prompt: of all that was said there, what has the highest advantage and what has the lowest; so
/// there is one a prompt. Memory grows with the prompts of one block. Throws Error when the stream
/// fails.
AGON_API void export_trl(const Archive& archive, std::ostream& out, TurnReader& turns,
                         TrlLayout layout);

/// Writes matches, questions and model calls as spans of OpenTelemetry: one
/// ExportTraceServiceRequest. A match is a trace whose id is the match's, and its spans' ids follow
/// from that: a viewer that gets them twice has them once. docs/training.md lists the attributes.
/// Throws Error when the stream fails.
AGON_API void export_otlp(const Archive& archive, std::ostream& out, TurnReader& turns,
                          SpanEncoding encoding);

}  // namespace agon::archive
