#pragma once

#include <agon/plugin_command.hpp>
#include <string>
#include <vector>

#include "command/command.hpp"

namespace agon::command {

/// The manual page agon(1), in roff with the macros of man(7): all commands, out of the tables that
/// --help prints.
[[nodiscard]] std::string manual(const std::vector<Command>& all,
                                 const std::vector<const PluginCommand*>& of_plugins);

}  // namespace agon::command
