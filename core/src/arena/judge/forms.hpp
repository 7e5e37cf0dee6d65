#pragma once

#include <agon/export.hpp>
#include <agon/importer.hpp>
#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "judge/dimensions.hpp"
#include "judge/draw.hpp"

namespace agon::judge {

/// Tells one record in words for judges.
using TellRecord = std::function<std::string(const archive::MatchRow& match, int seat)>;

/// Writes what judges get into the folder `out`, which must not exist: instructions.txt,
/// records/R01.txt and so on, and a form for each judge (judge-1.csv). `key`, which must not exist
/// either, says which record is which match and seat; it stays with whoever runs the study. Throws
/// Error if something is there already or cannot be written.
AGON_API void write_forms(const archive::Archive& archive, const std::vector<Drawn>& drawn,
                          const DrawOptions& options, const TellRecord& tell,
                          const std::filesystem::path& out, const std::filesystem::path& key);

/// A record of the key: match and seat.
struct Keyed {
  archive::MatchId match;
  int seat = 0;
  bool identity = true;  ///< the seat was given one, so that IA can be rated
};

/// Reads a key; `identity` is left as it is. Throws Error (invalid) with file and line for what is
/// none.
[[nodiscard]] AGON_API std::map<std::string, Keyed> read_key(const std::filesystem::path& file);

/// A judge's ratings of one record.
struct Rating {
  std::string record;
  std::string judge;
  std::array<std::optional<int>, kDimensions> values{};
};

/// A row that cannot be used.
struct BadRow {
  std::string file;
  std::size_t line = 0;
  std::string problem;
};

/// What was read from forms.
struct ReadForms {
  std::vector<Rating> ratings;  ///< in order of files and lines
  std::vector<Rating> own;      ///< what judges say of their own play, likewise
  std::vector<BadRow> bad;
  std::size_t blank = 0;  ///< rows that nobody has filled in yet
};

/// Reads filled forms. A row that is not as it is described, or for a record that the key does not
/// have, a second rating of a record by the same judge, a row without a judge, and an identity
/// rating where there is no identity are bad. Throws
/// Error (invalid) for a file that is no form, (not_found) for one that cannot be read.
[[nodiscard]] AGON_API ReadForms read_forms(const std::vector<std::string>& files,
                                            const std::map<std::string, Keyed>& key);

}  // namespace agon::judge
