#pragma once

#include "command/command.hpp"

namespace agon::command {

/// `agon play --watch`: plays, and plays again whenever the game's file changes, until somebody
/// wants to stop. Each time in a process of its own, since libraries are never unloaded. Returns
/// the exit code.
int play_again(Invocation& call);

}  // namespace agon::command
