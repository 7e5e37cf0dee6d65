#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <set>

#include "process/group_watch.hpp"
#include "worker.hpp"

namespace agon::worker {

int watch_groups() {
  std::set<pid_t> groups;
  GroupWatch::Message message{};
  for (;;) {
    const ssize_t n = read(STDIN_FILENO, &message, sizeof message);
    if (n == -1 && errno == EINTR) continue;
    if (n != sizeof message) break;
    if (message.begins)
      groups.insert(message.group);
    else
      groups.erase(message.group);
  }
  for (const pid_t group : groups)
    if (group > 1) kill(-group, SIGKILL);
  return 0;
}

}  // namespace agon::worker
