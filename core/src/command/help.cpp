#include "command/help.hpp"

#include <fmt/format.h>

#include <agon/sdk_version.hpp>
#include <algorithm>
#include <array>
#include <utility>

#include "text/layout.hpp"

namespace agon::command {

namespace po = boost::program_options;

namespace {

constexpr std::size_t kPageColumns = 80;

}  // namespace

std::span<const ExitCode> exit_codes() {
  static constexpr std::array<ExitCode, 9> codes{{
      {0, "done"},
      {1, "failure"},
      {2, "wrong usage"},
      {3, "not found or plugin refused"},
      {4, "missing API key, endpoint or model"},
      {5, "invalid suite, settings or data"},
      {6, "unfinished matches or a broken game"},
      {7, "a cap was reached or the credit is used up"},
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
  text::TextTable table({{""}, {""}});
  for (const Command& c : all) table.add({c.synopsis.name, c.synopsis.summary});
  for (const PluginCommand* c : of_plugins) table.add({std::string(c->id), std::string(c->doc)});
  std::string codes;
  for (const ExitCode& each : exit_codes())
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", each.code, each.meaning);
  return "agon: an arena for economic games\n\nUsage: agon COMMAND [ARGUMENT...] [OPTION...]\n\n" +
         table.str(2) +
         "\n  agon COMMAND --help  arguments and options of a command\n  agon --version       "
         "versions\n"
         "\nExit codes\n" +
         text::paragraph(codes, {.columns = kPageColumns});
}

namespace {

/// A term of the help and what it means.
struct HelpRow {
  std::string term, meaning;
};

/// How wide the column of terms is: as the widest of those that do not stand on a line of their
/// own.
std::size_t term_columns(const std::vector<HelpRow>& rows) {
  constexpr std::size_t kMost = 28;
  std::size_t columns = 0;
  for (const HelpRow& row : rows)
    if (row.term.size() <= kMost) columns = std::max(columns, row.term.size());
  return columns;
}

/// Terms with their meanings beside them, which are broken into lines.
std::string listing(const std::vector<HelpRow>& rows, std::size_t columns) {
  std::string text;
  for (const HelpRow& row : rows) {
    const std::string term = "  " + row.term;
    std::string meaning = text::paragraph(row.meaning, {columns + 4, {}, kPageColumns});
    if (row.term.size() > columns)
      text += term + "\n";
    else
      meaning.replace(0, term.size(), term);
    text += meaning;
  }
  return text;
}

std::vector<HelpRow> rows_of(const po::options_description& options) {
  std::vector<HelpRow> rows;
  for (const auto& o : options.options()) rows.push_back({synopsis_of(*o), o->description()});
  return rows;
}

}  // namespace

std::string help(const Command& c) {
  std::string text = "Usage: agon " + c.synopsis.name;
  for (const Positional& p : c.synopsis.positionals) text += " " + synopsis_of(p);
  text += " [OPTION...]\n\n" + c.synopsis.summary + "\n";
  if (!c.synopsis.positionals.empty()) {
    std::vector<HelpRow> rows;
    for (const Positional& p : c.synopsis.positionals) rows.push_back({p.name, p.doc});
    text += "\nArguments\n" + listing(rows, term_columns(rows));
  }
  const std::vector<HelpRow> own = rows_of(c.synopsis.options), global = rows_of(common_options());
  const std::size_t columns = std::max(term_columns(own), term_columns(global));
  if (!own.empty()) text += "\nOptions\n" + listing(own, columns);
  text += "\nGlobal options\n" + listing(global, columns);
  if (!c.synopsis.details.empty()) text += "\n" + c.synopsis.details;
  return text;
}

std::string help(const PluginCommand& c) {
  const std::size_t end = std::min(c.usage.find("\n\n"), c.usage.size());
  return fmt::format("Usage: agon {} {}\n\n{}\n{}{}", c.id, c.usage.substr(0, end), c.doc,
                     c.usage.substr(std::min(end + 1, c.usage.size())),
                     end < c.usage.size() ? "\n" : "");
}

namespace po = boost::program_options;

namespace {

/// A text as roff shows it: nothing in it is a request or an escape, and a hyphen is one that can
/// be pasted into a shell.
std::string roff(std::string_view text) {
  std::string out;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '-')
      out += "\\-";
    else if (c == '\\')
      out += "\\e";
    else
      out += c;
    begins = c == '\n';
  }
  return out;
}

/// A term and what it means.
std::string item(std::string_view term, std::string_view meaning) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(term), roff(meaning));
}

std::string items(const po::options_description& options) {
  std::string out;
  for (const auto& o : options.options()) out += item(synopsis_of(*o), o->description());
  return out;
}

/// Lines as they are.
std::string lines(std::string_view text) {
  return fmt::format(".PP\n.nf\n{}{}.fi\n", roff(text), text.ends_with('\n') ? "" : "\n");
}

std::string section_of(const Command& c) {
  std::string title = "agon " + c.synopsis.name;
  for (const Positional& p : c.synopsis.positionals) title += " " + synopsis_of(p);
  std::string out = fmt::format(".SS {}\n{}\n", roff(title), roff(c.synopsis.summary));
  for (const Positional& p : c.synopsis.positionals) out += item(p.name, p.doc);
  out += items(c.synopsis.options);
  if (!c.synopsis.details.empty()) out += lines(c.synopsis.details);
  return out;
}

std::string section_of(const PluginCommand& c) {
  return fmt::format(".SS {}\n{}\n", roff(fmt::format("agon {}", c.id)), roff(c.doc)) +
         lines(fmt::format("agon {} {}", c.id, c.usage));
}

}  // namespace

std::string manual(const std::vector<Command>& all,
                   const std::vector<const PluginCommand*>& of_plugins) {
  std::string out = fmt::format(".TH AGON 1 \"\" \"agon {}\" \"Agon\"\n", AGON_SDK_VERSION_TEXT);
  out +=
      ".SH NAME\nagon \\- an arena for economic games\n"
      ".SH SYNOPSIS\n.B agon\n\\fICOMMAND\\fR [\\fIARGUMENT\\fR...] [\\fIOPTION\\fR...]\n"
      ".SH DESCRIPTION\n"
      "Language models behind any endpoint, rule strategies, people and programs in any language\n"
      "play auctions, bargaining, division and games of choice. Every agent plays on the same\n"
      "chance; every match is kept, can be shown, and replayed to the byte; a report says with\n"
      "intervals who did how well.\n"
      ".SH COMMANDS\n";
  for (const Command& c : all) out += section_of(c);
  for (const PluginCommand* c : of_plugins) out += section_of(*c);
  out += ".SH OPTIONS OF ALL COMMANDS\n" + items(common_options());
  out += ".SH EXIT STATUS\n";
  for (const ExitCode& each : exit_codes()) out += item(std::to_string(each.code), each.meaning);
  out += ".SH ENVIRONMENT\n";
  constexpr std::pair<std::string_view, std::string_view> variables[] = {
      {"AGON_PLUGIN_PATH", "folders of plugins, with colons between"},
      {"AGON_PRICES", "the file of prices, where --prices names none"},
      {"AGON_CA_FILE", "certificates to trust, where --ca-file names none"},
      {"NO_COLOR", "if set, headings are not bold"},
  };
  for (const auto& [name, meaning] : variables) out += item(name, meaning);
  out +=
      ".SH FILES\n"
      ".TP\n\\fIPREFIX/lib/agon/plugins\\fR\ngames and agents\n"
      ".TP\n\\fIPREFIX/share/agon\\fR\ndata, prompts, scenarios, schemas\n"
      ".TP\n\\fIPREFIX/share/doc/agon\\fR\ntutorials and reference\n";
  return out;
}

}  // namespace agon::command
