#include "llm/wire/form.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

namespace agon::llm {
namespace {

namespace bj = boost::json;

void remove_bounds(bj::value& value) {
  if (value.is_array()) {
    for (bj::value& element : value.get_array()) remove_bounds(element);
    return;
  }
  if (!value.is_object()) return;
  bj::object kept;
  for (auto& member : value.get_object()) {
    const std::string_view key = member.key();
    bool bound = false;
    for (const std::string_view name : {"minimum", "maximum", "multipleOf", "minLength",
                                        "maxLength", "minItems", "maxItems", "pattern"})
      // A member of the answer may well be called "minimum": its value is then an object.
      bound = bound || (key == name && !member.value().is_object());
    if (bound) continue;
    remove_bounds(member.value());
    kept[member.key()] = std::move(member.value());
  }
  value = std::move(kept);
}

}  // namespace

std::string schema_for_wire(std::string_view schema, bool lean, bool& wrapped) {
  wrapped = false;
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  bj::value root = bj::parse(bj::string_view(schema.data(), schema.size()), code, {}, options);
  if (code || !root.is_object()) return std::string(schema);
  bj::object body;
  for (auto& member : root.get_object())
    if (member.key() != "$schema") body[member.key()] = std::move(member.value());
  bj::value result(std::move(body));
  if (lean) remove_bounds(result);
  const bj::value* type = result.get_object().if_contains("type");
  if (type == nullptr || !type->is_string() || type->get_string() != "object") {
    wrapped = true;
    result = bj::object{{"type", "object"},
                        {"properties", bj::object{{"answer", std::move(result)}}},
                        {"required", bj::array{"answer"}},
                        {"additionalProperties", false}};
  }
  return bj::serialize(result);
}

void unwrap(std::string& text) {
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  const bj::value value = bj::parse(text, code, {}, options);
  if (code || !value.is_object()) return;
  const bj::object& o = value.get_object();
  if (o.size() != 1 || !o.contains("answer")) return;
  const std::size_t colon = text.find(':', text.find("\"answer\""));
  const std::size_t end = text.rfind('}');
  text = text.substr(colon + 1, end - colon - 1);
}

bool speaks_of_json(const std::vector<ChatMessage>& messages) {
  return std::any_of(messages.begin(), messages.end(), [](const ChatMessage& m) {
    return m.text.find("JSON") != std::string::npos || m.text.find("json") != std::string::npos;
  });
}

}  // namespace agon::llm
