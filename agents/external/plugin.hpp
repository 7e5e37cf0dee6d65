#pragma once

#include <agon/plugin.hpp>

namespace agon::external {

/// Adds the agent `external` and the command `check-agent`.
void enter(Registry& registry);

}  // namespace agon::external
