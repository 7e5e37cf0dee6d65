// act WHERE WHAT [ARGUMENT]: does one thing that a locked process may not do, or may, and says how
// it came out. WHERE: "program" (whoever started it locked it in), "loading" or "playing" (it locks
// itself in, as a worker with a plugin).
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <new>
#include <string>
#include <system_error>
#include <thread>

#include "lock.hpp"

namespace {

/// What a call returned, which is -1 where it failed.
int told(long result) {
  std::printf("%s\n", result == -1 ? std::strerror(errno) : "done");
  return 0;
}

int map(int protection, int flags, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, protection, flags, -1, 0);
  return told(memory == MAP_FAILED ? -1 : 0);
}

void stay_silent(int) {}

void pause_a_while() {
  const timespec hour{3600, 0};
  nanosleep(&hour, nullptr);
}

constexpr std::size_t kMiB = std::size_t{1} << 20;

using Act = std::function<int(const std::string& argument)>;

const std::map<std::string, Act> kActs{
    {"open", [](const std::string& path) { return told(open(path.c_str(), O_RDONLY)); }},
    {"write",
     [](const std::string& path) { return told(open(path.c_str(), O_WRONLY | O_CREAT, 0600)); }},
    {"remove", [](const std::string& path) { return told(unlink(path.c_str())); }},
    {"socket", [](const std::string&) { return told(socket(AF_INET, SOCK_STREAM, 0)); }},
    {"fork",
     [](const std::string&) {
       const pid_t child = fork();
       if (child == 0) _exit(0);
       return told(child);
     }},
    {"clone",
     [](const std::string&) {
       const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
       if (child == 0) _exit(0);
       return told(child);
     }},
    {"exec",
     [](const std::string& path) {
       std::string word = path;
       std::array<char*, 2> words{word.data(), nullptr};
       return told(execv(path.c_str(), words.data()));
     }},
    {"thread",
     [](const std::string&) {
       try {
         std::thread([] {}).join();
         return told(0);
       } catch (const std::system_error& failed) {
         errno = failed.code().value();
         return told(-1);
       }
     }},
    {"kill parent", [](const std::string&) { return told(kill(getppid(), SIGKILL)); }},
    {"signal parent",
     [](const std::string& parent) {
       // Not by a call that sends one: by a descriptor whose events are told to somebody else.
       return told(fcntl(STDIN_FILENO, F_SETOWN, std::stoi(parent)));
     }},
    {"ptrace",
     [](const std::string& who) {
       return told(ptrace(PTRACE_ATTACH, std::stoi(who), nullptr, nullptr));
     }},
    {"random",
     [](const std::string&) {
       std::array<char, 8> bytes{};
       return told(getrandom(bytes.data(), bytes.size(), 0));
     }},
    {"memory",
     [](const std::string& mib) {
       try {
         const std::string bytes(std::stoul(mib) * kMiB, 'x');
         return told(bytes.back() == 'x' ? 0 : -1);
       } catch (const std::bad_alloc&) {
         std::puts("bad_alloc");
         return 0;
       }
     }},
    {"hold",
     [](const std::string& mib) {
       const std::string bytes(std::stoul(mib) * kMiB, 'x');
       std::puts(bytes.back() == 'x' ? "holding" : "");
       std::fflush(stdout);
       return told(std::getchar() == EOF ? -1 : 0);
     }},
    {"threads",
     [](const std::string& number) {
       pthread_attr_t small;
       pthread_attr_init(&small);
       pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
       int made = 0;
       pthread_t thread{};
       const auto wait = [](void*) -> void* {
         for (;;) pause_a_while();
       };
       while (made < std::stoi(number) && pthread_create(&thread, &small, wait, nullptr) == 0)
         ++made;
       std::printf("%d\n", made);
       std::fflush(stdout);
       return told(std::getchar() == EOF ? -1 : 0);
     }},
    {"tables",
     [](const std::string& gib) {
       // Pages that are only read are one page of zeros; the tables of them are many.
       const std::size_t bytes = std::stoul(gib) * 1024 * kMiB;
       void* const place =
           mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
       if (place == MAP_FAILED) return told(-1);
       madvise(place, bytes, MADV_NOHUGEPAGE);
       const volatile char* const pages = static_cast<const char*>(place);
       int sum = 0;
       for (std::size_t at = 0; at < bytes; at += 2 * kMiB) sum += pages[at];
       std::printf("%d\n", sum);
       std::fflush(stdout);
       return told(std::getchar() == EOF ? -1 : 0);
     }},
    {"full pipes",
     [](const std::string&) {
       // All that it can leave with the system.
       const std::string page(4096, 'x');
       std::size_t bytes = 0;
       std::array<int, 2> ends{};
       while (pipe2(ends.data(), O_NONBLOCK) == 0)
         for (ssize_t n = 1; n > 0; bytes += n > 0 ? static_cast<std::size_t>(n) : 0)
           n = write(ends[1], page.data(), page.size());
       std::printf("%zu MiB\n", bytes / kMiB);
       return 0;
     }},
    {"shared memory",
     [](const std::string& mib) {
       return map(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, std::stoul(mib) * kMiB);
     }},
    {"growing memory",
     [](const std::string& mib) {
       return map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN,
                  std::stoul(mib) * kMiB);
     }},
    {"addresses",
     [](const std::string& gib) {
       return map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  std::stoul(gib) * 1024 * kMiB);
     }},
    {"memory file", [](const std::string&) { return told(memfd_create("m", 0)); }},
    {"code",
     [](const std::string&) {
       return map(PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, kMiB);
     }},
    {"limits",
     [](const std::string&) {
       for (const auto resource : {RLIMIT_CORE, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_STACK}) {
         rlimit now{};
         getrlimit(resource, &now);
         std::printf("%lu %lu\n", now.rlim_cur, now.rlim_max);
       }
       return 0;
     }},
    {"other rights", [](const std::string&) { return told(unshare(CLONE_NEWUSER)); }},
    {"more memory",
     [](const std::string&) {
       rlimit all{RLIM_INFINITY, RLIM_INFINITY};
       return told(setrlimit(RLIMIT_DATA, &all));
     }},
    {"rights of root",
     [](const std::string&) {
       __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
       std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> has{};
       if (syscall(SYS_capget, &head, has.data()) != 0) return told(-1);
       std::puts((has[0].effective | has[0].permitted | has[1].permitted) == 0 ? "none" : "some");
       return 0;
     }},
    {"live on", [](const std::string&) { return told(prctl(PR_SET_PDEATHSIG, 0)); }},
    {"socket with another handler",
     [](const std::string&) {
       struct sigaction action {};
       action.sa_handler = &stay_silent;
       sigaction(SIGSYS, &action, nullptr);
       return told(socket(AF_INET, SOCK_STREAM, 0));
     }},
    {"socket with the signal held",
     [](const std::string&) {
       sigset_t all;
       sigfillset(&all);
       sigprocmask(SIG_BLOCK, &all, nullptr);
       return told(socket(AF_INET, SOCK_STREAM, 0));
     }},
    {"filter of its own",
     [](const std::string& flags) {
       // Answers every call with "done" and does nothing, so that the next filter seems to load.
       sock_filter done[]{{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO}};
       const sock_fprog program{1, done};
       return told(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, std::stoul(flags), &program));
     }},
    {"filter by prctl",
     [](const std::string&) {
       sock_filter done[]{{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO}};
       const sock_fprog program{1, done};
       return told(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
     }},
    {"change of a filter",
     [](const std::string& how) {
       // Where the filter of playing lies, and a page before it.
       char* const sealed = reinterpret_cast<char*>(0x40000);
       constexpr std::size_t kPage = 4096;
       const int all = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
       if (how == "write") return told(mprotect(sealed, kPage, all));
       if (how == "away") return told(munmap(sealed, kPage));
       if (how == "empty") return told(madvise(sealed, kPage, MADV_DONTNEED));
       if (how == "cover")
         return told(mmap(sealed - kPage, 4 * kPage, all, kind, -1, 0) == MAP_FAILED ? -1 : 0);
       if (how == "move")
         return told(mremap(sealed, kPage, kPage, MREMAP_MAYMOVE) == MAP_FAILED ? -1 : 0);
       void* const other = mmap(nullptr, kPage, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
       return told(mremap(other, kPage, kPage, MREMAP_MAYMOVE | MREMAP_FIXED, sealed) == MAP_FAILED
                       ? -1
                       : 0);
     }},
    {"compute",
     [](const std::string&) {
       const std::string text(3 * kMiB, 'x');
       struct timespec moment {};
       moment.tv_nsec = 1000;
       nanosleep(&moment, nullptr);
       return told(text.size() == 3 * kMiB ? 0 : -1);
     }},
    {"abort", [](const std::string&) -> int { std::abort(); }},
    {"wait",
     [](const std::string&) {
       std::puts("waiting");
       std::fflush(stdout);
       for (;;) pause_a_while();
       return 0;
     }},
};

}  // namespace

int main(int argc, char** argv) try {
  const std::string where = argc > 1 ? argv[1] : "";
  const auto act = kActs.find(argc > 2 ? argv[2] : "");
  if (act == kActs.end()) return 2;
  const std::string argument = argc > 3 ? argv[3] : "";
  if (where != "program") agon::worker::lock_for_loading({128, {}});
  if (where == "playing") agon::worker::lock_for_playing();
  return act->second(argument);
} catch (const std::exception& error) {
  std::printf("broken: %s\n", error.what());
  return 1;
}
