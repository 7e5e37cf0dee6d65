#include <unistd.h>

#include <agon/error.hpp>
#include <agon/secrets.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "command/command.hpp"
#include "text/utf8.hpp"

namespace agon::command {

namespace {

[[noreturn]] void cannot_write() {
  // The reader has seen enough (`agon show | head`): nothing is wrong, and nobody is there to tell.
  constexpr int kBrokenPipe = 128 + SIGPIPE;
  if (errno == EPIPE) std::_Exit(kBrokenPipe);
  throw Error(ErrorKind::failure, std::string("cannot write: ") + std::strerror(errno),
              "standard output");
}

}  // namespace

void print(std::string_view text) {
  const std::string words = secrets::cut(std::string(text));
  if (std::fwrite(words.data(), 1, words.size(), stdout) != words.size()) cannot_write();
}

void flush() {
  if (std::fflush(stdout) != 0) cannot_write();
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

std::string as_one_message(std::string_view text) {
  std::string lines;
  for (const char c : text::printable(text, text::Breaks::keep)) {
    lines += c;
    if (c == '\n') lines += "  ";
  }
  return lines;
}

std::string heading(std::string_view text) {
  return colours() ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

}  // namespace agon::command
