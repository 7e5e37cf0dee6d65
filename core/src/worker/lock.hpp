#pragma once

#include <string>
#include <vector>

namespace agon::worker {

/// What a process may take and read once it is locked in.
struct Room {
  int memory = 1024;  ///< MiB
  /// Files, and folders with all that is below them, beside what every program needs of the system.
  std::vector<std::string> readable;
};

/// Before plugins are loaded. From here on this process has no network, no children, no other
/// threads, no say over other processes, no rights of root, writes to nothing but what is open, and
/// reads the room's files and the system's libraries alone. A call that it may not make ends it
/// with signal SIGSYS, and its name is the last line on standard error. What the machine cannot
/// lock (see LockSupport) stays open; throws Error where it can and does not.
void lock_for_loading(const Room& room);

/// When they are loaded: no file is opened any more, no code comes in, and no number is drawn from
/// the system.
void lock_for_playing();

/// Instead of both, right before another program takes this process over: no network, no children,
/// nothing written; it reads and starts what is in the room and what the system has for everybody.
/// What programs try without meaning harm fails with EPERM; what only an attack does ends it.
void lock_for_program(const Room& room);

}  // namespace agon::worker
