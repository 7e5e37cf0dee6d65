#include "process/environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace agon {

void hide_environment() {
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
