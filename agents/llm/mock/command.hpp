#pragma once

#include <agon/plugin.hpp>

namespace agon::llm::mock {

/// `agon mock-server`.
[[nodiscard]] PluginCommand server_command();

}  // namespace agon::llm::mock
