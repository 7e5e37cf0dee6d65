#pragma once

#include <agon/export.hpp>
#include <optional>
#include <string>

#include "isolation/isolation.hpp"

namespace agon {

/// How a suite wants plugins to be kept apart.
struct AskedIsolation {
  Isolation isolation;
  std::string where;  ///< "suite.json:4:12 ($.isolate)"
};

/// None if it says nothing of it. Needs no plugins, since they are loaded by it. Throws Error for a
/// suite that cannot be read, and for impossible limits.
[[nodiscard]] AGON_API std::optional<AskedIsolation> asked_isolation(const std::string& text,
                                                                     const std::string& file);

}  // namespace agon
