#include "classic/solve/command.hpp"

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <cstdio>
#include <set>

#include "classic/solve/solution.hpp"

namespace classic {
namespace {

constexpr const char* synopsis = "SCENARIO [--json]";
constexpr const char* usage =
    "SCENARIO [--json]\n"
    "\n"
    "Arguments\n"
    "  SCENARIO  a suite (each classic game in it), a data file, or a game that ships, such as "
    "draco\n"
    "\n"
    "Options\n"
    "  --json    print JSON on standard output: a list of games\n"
    "  --help    show this help\n"
    "\n"
    "Example\n"
    "  agon solve stag-hunt";

int run(std::span<const std::string> arguments, const agon::CommandServices& services) {
  bool json = false;
  std::string what;
  for (const std::string& word : arguments) {
    const std::string help = std::string("write: agon solve ") + synopsis;
    if (word == "--json")
      json = true;
    else if (word.starts_with("--"))
      throw agon::Error(agon::ErrorKind::usage, "solve has no option '" + word + "'", "", help);
    else if (!what.empty())
      throw agon::Error(agon::ErrorKind::usage, "'" + word + "' is one argument too many", "",
                        help);
    else
      what = word;
  }
  if (what.empty())
    throw agon::Error(agon::ErrorKind::usage,
                      "solve needs a suite file, a data file or the name "
                      "of a game that ships",
                      "", "for example: agon solve prisoners-dilemma");
  std::string out;
  std::set<std::string> told;
  for (const agon::GameSettings& found : services.settings_of("classic", what)) {
    const auto& settings = *static_cast<const Settings*>(found.settings.get());
    // A suite plays the same game with other agents, rounds and prompts: it is solved once.
    Solution solution = solve(settings, found.name);
    const std::string same = as_json(solution);
    if (!told.insert(same).second) continue;
    if (json)
      out += (out.empty() ? "[" : ",\n") + same;
    else
      out += (out.empty() ? "" : "\n\n") + as_text(solution);
  }
  if (json) out += "]\n";
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
    throw agon::Error(agon::ErrorKind::failure, "cannot write to standard output");
  return 0;
}

}  // namespace

agon::PluginCommand solve_command() {
  agon::PluginCommand command;
  command.id = "solve";
  command.doc = "equilibria, dominance and backward induction of classic games";
  command.usage = usage;
  command.run_with = &run;
  return command;
}

}  // namespace classic
