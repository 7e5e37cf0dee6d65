#include <fmt/format.h>

#include <agon/data_file.hpp>
#include <agon/json_writer.hpp>

namespace agon {
namespace {

std::string text_of(std::string_view text) {
  std::string json;
  append_json_text(json, text);
  return json;
}

DataSource read_source(const JsonNode& from) {
  from.allow_only({"name", "format", "licence", "note"});
  const auto text = [&](std::string_view name) {
    const auto found = from.find(name);
    return std::string(found ? found->text() : "");
  };
  return {text("name"), text("format"), text("licence"), text("note")};
}

}  // namespace

std::string write_data_file(const DataFormat& format, const DataSource& source,
                            std::span<const std::string> rows) {
  std::string out = fmt::format(
      "{{\n  \"format\": {},\n  \"version\": {},\n  \"source\": {{\"name\": {}, \"format\": {}, "
      "\"licence\": {}, \"note\": {}}},\n  \"rows\": [",
      text_of(format.name), format.version, text_of(source.name), text_of(source.format),
      text_of(source.licence), text_of(source.note));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    out += rows[i];
  }
  out += "\n  ]\n}\n";
  return out;
}

DataRows read_data_file(const DataFormat& format, const JsonDocument& document) {
  const JsonNode root = document.root();
  root.allow_only({"$schema", "format", "version", "source", "rows"});
  if (root["format"].text() != format.name) {
    root["format"].fail(fmt::format("this is not a file of {}", format.what),
                        fmt::format("the format is \"{}\"", format.name));
  }
  if (root["version"].whole() != format.version) {
    root["version"].fail("this version of the format is not known",
                         fmt::format("use version {}", format.version));
  }
  const auto source = root.find("source");
  return {source ? read_source(*source) : DataSource{}, root["rows"]};
}

}  // namespace agon
