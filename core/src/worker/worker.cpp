#include "worker.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <set>
#include <string_view>
#include <system_error>

#include "lock.hpp"
#include "process/children.hpp"

namespace agon::worker {

int read_memory(const std::string& value) {
  int memory = 0;
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, memory);
  if (error == std::errc() && rest == end && memory >= 1) return memory;
  throw Error(ErrorKind::usage, "--memory needs a number of MiB, not '" + value + "'", "",
              "write for example: --memory 1024");
}

namespace {

/// What stands behind `program`.
struct Order {
  Room room;
  std::vector<std::string> words;  ///< program and arguments
};

[[noreturn]] void misused(const std::string& problem) {
  throw Error(ErrorKind::usage, problem, "agon-worker program",
              "write: agon-worker program [--memory MIB] [--read PATH]... -- WORDS...");
}

Order read_order(const std::vector<std::string>& words) {
  Order order;
  std::size_t at = 1;
  for (; at < words.size() && words[at] != "--"; at += 2) {
    if (at + 1 == words.size()) misused(words[at] + " needs a value");
    const std::string& value = words[at + 1];
    if (words[at] == "--read") {
      order.room.readable.push_back(value);
    } else if (words[at] == "--memory") {
      order.room.memory = read_memory(value);
    } else {
      misused("'" + words[at] + "' is no option");
    }
  }
  if (at + 1 >= words.size()) misused("there is no program to start");
  order.words.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  return order;
}

}  // namespace

int run_program(const std::vector<std::string>& words) try {
  Order order = read_order(words);
  std::vector<char*> arguments;
  for (std::string& word : order.words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  lock_for_program(order.room);
  execv(arguments[0], arguments.data());
  throw Error(ErrorKind::not_found, "cannot start it: " + std::generic_category().message(errno),
              order.words.front());
} catch (const Error& error) {
  std::fprintf(stderr, "agon-worker: %s\n", error.what());
  return static_cast<int>(error.kind());
}

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

int watch_groups() {
  std::set<pid_t> groups;
  GroupWatch::GroupMessage message{};
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
