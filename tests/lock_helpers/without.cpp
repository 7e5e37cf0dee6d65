// without CALL... -- WORDS...: starts a program for which these system calls do not work, as on a
// machine or in a container that does not have them.
#include <seccomp.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

int main(int argc, char** argv) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  int at = 1;
  for (; at < argc && std::strcmp(argv[at], "--") != 0; ++at)
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name(argv[at]),
                         0) != 0)
      return 2;
  if (at + 1 >= argc || seccomp_load(filter) != 0) return 2;
  execv(argv[at + 1], argv + at + 1);
  return 2;
}
