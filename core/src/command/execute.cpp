#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <agon/sdk_version.hpp>
#include <algorithm>
#include <array>
#include <span>

#include "command/command.hpp"
#include "command/help.hpp"
#include "command/services.hpp"
#include "command/suite.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

// The others need a terminal, serve pages or make files.
constexpr std::array<std::string_view, 9> kInsideOthers{
    "check", "describe", "export", "list", "plan", "replay", "report", "run", "show"};

std::string version() {
  return fmt::format("agon {}\nsdk {}\n", AGON_SDK_VERSION_TEXT, plugin::own_tag());
}

}  // namespace

int execute(const std::vector<std::string>& arguments, const Host* host) {
  const std::vector<Command> all = commands();
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (host != nullptr && std::ranges::find(kInsideOthers, first) == kInsideOthers.end())
    throw Error(ErrorKind::usage, "'agon " + first + "' does not run inside another program", "",
                "start the program agon for it");
  const std::span<const std::string> rest = std::span(arguments).subspan(first.empty() ? 0 : 1);
  if (first == "--version" || first == "version") return print(version()), 0;
  if (first == "complete") return print(completions(all, rest)), 0;
  std::vector<std::string> names;
  for (const Command& c : all) {
    names.push_back(c.synopsis.name);
    if (c.synopsis.name != first) continue;
    Invocation invocation(c.synopsis, {rest.begin(), rest.end()}, host);
    if (invocation.has("help")) return print(help(c)), 0;
    return c.run(invocation);
  }
  // Plugins may bring more commands; they are loaded only when none of ours is meant.
  Catalogue catalogue;
  catalogue.load_all();
  const std::vector<const PluginCommand*> of_plugins = catalogue.all<PluginCommand>();
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
    return c->run_with(rest, Services(catalogue, shipped_suite_options(), first));
  }
  throw Error(ErrorKind::usage, "unknown command '" + first + "'", "",
              text::suggestion(first, names, "see 'agon --help'"));
}

}  // namespace agon::command
