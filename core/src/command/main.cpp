#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <agon/sdk_version.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <functional>
#include <span>

#include "command/command.hpp"
#include "command/failure.hpp"
#include "command/services.hpp"
#include "plugin/abi_tag.hpp"
#include "plugin/catalogue.hpp"
#include "text/nearest.hpp"
#include "text/say.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"

namespace {

using namespace agon;
using namespace agon::command;

std::vector<Command> commands() {
  std::vector<Command> all;
  all.push_back(list_command());
  all.push_back(describe_command());
  all.push_back(play_command());
  all.push_back(run_command());
  all.push_back(plan_command());
  all.push_back(report_command());
  all.push_back(show_command());
  all.push_back(judge_command());
  all.push_back(replay_command());
  all.push_back(export_command());
  all.push_back(import_command());
  all.push_back(new_command());
  all.push_back(doctor_command());
  all.push_back(bench_command());
  return all;
}

std::string usage(const std::vector<Command>& all) {
  text::Table table({{""}, {""}});
  for (const Command& c : all) table.add({c.synopsis.name, c.synopsis.summary});
  Catalogue catalogue;
  catalogue.load_all();
  for (const PluginCommand* c : catalogue.commands())
    table.add({std::string(c->id), std::string(c->doc)});
  return "agon: an arena for economic games\n\nUsage: agon COMMAND [ARGUMENT...] [OPTION...]\n\n" +
         table.str(2) +
         "\n  agon COMMAND --help  what a command takes\n  agon --version       versions\n"
         "\nExit codes\n"
         "  0 done, 1 failure, 2 wrong use, 3 not found or plugin refused, 4 a key, an endpoint or "
         "a\n"
         "  model is not there, 5 wrong suite, settings or data, 6 some matches could not be "
         "finished,\n"
         "  or a game broke, 7 a cap was reached or the money is spent, 130 interrupted\n";
}

std::string help(const Command& c) {
  std::string text = "Usage: agon " + c.synopsis.name;
  for (const Positional& p : c.synopsis.positionals)
    text += p.required ? " " + p.name : " [" + p.name + "]";
  text += " [OPTION...]\n\n" + c.synopsis.summary + "\n";
  text::Table table({{""}, {""}});
  if (!c.synopsis.positionals.empty()) {
    text += "\nArguments\n";
    for (const Positional& p : c.synopsis.positionals) table.add({p.name, p.doc});
    text += table.str(2);
  }
  text += "\nOptions\n";
  text::Table options({{""}, {""}});
  for (const auto& o : c.synopsis.options.options())
    options.add({"--" + o->long_name() +
                     (o->semantic()->max_tokens() > 0 ? " " + o->format_parameter() : ""),
                 o->description()});
  options.add({"--plugin FILE", "load this plugin, or this folder of plugins, too"});
  options.add({"--trust",
               "trust what a suite asks for, and plugins that others can write: docs/security.md"});
  options.add({"--json", "print JSON on standard output"});
  options.add({"--quiet", "no progress"});
  options.add({"--help", "show this help"});
  text += options.str(2);
  if (!c.synopsis.details.empty()) text += "\n" + c.synopsis.details;
  return text;
}

/// Of a plugin's usage the first paragraph goes into the first line, the others below what it does.
std::string help(const PluginCommand& c) {
  const std::size_t end = std::min(c.usage.find("\n\n"), c.usage.size());
  return fmt::format("Usage: agon {} {}\n\n{}\n{}{}", c.id, c.usage.substr(0, end), c.doc,
                     c.usage.substr(std::min(end + 1, c.usage.size())),
                     end < c.usage.size() ? "\n" : "");
}

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
  if (arguments.empty()) {
    text::say("{}", usage(all));
    return static_cast<int>(ErrorKind::usage);
  }
  const std::string& first = arguments.front();
  if (first == "--help" || first == "-h" || first == "help") return print(usage(all)), 0;
  if (first == "--version" || first == "version") return print(version()), 0;
  std::vector<std::string> names;
  for (const Command& c : all) {
    names.push_back(c.synopsis.name);
    if (c.synopsis.name != first) continue;
    Invocation invocation(c.synopsis, {arguments.begin() + 1, arguments.end()});
    if (invocation.wants_help()) return print(help(c)), 0;
    return c.run(invocation);
  }
  // Plugins may bring more commands; they are loaded only when none of ours is meant.
  Catalogue catalogue;
  catalogue.load_all();
  for (const PluginCommand* c : catalogue.commands()) {
    names.emplace_back(c->id);
    if (c->id != first) continue;
    if (arguments.size() == 2 && (arguments[1] == "--help" || arguments[1] == "-h"))
      return print(help(*c)), 0;
    const std::span<const std::string> rest = std::span(arguments).subspan(1);
    if (c->run != nullptr) return c->run(rest);
    SuiteOptions options;
    options.data_folders = shipped_folders("data");
    options.prompt_folders = shipped_folders("prompts");
    return c->run_with(rest, Services(catalogue, std::move(options)));
  }
  throw Error(ErrorKind::usage,
              "there is no command '" + first + "'" + text::did_you_mean(first, names), "",
              "see 'agon --help'");
}

}  // namespace

int main(int argc, char** argv) {
  // Whoever reads our output may go away, and a file may grow too large: errors to report, not ways
  // to die.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
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
