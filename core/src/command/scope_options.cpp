#include "command/scope_options.hpp"

#include <agon/error.hpp>

namespace agon::command {

namespace po = boost::program_options;

void add_scope_options(po::options_description& options, const std::string& otherwise) {
  // clang-format off
  options.add_options()
      ("suite", po::value<std::string>()->value_name("NAME"), ("only what this suite asked for: its name, its number, or the beginning of its digest; default: " + otherwise).c_str())
      ("run", po::value<std::string>()->value_name("N"), "only what this run played or found played")
      ("all", "everything that the archive holds");
  // clang-format on
}

report::ScopeChoice scope_of(const Invocation& call) {
  report::ScopeChoice choice{call.text("suite"), call.text("run"), call.has("all")};
  for (const char* option : {"suite", "run"})
    if (call.has(option) && call.text(option).empty())
      throw Error(ErrorKind::usage, std::string("--") + option + " names nothing", "",
                  "leave it out for what was run last");
  const int said =
      (choice.suite.empty() ? 0 : 1) + (choice.run.empty() ? 0 : 1) + (choice.all ? 1 : 0);
  if (said > 1)
    throw Error(ErrorKind::usage, "--suite, --run and --all exclude one another", "",
                "give one of them");
  return choice;
}

}  // namespace agon::command
