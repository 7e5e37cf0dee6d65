#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "lock.hpp"
#include "process/isolation.hpp"

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

}  // namespace

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

}  // namespace agon::worker
