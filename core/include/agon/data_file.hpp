#pragma once

#include <agon/export.hpp>
#include <span>
#include <string>
#include <string_view>

/// @file
/// The frame of Agon's own data files, which importers write and settings read
/// (agon::data_file("agon.GAME.WHAT/1") says which setting takes which):
///
///     {"format": "agon.GAME.WHAT", "version": 1,
///      "source": {"name": "...", "format": "...", "licence": "...", "note": "..."},
///      "rows": [
///     ...one row a line...
///     ]}
///
/// `source` and each of its members may be absent. Nothing else may be in it but "$schema", by
/// which an editor finds the JSON Schema that `agon describe GAME.WHAT --schema` prints.
namespace agon {

/// Where the rows of a data file come from. Free text, for people; any of it may be empty.
struct DataSource {
  std::string name;     ///< file or collection
  std::string format;   ///< how they were written there, or how they were made
  std::string licence;  ///< under which terms they may be used
  std::string note;     ///< anything else: the seed, the filter, a reference

  /// Equal in all members.
  friend bool operator==(const DataSource&, const DataSource&) = default;
};

/// What a data file is one of.
struct DataFormat {
  std::string_view name;  ///< "agon.bargaining.products"
  int version = 1;        ///< raised where old files cannot be read as new ones
};

/// Writes the file with its rows, each JSON on one line already, and a line break at the end.
[[nodiscard]] AGON_API std::string write_data_file(const DataFormat& format,
                                                   const DataSource& source,
                                                   std::span<const std::string> rows);

}  // namespace agon
