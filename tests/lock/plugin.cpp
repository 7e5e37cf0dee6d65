#include <signal.h>
#include <unistd.h>

#include <string>

#include "catch.hpp"
#include "lock/run.hpp"

namespace {

using namespace lock_test;

void check_forbidden(const std::string& where, const std::string& act, const std::string& call,
                     const std::string& argument = {}) {
  INFO(where << ": " << act);
  const Ended ended = act_as_plugin(where, act, argument);
  CHECK(ended.signal == SIGSYS);
  CHECK(ended.out.empty());
  CHECK(ended.err == "agon-worker: the call '" + call + "' is not allowed\n");
}

TEST_CASE("lock: a plugin that reaches outside is ended and the call is named") {
  require_lock();
  const std::string parent = std::to_string(getpid());
  for (const std::string where : {"loading", "playing"}) {
    check_forbidden(where, "socket", "socket");
    check_forbidden(where, "clone", "clone");
    // Newer C libraries block all signals in it, and the call is then not named.
    CHECK(act_as_plugin(where, "fork").signal == SIGSYS);
    check_forbidden(where, "exec", "execve", "/bin/true");
    check_forbidden(where, "ptrace", "ptrace", parent);
    check_forbidden(where, "shared memory", "mmap", "1");
    check_forbidden(where, "growing memory", "mmap", "1");
    check_forbidden(where, "memory file", "memfd_create");
    check_forbidden(where, "remove", "unlink", secret_file());
    check_forbidden(where, "signal parent", "fcntl", parent);
  }
  check_forbidden("loading", "write", "openat", "/tmp/agon-lock-test");
  check_forbidden("playing", "write", "openat", "/tmp/agon-lock-test");
}

TEST_CASE("lock: a plugin cannot switch off the filter that locks it for playing") {
  require_lock();
  for (const std::string flags : {"0", "8"})  // 8: with a listener, who answers calls
    check_forbidden("loading", "filter of its own", "seccomp", flags);
  check_forbidden("loading", "filter by prctl", "prctl");
  for (const auto& [how, call] :
       {std::pair{"write", "mprotect"}, std::pair{"away", "munmap"}, std::pair{"empty", "madvise"},
        std::pair{"cover", "mmap"}, std::pair{"move", "mremap"}, std::pair{"other", "mremap"}})
    check_forbidden("loading", "change of a filter", call, how);
}

TEST_CASE("lock: a plugin draws no number of the system once it is loaded") {
  require_lock();
  // Libraries prepare theirs while they are loaded.
  CHECK(act_as_plugin("loading", "random").out == "done");
  check_forbidden("playing", "random", "getrandom");
}

TEST_CASE("lock: a plugin kills nobody but itself") {
  require_lock();
  for (const std::string where : {"loading", "playing"}) {
    INFO(where);
    check_forbidden(where, "kill parent", "kill");
    CHECK(act_as_plugin(where, "abort").signal == SIGABRT);
  }
}

TEST_CASE("lock: a plugin has no threads and gives itself no more memory") {
  require_lock();
  CHECK(act_as_plugin("playing", "thread").signal == SIGSYS);
  CHECK(act_as_plugin("loading", "thread").signal == SIGSYS);
  CHECK(act_as_plugin("playing", "more memory").signal == SIGSYS);
  CHECK(act_as_plugin("loading", "more memory").signal == SIGSYS);
  CHECK(act_as_plugin("loading", "live on").signal == SIGSYS);
  CHECK(act_as_plugin("playing", "live on").signal == SIGSYS);
  CHECK(act_as_plugin("playing", "memory", "64").out == "done");
  CHECK(act_as_plugin("playing", "memory", "200").out == "bad_alloc");
  CHECK(act_as_plugin("playing", "compute").out == "done");
}

TEST_CASE("lock: while it is loaded a plugin reads libraries and nothing else") {
  require_lock();
  CHECK(act_as_plugin("loading", "open", "/usr/lib").out == "done");
  CHECK(act_as_plugin("loading", "open", secret_file()).out == "Permission denied");
  CHECK(act_as_plugin("loading", "open", "/dev/urandom").out == "Permission denied");
  CHECK(act_as_plugin("loading", "code").out == "done");
}

TEST_CASE("lock: while it plays a plugin opens nothing and brings in no code") {
  require_lock();
  check_forbidden("playing", "open", "openat", "/usr/lib");
  check_forbidden("playing", "open", "openat", secret_file());
  check_forbidden("playing", "code", "mmap");
}

TEST_CASE("lock: what a plugin does to the signal of forbidden calls does not save it") {
  require_lock();
  for (const std::string where : {"loading", "playing"}) {
    INFO(where);
    const Ended replaced = act_as_plugin(where, "socket with another handler");
    CHECK(replaced.signal == SIGSYS);
    CHECK(replaced.out.empty());
    const Ended held = act_as_plugin(where, "socket with the signal held");
    CHECK(held.signal == SIGSYS);
    CHECK(held.out.empty());
  }
}

}  // namespace
