#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

/// Where the rows of a data file come from. Free text, for people; any of it may be empty.
struct DataSource {
  std::string name;
  std::string format;
  std::string licence;
  std::string note;

  /// Equal in all members.
  friend bool operator==(const DataSource&, const DataSource&) = default;
};
AGON_DESCRIBE(DataSource, (name, "file or collection"),
              (format, "how the rows were written there, or how they were made"),
              (licence, "under which terms they may be used"),
              (note, "anything else: the seed, the filter, a reference"))

/// What a data file is one of.
struct DataFormat {
  std::string_view name;  ///< "agon.bargaining.products"
  int version = 1;        ///< raised where old files cannot be read as new ones
};

/// What is around the rows of a data file, which the setting that takes them describes:
///
///     {"format": "agon.GAME.WHAT", "version": 1,
///      "source": {"name": "...", "format": "...", "licence": "...", "note": "..."},
///      "rows": [
///     ...one row a line...
///     ]}
///
/// `source` and each of its members may be absent. Nothing else may be in it but "$schema", by
/// which an editor finds the JSON Schema that `agon describe GAME.WHAT --schema` prints.
struct DataFrame {
  std::string format;
  int version = 0;
  DataSource source;
  std::vector<JsonText> rows;
};
AGON_DESCRIBE(DataFrame, (format, "of the file", length(1, 1000)),
              (version, "of the format", at_least(1)), (source, "where the rows come from"),
              (rows, "what the setting holds", length(1, 100'000'000)))

/// The format of the data files that a setting takes.
[[nodiscard]] inline DataFormat format_of(const Field& setting) {
  const std::size_t slash = setting.data.rfind('/');
  DataFormat format{setting.data.substr(0, slash)};
  std::from_chars(setting.data.data() + slash + 1, setting.data.data() + setting.data.size(),
                  format.version);
  return format;
}

/// The JSON Schema of the data files that a setting takes by name.
[[nodiscard]] AGON_API std::string data_schema(const Field& setting);

}  // namespace agon
