#include "memory_option.hpp"

#include <agon/error.hpp>
#include <charconv>
#include <system_error>

namespace agon::worker {

int read_memory(const std::string& value) {
  int memory = 0;
  const char* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, memory);
  if (error == std::errc() && rest == end && memory >= 1) return memory;
  throw Error(ErrorKind::usage, "--memory needs a number of MiB, not '" + value + "'", "",
              "write for example: --memory 1024");
}

}  // namespace agon::worker
