#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

namespace agon::text {

/// Percent-encodes a part of an address (RFC 3986, section 2.1): all but ASCII letters, digits and
/// the characters of `plain`.
[[nodiscard]] AGON_API std::string percent_encoded(std::string_view text, std::string_view plain);

}  // namespace agon::text
