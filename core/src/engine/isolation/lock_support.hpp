#pragma once

#include <sys/types.h>

#include <agon/export.hpp>
#include <optional>
#include <string>
#include <vector>

namespace agon {

/// What this machine can lock a process in with.
struct LockSupport {
  bool seccomp = false;  ///< system calls are filtered
  int landlock = 0;      ///< ABI of Landlock, which keeps files from it; 0: there is none
};

/// Asks the system; changes nothing.
[[nodiscard]] AGON_API LockSupport lock_support_of_machine();

/// How many filters of system calls a process has, as the system says; nothing where it does not.
[[nodiscard]] AGON_API std::optional<int> filters_in_force(pid_t process);

/// How many more of them a process of a plugin has than this one, once it is locked in: `loads` a
/// library itself, or became another program. 0 where the machine takes none.
[[nodiscard]] AGON_API int filters_of_locked(bool loads);

/// What stays open without what is missing: a sentence each, for people. Empty where all is there.
[[nodiscard]] AGON_API std::vector<std::string> gaps_of(const LockSupport& support);

}  // namespace agon
