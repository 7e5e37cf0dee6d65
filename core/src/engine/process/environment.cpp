#include "process/environment.hpp"

#include <cstdlib>

namespace agon {

std::vector<std::string> kept_environment(std::initializer_list<const char*> names) {
  std::vector<std::string> entries;
  for (const char* name : names)
    if (const char* value = std::getenv(name)) entries.push_back(std::string(name) + "=" + value);
  return entries;
}

}  // namespace agon
