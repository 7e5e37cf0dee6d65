#pragma once

#include <agon/export.hpp>
#include <string>

namespace agon::text {

/// A share as "95%", with as many digits as it takes not to round up to 100%.
[[nodiscard]] AGON_API std::string percent(double share);

}  // namespace agon::text
