#include <agon/conversion.hpp>
#include <boost/json/object.hpp>

#include "describe/schema.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "report/render.hpp"
#include "report/report_file.hpp"

namespace agon::report {

std::string render_json(const Document& document) {
  return json::write_pretty(json::parse(write_json(report_file::of(document)), "report"));
}

std::string report_schema() {
  boost::json::object schema =
      json::parse(schema_json(type_of<report_file::Report>(), {}), "schema").as_object();
  require_format(schema, report_file::kFormat, report_file::kVersion);
  return schema_document("report", "What agon report --json prints", std::move(schema));
}

}  // namespace agon::report
