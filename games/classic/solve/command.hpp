#pragma once

#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>

namespace classic {

/// `agon solve`: equilibria, dominance, backward induction and bargains of classic games.
[[nodiscard]] agon::PluginCommand solve_command();

}  // namespace classic
