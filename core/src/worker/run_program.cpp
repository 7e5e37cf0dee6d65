#include <unistd.h>

#include <agon/error.hpp>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "lock.hpp"
#include "memory_option.hpp"
#include "worker.hpp"

namespace agon::worker {
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

}  // namespace agon::worker
