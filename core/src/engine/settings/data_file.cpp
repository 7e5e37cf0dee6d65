#include <fmt/format.h>

#include <agon/conversion.hpp>

#include "settings/data_frame.hpp"

namespace agon {

std::string write_data_file(const DataFormat& format, const DataSource& source,
                            std::span<const std::string> rows) {
  std::string out =
      fmt::format("{{\n  \"format\": \"{}\",\n  \"version\": {},\n  \"source\": {},\n  \"rows\": [",
                  format.name, format.version, write_json(source));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    out += rows[i];
  }
  out += "\n  ]\n}\n";
  return out;
}

}  // namespace agon
