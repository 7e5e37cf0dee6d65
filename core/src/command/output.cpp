#include <unistd.h>

#include <agon/error.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "command/command.hpp"

namespace agon::command {

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(ErrorKind::failure, std::string("cannot write: ") + std::strerror(errno),
                "standard output");
}

void print_line(std::string_view text) {
  print(text);
  print("\n");
}

bool colours() {
  const char* term = std::getenv("TERM");
  const char* no = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (no == nullptr || *no == '\0') && term != nullptr &&
         std::string_view(term) != "dumb";
}

std::string heading(std::string_view text) {
  return colours() ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

}  // namespace agon::command
