#pragma once

#include <string>
#include <vector>

namespace agon::worker {

/// Loads a plugin, locks itself in and plays what the arena sends. `words`: the command line.
/// Returns the exit code.
int serve_plugin(const std::vector<std::string>& words);

/// Locks itself in and becomes another program.
int run_program(const std::vector<std::string>& words);

/// Locks itself in as for playing, says so, and once its standard input ends makes a call that is
/// not allowed: what is left to return after that is a failure.
int try_lock();

/// Reads process groups from standard input (GroupWatch) and, when that ends with the arena, ends
/// those that are left.
int watch_groups();

/// The value of --memory, in MiB. Throws Error (usage).
int read_memory(const std::string& value);

}  // namespace agon::worker
