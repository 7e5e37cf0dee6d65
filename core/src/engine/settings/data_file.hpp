#pragma once

#include <agon/data_file.hpp>
#include <agon/describe.hpp>
#include <charconv>
#include <string>
#include <vector>

namespace agon {

AGON_DESCRIBE(DataSource, (name, "file or collection"),
              (format, "how the rows were written there, or how they were made"),
              (licence, "under which terms they may be used"),
              (note, "anything else: the seed, the filter, a reference"))

/// What is around the rows of a data file, which the setting that takes them describes.
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
