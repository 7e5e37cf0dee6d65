#pragma once

#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>

namespace agon::llm::mock {

/// `agon mock-server`.
[[nodiscard]] PluginCommand server_command();

}  // namespace agon::llm::mock
