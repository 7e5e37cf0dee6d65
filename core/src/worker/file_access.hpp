#pragma once

#include <span>
#include <string>

namespace agon::worker {

/// From here on this thread, and what it becomes, reads these files, what is below these folders,
/// and starts programs there; nothing else, and it writes nowhere. Paths that do not exist are
/// passed over. Does nothing where the machine has no Landlock. Throws Error.
void see_only(std::span<const std::string> readable);

}  // namespace agon::worker
