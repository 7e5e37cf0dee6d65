#pragma once

#include <agon/plugin.hpp>

namespace agon::llm {

/// Adds the model agents, their parts and providers, and `agon mock-server`.
void enter(Registry& registry);

}  // namespace agon::llm
