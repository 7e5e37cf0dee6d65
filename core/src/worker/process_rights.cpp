#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>

#include "lock.hpp"
#include "process/sanitized.hpp"

namespace agon::worker {
namespace {

void require(long result, const std::string& what) {
  if (result != 0) fail_to_lock(what, errno);
}

template <class Resource>
void limit(Resource resource, rlim_t most, const char* name) {
  rlimit now{};
  require(getrlimit(resource, &now), name);
  const rlim_t bound = most < now.rlim_max ? most : now.rlim_max;
  const rlimit both{bound, bound};
  require(setrlimit(resource, &both), name);
}

}  // namespace

void give_up_rights(int memory) {
  constexpr rlim_t kMiB = rlim_t{1} << 20;
  limit(RLIMIT_CORE, 0, "core");
  limit(RLIMIT_FSIZE, 0, "file size");
  limit(RLIMIT_NOFILE, 64, "descriptors");
  limit(RLIMIT_STACK, 8 * kMiB, "stack");
#ifndef AGON_SANITIZED
  // What can be written counts: numerical libraries reserve a lot of addresses and use little. What
  // this does not count is refused by the filter of calls (shared memory), or is little for as many
  // addresses as there may be beside those (tables of pages, one per 2 MiB: 128 MiB in all).
  const rlim_t writable = static_cast<rlim_t>(memory) * kMiB;
  constexpr rlim_t kReserved = rlim_t{64} << 30;
  limit(RLIMIT_DATA, writable, "memory");
  limit(RLIMIT_AS, kReserved + writable, "addresses");
#else
  static_cast<void>(memory);  // a sanitizer takes terabytes of it
#endif
  require(prctl(PR_SET_PDEATHSIG, SIGKILL), "end with the arena");
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges");
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  require(syscall(SYS_capset, &head, none.data()), "capabilities");
}

}  // namespace agon::worker
