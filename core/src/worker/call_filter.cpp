#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lock.hpp"
#include "process/isolation.hpp"
#include "process/sanitized.hpp"

namespace agon::worker {
namespace {

/// What one filter does with calls. Names that this machine does not know are passed over.
class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(seccomp_init(otherwise)) {
    if (context_ == nullptr) fail_to_lock("seccomp_init", ENOMEM);
    set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    set(SCMP_FLTATR_CTL_OPTIMIZE, 2);  // found by halving, not one after the other
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;
  ~Filter() { seccomp_release(context_); }

  void allow(std::initializer_list<const char*> names) { all(SCMP_ACT_ALLOW, names); }
  void all(std::uint32_t action, std::initializer_list<const char*> names) {
    for (const char* name : names) add(action, name, {});
  }
  /// Where all of the conditions hold.
  void allow_where(const char* name, std::initializer_list<scmp_arg_cmp> conditions) {
    add(SCMP_ACT_ALLOW, name, conditions);
  }
  void add(std::uint32_t action, const char* name, std::initializer_list<scmp_arg_cmp> conditions) {
    const int call = seccomp_syscall_resolve_name(name);
    if (call == __NR_SCMP_ERROR) return;
    const int error = seccomp_rule_add_array(
        context_, action, call, static_cast<unsigned>(conditions.size()), conditions.begin());
    if (error != 0) fail_to_lock(name, -error);
  }
  /// As the system takes it.
  [[nodiscard]] std::vector<sock_filter> program() {
    // Files may not grow any more. The longest program fits into a pipe.
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_to_lock("a pipe for the filter of calls", errno);
    if (const int error = seccomp_export_bpf(context_, ends[1]); error != 0)
      fail_to_lock("seccomp_export_bpf", -error);
    close(ends[1]);
    std::vector<sock_filter> program;
    sock_filter one{};
    while (read(ends[0], &one, sizeof one) == sizeof one) program.push_back(one);
    close(ends[0]);
    return program;
  }
  /// From here on it holds.
  void load() {
    if (const int error = seccomp_load(context_); error != 0) fail_to_lock("seccomp_load", -error);
  }

 private:
  void set(scmp_filter_attr attribute, std::uint32_t value) {
    if (const int error = seccomp_attr_set(context_, attribute, value); error != 0)
      fail_to_lock("seccomp_attr_set", -error);
  }

  scmp_filter_ctx context_;
};

/// What calls that do many things are asked to do.
using Commands = std::initializer_list<std::uint64_t>;

scmp_arg_cmp is(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_EQ, value, 0};
}
scmp_arg_cmp is_not(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_NE, value, 0};
}
scmp_arg_cmp below(unsigned argument, std::uint64_t value) {
  return {argument, SCMP_CMP_LT, value, 0};
}
/// Of the bits of `mask`, these are set.
scmp_arg_cmp has(unsigned argument, std::uint64_t mask, std::uint64_t bits) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, bits};
}

/// What code does that only computes and talks over the streams it was given.
void allow_computing(Filter& filter) {
  filter.allow({"read",
                "readv",
                "write",
                "writev",
                "close",
                "lseek",
                "_llseek",
                "poll",
                "ppoll",
                "select",
                "pselect6",
                "fstat",
                "fstat64",
                "brk",
                "munmap",
                "mremap",
                "madvise",
                "futex",
                "futex_time64",
                "clock_gettime",
                "clock_gettime64",
                "clock_getres",
                "clock_nanosleep",
                "nanosleep",
                "gettimeofday",
                "time",
                "times",
                "getrusage",
                "sched_yield",
                "sched_getaffinity",
                "getpid",
                "getppid",
                "gettid",
                "getcpu",
                "sigaltstack",
                "rt_sigprocmask",
                "rt_sigreturn",
                "sigreturn",
                "restart_syscall",
                "exit",
                "exit_group"});
  // The sanitizer of undefined behaviour tries whether memory can be read by writing it to a pipe.
  if (kSanitized) filter.allow({"pipe", "pipe2"});
  const auto self = static_cast<std::uint64_t>(getpid());
  for (const char* name : {"kill", "tgkill"}) filter.allow_where(name, {is(0, self)});
}

/// Memory that counts against the limit: private, or a file that is only read. The stack's own way
/// to grow would count as stack. `forbidden`: what protections must not have.
void allow_memory(Filter& filter, int forbidden) {
  const auto no_code = static_cast<std::uint64_t>(forbidden);
  for (const char* name : {"mmap", "mmap2"}) {
    filter.allow_where(name, {has(2, no_code, 0), has(3, MAP_TYPE | MAP_GROWSDOWN, MAP_PRIVATE)});
    // A shared mapping of what is open for reading can never be written to.
    filter.allow_where(name, {has(2, no_code | PROT_WRITE, 0),
                              has(3, MAP_TYPE | MAP_GROWSDOWN | MAP_ANONYMOUS, MAP_SHARED)});
  }
  // From 2.41 on the C library keeps random numbers of the system in such memory, with all signals
  // blocked, and asks the system each time where there is none.
  constexpr std::uint64_t kDroppable = 8;  // MAP_DROPPABLE
  for (const char* name : {"mmap", "mmap2"})
    filter.add(SCMP_ACT_ERRNO(ENOTSUP), name,
               {has(2, no_code, 0), has(3, MAP_TYPE | MAP_GROWSDOWN, kDroppable)});
  filter.allow_where("mprotect", {has(2, no_code | PROT_GROWSDOWN, 0)});
}

/// What starting and loading reads: files that the process may see, never to be written.
void allow_reading_files(Filter& filter) {
  filter.allow({"pread64",   "preadv",     "stat",      "stat64",     "lstat",     "lstat64",
                "fstatat64", "newfstatat", "statx",     "access",     "faccessat", "faccessat2",
                "readlink",  "readlinkat", "getdents",  "getdents64", "getcwd",    "statfs",
                "statfs64",  "fstatfs",    "fstatfs64", "dup",        "fadvise64", "uname",
                "getuid",    "geteuid",    "getgid",    "getegid",    "getuid32",  "geteuid32",
                "getgid32",  "getegid32"});
  constexpr std::uint64_t kWriting = O_ACCMODE | O_CREAT | O_TRUNC;
  filter.allow_where("open", {has(1, kWriting, O_RDONLY)});
  filter.allow_where("openat", {has(2, kWriting, O_RDONLY)});
  // Not the ways to have a signal sent to another process (F_SETOWN), and no locks.
  for (const char* name : {"fcntl", "fcntl64"})
    for (const std::uint64_t command :
         Commands{F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL})
      filter.allow_where(name, {is(1, command)});
  // Limits are asked for, never set.
  filter.allow({"getrlimit", "ugetrlimit"});
  filter.allow_where("prlimit64", {is(2, 0)});
}

/// Names of calls by number, made before anything is locked: a handler of signals cannot ask.
using Name = std::array<char, 32>;
std::array<Name, 512> names_of_calls;

void learn_names() {
  for (std::size_t call = 0; call < names_of_calls.size(); ++call) {
    const std::unique_ptr<char, decltype(&std::free)> name(
        seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, static_cast<int>(call)), &std::free);
    Name& kept = names_of_calls[call];
    std::snprintf(kept.data(), kept.size(), "%s",
                  name == nullptr ? std::to_string(call).c_str() : name.get());
  }
}

void say(std::string_view text) {
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

extern "C" void tell_and_end(int, siginfo_t* info, void*) {
  const auto call = static_cast<std::size_t>(info->si_syscall);
  say("agon-worker: the call '");
  say(call < names_of_calls.size() ? names_of_calls[call].data() : "of no known name");
  say("' is not allowed\n");
  // The one call that ends the process here: what a plugin did to signals does not count.
  struct sigaction none {};
  syscall(SYS_rt_sigaction, SIGSYS, &none, nullptr, sizeof(sigset_t));
  _exit(1);
}

/// Calls that are not allowed end the process, told by tell_and_end; nobody replaces that.
void guard_handler(Filter& filter) {
  filter.add(SCMP_ACT_KILL_PROCESS, "rt_sigaction", {is(0, SIGSYS)});
  filter.allow_where("rt_sigaction", {is_not(0, SIGSYS)});
}

/// Where the filter of playing lies while plugins are loaded: below all else, so that whatever
/// covers it begins below its end, which the filter of loading tells by the address alone. It is
/// never changed there, and no other one may be loaded: so the number of filters in force, which
/// the arena sees from outside, says that this one is.
constexpr std::uint64_t kSealed = 0x40000;
constexpr std::uint64_t kSealedBytes = 0x20000;

void seal_filter_of_playing() {
  Filter filter(SCMP_ACT_TRAP);
  guard_handler(filter);
  allow_computing(filter);
  allow_memory(filter, PROT_EXEC);
  // What the standard library asks about a stream before it writes to it first.
  filter.allow_where("newfstatat", {is(3, AT_EMPTY_PATH)});
  filter.add(SCMP_ACT_ERRNO(ENOTTY), "ioctl", {});
  const std::vector<sock_filter> program = filter.program();
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  void* const place = mmap(reinterpret_cast<void*>(kSealed), kSealedBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (place == MAP_FAILED) fail_to_lock("memory for the filter of calls", errno);
  auto* const head = static_cast<sock_fprog*>(place);
  auto* const code = reinterpret_cast<sock_filter*>(head + 1);
  if (sizeof *head + program.size() * sizeof(sock_filter) > kSealedBytes)
    fail_to_lock("the filter of calls", E2BIG);
  std::copy(program.begin(), program.end(), code);
  *head = {static_cast<unsigned short>(program.size()), code};
  if (mprotect(place, kSealedBytes, PROT_READ) != 0) fail_to_lock("mprotect", errno);
  // From here on it stays as it is: what would change it begins below its end.
  constexpr std::uint64_t kEnd = kSealed + kSealedBytes;
  Filter seal(SCMP_ACT_ALLOW);
  for (const char* name : {"mprotect", "pkey_mprotect", "munmap", "madvise", "mremap"})
    seal.add(SCMP_ACT_TRAP, name, {below(0, kEnd)});
  seal.add(SCMP_ACT_TRAP, "mremap", {has(3, MREMAP_FIXED, MREMAP_FIXED), below(4, kEnd)});
  for (const char* name : {"mmap", "mmap2"})
    seal.add(SCMP_ACT_TRAP, name, {below(0, kEnd), has(3, MAP_FIXED, MAP_FIXED)});
  seal.load();
}

}  // namespace

void filter_calls_of_loading() {
  if (!lock_support_of_machine().seccomp) return;
  learn_names();
  seal_filter_of_playing();
  struct sigaction action {};
  action.sa_sigaction = &tell_and_end;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSYS, &action, nullptr);
  Filter filter(SCMP_ACT_TRAP);
  guard_handler(filter);
  allow_computing(filter);
  allow_memory(filter, 0);
  allow_reading_files(filter);
  // Libraries for connections prepare their random numbers as they are loaded.
  filter.allow({"getrandom"});
  // Nothing but what comes after loading: a filter of a plugin's own could answer in its place.
  filter.allow_where("seccomp", {is(0, SECCOMP_SET_MODE_FILTER), is(1, 0), is(2, kSealed)});
  filter.add(SCMP_ACT_ERRNO(ENOTTY), "ioctl", {});
  filter.load();
}

void filter_calls_of_playing() {
  // What was possible before the plugin came is possible now; the arena looks whether it was done.
  if (names_of_calls.front().front() == '\0') return;
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, kSealed) != 0)
    fail_to_lock("the filter of calls of playing", errno);
}

namespace {

/// Nobody tries these without meaning harm.
void kill_for_harm(Filter& filter) {
  filter.all(SCMP_ACT_KILL_PROCESS, {"ptrace",
                                     "process_vm_readv",
                                     "process_vm_writev",
                                     "process_madvise",
                                     "kcmp",
                                     "pidfd_getfd",
                                     "mount",
                                     "umount",
                                     "umount2",
                                     "move_mount",
                                     "open_tree",
                                     "fsopen",
                                     "fsmount",
                                     "fsconfig",
                                     "fspick",
                                     "mount_setattr",
                                     "pivot_root",
                                     "chroot",
                                     "unshare",
                                     "setns",
                                     "init_module",
                                     "finit_module",
                                     "delete_module",
                                     "kexec_load",
                                     "kexec_file_load",
                                     "bpf",
                                     "perf_event_open",
                                     "userfaultfd",
                                     "keyctl",
                                     "add_key",
                                     "request_key",
                                     "reboot",
                                     "swapon",
                                     "swapoff",
                                     "acct",
                                     "iopl",
                                     "ioperm",
                                     "open_by_handle_at",
                                     "settimeofday",
                                     "clock_settime",
                                     "clock_adjtime",
                                     "adjtimex",
                                     "sethostname",
                                     "setdomainname"});
}

/// What a program of its own does, beside computing and reading files.
void allow_running(Filter& filter) {
  filter.allow({"execve",
                "arch_prctl",
                "rt_sigaction",
                "rt_sigpending",
                "rt_sigsuspend",
                "rt_sigtimedwait",
                "rt_sigtimedwait_time64",
                "set_tid_address",
                "set_robust_list",
                "get_robust_list",
                "set_thread_area",
                "getrandom",
                "getpgrp",
                "getpgid",
                "getsid",
                "getgroups",
                "getresuid",
                "getresgid",
                "sysinfo",
                "mincore",
                "msync",
                "mlock",
                "munlock",
                "fchdir",
                "chdir",
                "umask",
                "dup2",
                "dup3",
                "pipe",
                "pipe2",
                "eventfd",
                "eventfd2",
                "epoll_create",
                "epoll_create1",
                "epoll_ctl",
                "epoll_wait",
                "epoll_pwait",
                "timerfd_create",
                "timerfd_settime",
                "timerfd_gettime",
                "getitimer",
                "setitimer",
                "alarm",
                "timer_create",
                "timer_settime",
                "timer_gettime",
                "timer_delete",
                "sched_getparam",
                "sched_getscheduler",
                "sched_get_priority_max",
                "sched_get_priority_min",
                "getpriority",
                "capget",
                "pwrite64"});
}

}  // namespace

void filter_calls_of_program() {
  if (!lock_support_of_machine().seccomp) return;
  Filter filter(SCMP_ACT_ERRNO(EPERM));
  // Here a program looks for another way, as on an older system.
  filter.all(SCMP_ACT_ERRNO(ENOSYS), {"clone3", "openat2", "close_range", "epoll_pwait2",
                                      "io_uring_setup", "membarrier", "memfd_create", "rseq"});
  kill_for_harm(filter);
  allow_computing(filter);
  allow_memory(filter, 0);
  allow_reading_files(filter);
  allow_running(filter);
  // Threads, which are a part of the process.
  filter.allow_where("clone", {has(0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM)});
  for (const std::uint64_t command :
       Commands{PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_CAPBSET_READ})
    filter.allow_where("prctl", {is(0, command)});
  for (const std::uint64_t command :
       Commands{TCGETS, TIOCGWINSZ, FIOCLEX, FIONCLEX, FIONBIO, FIONREAD})
    filter.allow_where("ioctl", {is(1, command)});
  filter.load();
}

}  // namespace agon::worker
