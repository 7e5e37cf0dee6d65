#include <sys/socket.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <cstdio>
#include <string_view>

#include "lock.hpp"
#include "worker.hpp"

namespace agon::worker {

int try_lock() try {
  lock_for_loading({});
  lock_for_playing();
  constexpr std::string_view kLocked = "locked\n";
  if (write(STDOUT_FILENO, kLocked.data(), kLocked.size()) < 0) return 1;
  char byte = 0;
  while (read(STDIN_FILENO, &byte, 1) > 0) {
  }
  return socket(AF_INET, SOCK_STREAM, 0) < 0 ? 4 : 5;
} catch (const Error& error) {
  std::fprintf(stderr, "agon-worker: %s\n", error.what());
  return 3;
}

}  // namespace agon::worker
