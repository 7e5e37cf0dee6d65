#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace agon::report {

/// The ends of agents' names that tell specs apart, by name of the game and number of the agent's
/// row: ` (model b)`. Only of those that have one.
using AgentsApart = std::map<std::pair<std::string, std::int64_t>, std::string>;

}  // namespace agon::report
