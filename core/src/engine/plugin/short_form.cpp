#include "plugin/short_form.hpp"

#include <agon/error.hpp>

#include "json/parse.hpp"

namespace agon::plugin {
namespace {

namespace bj = boost::json;

/// A value in the short form: JSON where it is JSON, else a plain text.
bj::value short_value(std::string_view text) {
  try {
    return json::parse(text, "value");
  } catch (const Error&) {
    return bj::string(text);
  }
}

}  // namespace

ShortForm parse_short(std::string_view text, const std::string& where) {
  ShortForm form;
  const std::size_t colon = text.find(':');
  form.id = text.substr(0, colon);
  if (colon == std::string_view::npos) return form;
  std::string_view rest = text.substr(colon + 1);
  while (!rest.empty()) {
    // A comma inside brackets, braces or quotes belongs to the value.
    std::size_t end = 0;
    int depth = 0;
    bool quoted = false;
    for (; end < rest.size(); ++end) {
      const char c = rest[end];
      if (c == '"' && (end == 0 || rest[end - 1] != '\\')) quoted = !quoted;
      if (quoted) continue;
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      if (c == ',' && depth == 0) break;
    }
    const std::string_view item = rest.substr(0, end);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw Error(ErrorKind::usage, "'" + std::string(item) + "' is no parameter", where,
                  "write name:key=value,key=value");
    form.params[item.substr(0, equals)] = short_value(item.substr(equals + 1));
    rest = end == rest.size() ? std::string_view{} : rest.substr(end + 1);
  }
  return form;
}

}  // namespace agon::plugin
