#pragma once

namespace agon::worker {

/// Limits this process for good, and what it will become: memory in MiB, no core, no growing file,
/// few descriptors; no rights of root, none to be won by starting a program. It is ended when the
/// thread that started it ends. Throws Error.
void give_up_rights(int memory);

}  // namespace agon::worker
