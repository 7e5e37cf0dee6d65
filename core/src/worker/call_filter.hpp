#pragma once

namespace agon::worker {

/// Filters of system calls. Each stays for good, also over the start of a program, and a call has
/// to pass all that were set. They do nothing where the machine takes none; they throw Error.

/// While plugins are loaded. A call that is not allowed ends the process with SIGSYS, and its name
/// is told on standard error before.
void filter_calls_of_loading();
/// While a loaded plugin plays: after the first, narrower. It was made before the plugin came.
void filter_calls_of_playing();
/// Of a program that is about to be started.
void filter_calls_of_program();

}  // namespace agon::worker
