#pragma once

#include <agon/describe.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "describe/in_order.hpp"
#include "json/parse.hpp"

namespace agon {

/// What stands in a file, for whose form the file's description does not speak.
[[nodiscard]] inline boost::json::value parsed(const JsonText& json) {
  return json::parse(json.text, "");
}
[[nodiscard]] inline boost::json::object parsed(const InOrder<JsonText>& members) {
  boost::json::object all;
  for (const auto& [name, value] : members) all[name] = parsed(value);
  return all;
}

}  // namespace agon
