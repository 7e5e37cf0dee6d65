#include "lock.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string>

#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "process/sanitized.hpp"

namespace agon::worker {
namespace {

class Descriptor {
 public:
  explicit Descriptor(long fd) : fd_(static_cast<int>(fd)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

/// All that the ABI can forbid: 13 kinds of access at first, one more with the second and with the
/// third. (What came later is about sockets, devices and signals, which the filter of calls has.)
std::uint64_t all_access(int abi) {
  return (std::uint64_t{1} << (12 + std::clamp(abi, 1, 3))) - 1;
}

/// From here on this thread, and what it becomes, reads these files, what is below these folders,
/// and starts programs there; nothing else, and it writes nowhere. Paths that do not exist are
/// passed over. Does nothing where the machine has no Landlock. Throws Error.
void see_only(std::span<const std::string> readable) {
  const int abi = lock_support_of_machine().landlock;
  if (abi == 0) return;
  landlock_ruleset_attr all{};  // newer headers have more members
  all.handled_access_fs = all_access(abi);
  const Descriptor rules(syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0));
  if (rules.get() < 0) fail_to_lock("Landlock", errno);
  for (const std::string& path : readable) {
    const Descriptor there(open(path.c_str(), O_PATH | O_CLOEXEC));
    struct stat status {};
    if (there.get() < 0 || fstat(there.get(), &status) != 0) continue;
    landlock_path_beneath_attr rule{LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
                                    there.get()};
    if (S_ISDIR(status.st_mode)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
    if (syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
      fail_to_lock("Landlock", errno, path);
  }
  if (syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0) fail_to_lock("Landlock", errno);
}

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

/// Limits this process for good, and what it will become: memory in MiB, no core, no growing file,
/// few descriptors; no rights of root, none to be won by starting a program. It is ended when the
/// thread that started it ends. Throws Error.
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

/// What every program needs of the system: what is installed for everybody, nothing of anybody's.
const std::vector<std::string> kSystem{
    "/usr",      "/lib",      "/lib64",         "/lib32",
    "/bin",      "/sbin",     "/etc/localtime", "/etc/ld.so.cache",
    "/dev/null", "/dev/zero", "/dev/urandom",   "/dev/random"};

void see_room(const Room& room, std::vector<std::string> system) {
  system.insert(system.end(), room.readable.begin(), room.readable.end());
  see_only(system);
}

}  // namespace

void lock_for_loading(const Room& room) {
  give_up_rights(room.memory);
  const std::string own_libraries = plugin::program_folder() / "..";
  see_room(room, {"/usr/lib", "/usr/lib64", "/usr/lib32", "/usr/local/lib", "/lib", "/lib64",
                  "/lib32", "/etc/ld.so.cache", own_libraries});
  filter_calls_of_loading();
}

void lock_for_playing() {
  filter_calls_of_playing();
}

void lock_for_program(const Room& room) {
  give_up_rights(room.memory);
  see_room(room, kSystem);
  filter_calls_of_program();
}

}  // namespace agon::worker
