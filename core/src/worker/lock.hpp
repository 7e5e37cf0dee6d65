#pragma once

#include <agon/error.hpp>
#include <string>
#include <system_error>
#include <vector>

namespace agon::worker {

/// The machine can lock, and does not. `error`: of the system; `what` it was asked for.
[[noreturn]] inline void fail_to_lock(const std::string& what, int error,
                                      const std::string& where = {}) {
  throw Error(ErrorKind::failure,
              "cannot lock the process in: " + what + ": " + std::generic_category().message(error),
              where);
}

/// Filters of system calls. Each stays for good, also over the start of a program, and a call has
/// to pass all that were set. They do nothing where the machine takes none; they throw Error.

/// While plugins are loaded. A call that is not allowed ends the process with SIGSYS, and its name
/// is told on standard error before.
void filter_calls_of_loading();
/// While a loaded plugin plays: after the first, narrower. It was made before the plugin came.
void filter_calls_of_playing();
/// Of a program that is about to be started.
void filter_calls_of_program();

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
