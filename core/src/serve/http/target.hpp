#pragma once

#include <agon/export.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace agon::serve {

/// What stands behind the method in a request's first line.
struct Target {
  std::string path;  ///< decoded
  std::map<std::string, std::string> query{};
};

/// Reads "/path?name=value" (RFC 3986, section 3). Nothing if it has no path, an escape that is
/// none, a control character, bytes that are no UTF-8, or a segment "." or "..". Of a name that
/// comes twice in the query the last counts.
AGON_API std::optional<Target> read_target(std::string_view text);

/// Adds the cookies of a header (RFC 6265, section 4.2.1). Of a name that comes twice the first
/// counts, which is that of the longest path.
AGON_API void read_cookies(std::string_view header, std::map<std::string, std::string>& cookies);

}  // namespace agon::serve
