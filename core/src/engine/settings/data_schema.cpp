#include "settings/data_schema.hpp"

#include <agon/data_file.hpp>
#include <agon/describe.hpp>
#include <boost/json/value.hpp>
#include <charconv>

#include "describe/schema.hpp"

namespace agon {

AGON_DESCRIBE(DataSource, (name, "file or collection"),
              (format, "how the rows were written there, or how they were made"),
              (licence, "under which terms they may be used"),
              (note, "anything else: the seed, the filter, a reference"))

namespace {

struct DataFrame {
  std::string format;
  int version = 0;
  DataSource source;
  std::vector<JsonText> rows;
};
AGON_DESCRIBE(DataFrame, (format, "of the file", length(1, 1000)),
              (version, "of the format", at_least(1)), (source, "where the rows come from"),
              (rows, "what the setting holds", length(1, 100'000'000)))

}  // namespace

std::string data_schema(const Field& setting) {
  const std::size_t slash = setting.data.rfind('/');
  const std::string_view format = setting.data.substr(0, slash);
  int version = 0;
  std::from_chars(setting.data.data() + slash + 1, setting.data.data() + setting.data.size(),
                  version);
  boost::json::object schema = file_schema(type_of<DataFrame>());
  require_format(schema, format, version);
  const bool one = setting.type->kind == Kind::structure;
  boost::json::object& rows = schema.at("properties").at("rows").as_object();
  rows["items"] = file_schema(one ? *setting.type : *setting.type->element);
  if (one) rows["maxItems"] = 1;
  return schema_document(format.substr(format.find('.') + 1), setting.doc, std::move(schema));
}

}  // namespace agon
