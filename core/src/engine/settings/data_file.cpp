#include "settings/data_file.hpp"

#include <boost/json/value.hpp>

#include "describe/schema.hpp"

namespace agon {

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

}  // namespace agon
