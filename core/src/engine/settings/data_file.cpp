#include "settings/data_file.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <charconv>

#include "describe/schema.hpp"

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

std::string data_schema(const Field& setting) {
  const DataFormat format = format_of(setting);
  boost::json::object schema = file_schema(type_of<DataFrame>());
  require_format(schema, format.name, format.version);
  const bool one = setting.type->kind == Kind::structure;
  boost::json::object& rows = schema.at("properties").at("rows").as_object();
  rows["items"] = file_schema(one ? *setting.type : *setting.type->element);
  if (one) rows["maxItems"] = 1;
  return schema_document(format.name.substr(format.name.find('.') + 1), setting.doc,
                         std::move(schema));
}

namespace {

/// The line of a place such as `file:12:3 ($.rows[0])`; 1 where it names none.
std::size_t line_of(std::string_view where, std::string_view file) {
  std::size_t line = 1;
  if (where.starts_with(file) && where.substr(file.size()).starts_with(':')) {
    where.remove_prefix(file.size() + 1);
    std::from_chars(where.data(), where.data() + where.size(), line);
  }
  return line;
}

/// What is wrong with a log, where in it, and what helps. Nobody adds a member to what others
/// published, as the reader of JSON would have it.
std::string reason_of(const Error& error) {
  const std::string& where = error.where();
  const std::size_t path = where.find("($");
  std::string reason = error.problem();
  if (path != where.npos)
    reason += fmt::format(" at {}", where.substr(path + 1, where.size() - path - 2));
  if (error.hint().starts_with("add \""))
    return reason + "; the log is of another version, or was edited: give it as it was published";
  if (path == where.npos && std::count(where.begin(), where.end(), ':') > 1)
    return reason + "; the log is cut, or was edited: fetch it again as it was published";
  return error.hint().empty() ? reason : fmt::format("{}; {}", reason, error.hint());
}

}  // namespace

Imported read_each(std::span<const InputFile> files,
                   const std::function<void(const InputFile&, Imported&)>& read) {
  Imported all;
  for (const InputFile& file : files) {
    const std::size_t before = all.matches.size();
    try {
      read(file, all);
    } catch (const Error& error) {
      all.matches.resize(before);
      all.bad_rows.push_back({file.name, line_of(error.where(), file.name), reason_of(error)});
    }
  }
  return all;
}

}  // namespace agon
