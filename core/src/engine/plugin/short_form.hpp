#pragma once

#include <agon/export.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

namespace agon::plugin {

/// What `name:key=value,key=value` says.
struct ShortForm {
  std::string id;
  boost::json::object params;
};

/// Reads the short form of an agent or a part: values are JSON where they are JSON, else texts.
/// Throws Error (usage), led by `where`.
[[nodiscard]] AGON_API ShortForm parse_short(std::string_view text, const std::string& where);

}  // namespace agon::plugin
