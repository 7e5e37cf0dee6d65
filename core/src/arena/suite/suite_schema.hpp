#pragma once

#include <agon/export.hpp>
#include <string>

namespace agon {

class Catalogue;

/// The JSON Schema of suites: of their own keys, and of the settings and parameters of all games
/// and agents at hand, so that an editor completes and checks them too.
[[nodiscard]] AGON_API std::string suite_schema(const Catalogue& catalogue);

}  // namespace agon
