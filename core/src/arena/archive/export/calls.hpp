#pragma once

#include <agon/export.hpp>
#include <iosfwd>
#include <optional>

#include "archive/archive.hpp"
#include "archive/export/cell.hpp"

namespace agon::archive {

/// Writes every call of models, one a row, as CSV (RFC 4180) with a header line, or without a
/// reader of that as JSON Lines; docs/archive.md lists the columns.
/// Messages are a JSON array of {role, text}. What is not known is empty or null. Throws Error when
/// the stream fails.
AGON_API void export_calls(const Archive& archive, std::ostream& out,
                           std::optional<CsvAudience> csv);

}  // namespace agon::archive
