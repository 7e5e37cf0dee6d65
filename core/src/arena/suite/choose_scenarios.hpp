#pragma once

#include <agon/export.hpp>
#include <string>
#include <vector>

namespace agon {

struct Suite;

/// Leaves only the scenarios of these names in the suite; all, if there are none. Their matches are
/// the whole suite's. Throws Error (usage) for a name that no scenario has.
AGON_API void choose_scenarios(Suite& suite, const std::vector<std::string>& names);

}  // namespace agon
