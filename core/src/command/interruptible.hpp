#pragma once

#include <functional>

#include "command/command.hpp"
#include "run/interrupt.hpp"

namespace agon::command {

/// Does `work` while signals only ask it to stop; agents hear of that too. `work` calls begin() of
/// the interrupt once matches are played. What fails before because somebody wants to stop is no
/// failure: the exit code is 130 then, and a line says how to begin again.
int interruptible(Invocation& call, const std::function<int(const Interrupt& interrupt)>& work);

}  // namespace agon::command
