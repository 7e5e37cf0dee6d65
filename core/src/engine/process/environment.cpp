#include "process/environment.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "isolation/sanitized.hpp"

namespace agon {

void keep_memory_to_itself() {
  // What searches for leaks looks from outside.
  if (!kSanitized) prctl(PR_SET_DUMPABLE, 0);
  rlimit limit{};
  if (getrlimit(RLIMIT_CORE, &limit) != 0) return;
  limit.rlim_cur = 0;
  setrlimit(RLIMIT_CORE, &limit);
}

void hide_environment() {
  // First: a key is in it whether an agent reads one or not.
  keep_memory_to_itself();
  // They are the environment from now on, for as long as there is this process.
  static auto& entries = *new std::vector<std::string>;
  static auto& places = *new std::vector<char*>;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
    explicit_bzero(*entry, std::strlen(*entry));
  }
  for (std::string& entry : entries) places.push_back(entry.data());
  places.push_back(nullptr);
  environ = places.data();
}

std::vector<std::string> kept_environment(std::initializer_list<const char*> names) {
  std::vector<std::string> entries;
  for (const char* name : names)
    if (const char* value = std::getenv(name)) entries.push_back(std::string(name) + "=" + value);
  return entries;
}

}  // namespace agon
