#include "command/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/paragraph.hpp"
#include "text/table.hpp"

namespace agon::command {

namespace po = boost::program_options;

std::span<const ExitCode> exit_codes() {
  static constexpr std::array<ExitCode, 9> codes{{
      {0, "done"},
      {1, "failure"},
      {2, "wrong use"},
      {3, "not found or plugin refused"},
      {4, "a key, an endpoint or a model is not there"},
      {5, "wrong suite, settings or data"},
      {6, "some matches could not be finished, or a game broke"},
      {7, "a cap was reached or the money is spent"},
      {130, "interrupted"},
  }};
  return codes;
}

std::string synopsis_of(const Positional& positional) {
  return positional.required ? positional.name : "[" + positional.name + "]";
}

std::string synopsis_of(const po::option_description& option) {
  std::string text = "--" + option.long_name();
  if (option.semantic()->max_tokens() > 0) text += " " + option.format_parameter();
  return text;
}

std::string usage(const std::vector<Command>& all,
                  const std::vector<const PluginCommand*>& of_plugins) {
  text::Table table({{""}, {""}});
  for (const Command& c : all) table.add({c.synopsis.name, c.synopsis.summary});
  for (const PluginCommand* c : of_plugins) table.add({std::string(c->id), std::string(c->doc)});
  std::string codes;
  for (const ExitCode& each : exit_codes())
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", each.code, each.meaning);
  return "agon: an arena for economic games\n\nUsage: agon COMMAND [ARGUMENT...] [OPTION...]\n\n" +
         table.str(2) +
         "\n  agon COMMAND --help  what a command takes\n  agon --version       versions\n"
         "\nExit codes\n" +
         text::paragraph(codes);
}

std::string help(const Command& c) {
  std::string text = "Usage: agon " + c.synopsis.name;
  for (const Positional& p : c.synopsis.positionals) text += " " + synopsis_of(p);
  text += " [OPTION...]\n\n" + c.synopsis.summary + "\n";
  if (!c.synopsis.positionals.empty()) {
    text::Table table({{""}, {""}});
    for (const Positional& p : c.synopsis.positionals) table.add({p.name, p.doc});
    text += "\nArguments\n" + table.str(2);
  }
  text::Table options({{""}, {""}});
  const po::options_description common = common_options();
  for (const po::options_description* each : {&c.synopsis.options, &common})
    for (const auto& o : each->options()) options.add({synopsis_of(*o), o->description()});
  text += "\nOptions\n" + options.str(2);
  if (!c.synopsis.details.empty()) text += "\n" + c.synopsis.details;
  return text;
}

std::string help(const PluginCommand& c) {
  const std::size_t end = std::min(c.usage.find("\n\n"), c.usage.size());
  return fmt::format("Usage: agon {} {}\n\n{}\n{}{}", c.id, c.usage.substr(0, end), c.doc,
                     c.usage.substr(std::min(end + 1, c.usage.size())),
                     end < c.usage.size() ? "\n" : "");
}

}  // namespace agon::command
