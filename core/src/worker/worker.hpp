#pragma once

#include <string>
#include <vector>

namespace agon::worker {

/// Loads a plugin, locks itself in and plays what the arena sends. `words`: the command line.
/// Returns the exit code.
int serve_plugin(const std::vector<std::string>& words);

/// Locks itself in and becomes another program.
int run_program(const std::vector<std::string>& words);

}  // namespace agon::worker
