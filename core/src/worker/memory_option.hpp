#pragma once

#include <string>

namespace agon::worker {

/// The value of --memory, in MiB. Throws Error (usage).
int read_memory(const std::string& value);

}  // namespace agon::worker
