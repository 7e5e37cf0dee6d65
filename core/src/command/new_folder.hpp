#pragma once

#include <string>

#include "command/command.hpp"

namespace agon::command {

/// `agon new game NAME` and `agon new agent NAME`: a folder that builds, tests itself and plays,
/// and on standard output the commands that do so. Returns the exit code.
int make_new_folder(Invocation& call, const std::string& what);

}  // namespace agon::command
