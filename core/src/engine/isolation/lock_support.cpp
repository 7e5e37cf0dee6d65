#include "isolation/lock_support.hpp"

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace agon {

LockSupport lock_support_of_machine() {
  LockSupport support;
  // A filter that cannot be read is refused as such (EFAULT) only where filters are taken at all.
  support.seccomp =
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, nullptr) == -1 && errno == EFAULT;
  const long abi =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  support.landlock = static_cast<int>(std::max(abi, 0L));
  return support;
}

std::optional<int> filters_in_force(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  constexpr std::string_view kName = "Seccomp_filters:";
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kName)) return std::atoi(line.c_str() + kName.size());
  return std::nullopt;
}

int filters_of_locked(bool loads) {
  if (!lock_support_of_machine().seccomp) return 0;
  return loads ? 3 : 1;
}

std::vector<std::string> gaps_of(const LockSupport& support) {
  std::vector<std::string> gaps;
  if (!support.seccomp)
    gaps.emplace_back(
        "no system call is refused here (seccomp is missing or refused): code of plugins in "
        "processes of their own can open connections and start programs");
  if (support.landlock == 0)
    gaps.emplace_back(
        "no file is hidden here (Landlock is missing or refused): programs that play, and plugins "
        "while they are loaded, can read what you can read");
  return gaps;
}

}  // namespace agon
