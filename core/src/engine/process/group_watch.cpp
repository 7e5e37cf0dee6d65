#include "process/group_watch.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

#include "plugin/search_path.hpp"

namespace agon {

// It outlives whatever still ends programs while this process ends.
GroupWatch& GroupWatch::get() {
  static GroupWatch& one = *new GroupWatch;
  return one;
}

void GroupWatch::start() {
  started_ = true;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  std::string program = (plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string();
  std::string mode = "watch";
  const std::array<char*, 3> words{program.data(), mode.data(), nullptr};
  char* const nothing = nullptr;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Ctrl-C at a terminal reaches the arena's group and not this one.
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, program.c_str(), &actions, &attributes, words.data(), &nothing);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (error == 0)
    socket_ = ends[0];
  else
    close(ends[0]);
}

void GroupWatch::tell(const Message& message) {
  const std::lock_guard lock(mutex_);
  if (!started_) start();
  if (socket_ >= 0) static_cast<void>(!send(socket_, &message, sizeof message, MSG_NOSIGNAL));
}

}  // namespace agon
