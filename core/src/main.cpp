#include <csignal>
#include <exception>
#include <span>
#include <string_view>

#include "command/command.hpp"
#include "command/output.hpp"
#include "process/isolation.hpp"

namespace {

using namespace agon::command;

/// The words before a lone "--", behind which all are arguments.
bool asks_for_json(std::span<char* const> words) {
  std::string_view before;
  for (const std::string_view word : words) {
    if (word == "--") return false;
    if (word == "--json" || word == "--format=json" || (before == "--format" && word == "json"))
      return true;
    before = word;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  agon::hide_environment();
  // The reader of our output may go away, and a file may grow too large: errors to report, not ways
  // to die.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // Our parent may ignore the ends of children, and then the system keeps nobody's: how a
  // game's process ended could not be told.
  std::signal(SIGCHLD, SIG_DFL);
  int code = 0;
  const bool json = argc > 1 && asks_for_json({argv + 1, argv + argc});
  try {
    code = execute({argv + 1, argv + argc});
    flush();
  } catch (const std::exception&) {
    code = tell_failure(std::current_exception(), json);
  }
  return code;
}
