#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <agon/sdk_version.hpp>
#include <csignal>
#include <exception>
#include <span>

#include "command/command.hpp"
#include "command/completions.hpp"
#include "command/help.hpp"
#include "command/outcome.hpp"
#include "command/services.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/plugin_file.hpp"
#include "process/isolation.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace {

using namespace agon;
using namespace agon::command;

std::string version() {
  return fmt::format("agon {}\nsdk {}\n", AGON_SDK_VERSION_TEXT, plugin::own_tag());
}

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

int call(const std::vector<std::string>& arguments) {
  const std::vector<Command> all = commands();
  const std::string first = arguments.empty() ? "" : arguments.front();
  const std::span<const std::string> rest = std::span(arguments).subspan(first.empty() ? 0 : 1);
  if (first == "--version" || first == "version") return print(version()), 0;
  if (first == "complete") return print(completions(all, rest)), 0;
  std::vector<std::string> names;
  for (const Command& c : all) {
    names.push_back(c.synopsis.name);
    if (c.synopsis.name != first) continue;
    Invocation invocation(c.synopsis, {rest.begin(), rest.end()});
    if (invocation.wants_help()) return print(help(c)), 0;
    return c.run(invocation);
  }
  // Plugins may bring more commands; they are loaded only when none of ours is meant.
  Catalogue catalogue;
  catalogue.load_all();
  const std::vector<const PluginCommand*> of_plugins = catalogue.commands();
  if (arguments.empty()) {
    text::say("{}", usage(all, of_plugins));
    return static_cast<int>(ErrorKind::usage);
  }
  if (first == "help" && !rest.empty() && rest[0] == "--man")
    return print(manual(all, of_plugins)), 0;
  if (first == "--help" || first == "-h" || first == "help")
    return print(usage(all, of_plugins)), 0;
  for (const PluginCommand* c : of_plugins) {
    names.emplace_back(c->id);
    if (c->id != first) continue;
    if (rest.size() == 1 && (rest[0] == "--help" || rest[0] == "-h")) return print(help(*c)), 0;
    if (c->run != nullptr) return c->run(rest);
    SuiteOptions options;
    options.data_folders = shipped_folders("data");
    options.prompt_folders = shipped_folders("prompts");
    return c->run_with(rest, Services(catalogue, std::move(options), first));
  }
  throw Error(ErrorKind::usage, "unknown command '" + first + "'", "",
              text::suggestion(first, names, "see 'agon --help'"));
}

}  // namespace

int main(int argc, char** argv) {
  hide_environment();
  // Whoever reads our output may go away, and a file may grow too large: errors to report, not ways
  // to die.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  // Whoever started us may ignore the ends of children, and then the system keeps nobody's: how a
  // game's process ended could not be told.
  std::signal(SIGCHLD, SIG_DFL);
  int code = 0;
  const bool json = argc > 1 && asks_for_json({argv + 1, argv + argc});
  try {
    code = call({argv + 1, argv + argc});
    flush();
  } catch (const std::exception&) {
    code = tell_failure(std::current_exception(), json);
  }
  return code;
}
