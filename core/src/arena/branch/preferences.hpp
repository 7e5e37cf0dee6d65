#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <iosfwd>
#include <optional>

#include "archive/export/cell.hpp"
#include "stats/estimate.hpp"

namespace agon::archive {
class Archive;
}

namespace agon::branch {

/// What was written of preferences.
struct WrittenPreferences {
  std::size_t pairs = 0;
  std::size_t without_prompt = 0;  ///< left out: no model was called there
};

/// Writes a row for each question whose answers differ in value for sure: the one that is chosen
/// and the one that is rejected, with values, the difference's interval and n. As CSV, or without a
/// reader of that as JSON Lines; docs/branches.md lists the columns.
/// Matches with people are left out. Throws Error when the stream
/// fails.
AGON_API WrittenPreferences export_preferences(const archive::Archive& archive, std::ostream& out,
                                               std::optional<archive::CsvAudience> csv,
                                               const stats::IntervalOptions& options = {});

/// The same for trainers of TRL: the dialogue of the question's call of a model, and the two
/// answers as what the model would say. Questions without a call are left out.
AGON_API WrittenPreferences export_preferences_trl(const archive::Archive& archive,
                                                   std::ostream& out,
                                                   const stats::IntervalOptions& options = {});

}  // namespace agon::branch
