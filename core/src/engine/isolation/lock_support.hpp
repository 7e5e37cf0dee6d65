#pragma once

#include <agon/export.hpp>
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

/// What stays open without what is missing: a sentence each, for people. Empty where all is there.
[[nodiscard]] AGON_API std::vector<std::string> gaps_of(const LockSupport& support);

}  // namespace agon
