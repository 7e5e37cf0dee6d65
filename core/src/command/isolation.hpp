#pragma once

#include <string>

#include "isolation/isolation.hpp"

namespace agon::command {

/// What a value of --isolate says. Throws Error (usage) if it is none.
[[nodiscard]] Isolate read_isolate(const std::string& option);

/// Throws Error (preflight) if plugins are always to be kept apart and this machine cannot do it.
void require_possible(const Isolation& isolation);

/// Locks a process in and has it try what it may not: what went wrong, empty if nothing did. For a
/// machine that filters system calls.
[[nodiscard]] std::string problem_of_lock();

}  // namespace agon::command
