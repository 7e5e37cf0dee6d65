#pragma once

#include <string>

#include "isolation/isolation.hpp"

namespace agon::command {

/// What a value of --isolate says. Throws Error (usage) if it is none.
[[nodiscard]] Isolate read_isolate(const std::string& option);

/// Throws Error (preflight) if plugins are always to be kept apart and this machine cannot do it.
void require_possible(const Isolation& isolation);

}  // namespace agon::command
