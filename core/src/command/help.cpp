#include "command/help.hpp"

#include <fmt/format.h>

#include <agon/sdk_version.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "conformance/checks.hpp"
#include "plugin/catalogue.hpp"
#include "report/report.hpp"
#include "text/layout.hpp"
#include "text/words.hpp"

namespace agon::command {

namespace po = boost::program_options;

namespace {

constexpr std::size_t kPageColumns = 80;

/// What an exit code says, for help and for the manual page.
struct ExitCode {
  int code;
  std::string_view meaning;
};

constexpr std::array<ExitCode, 9> kExitCodes{{
    {0, "done"},
    {1, "failure"},
    {2, "wrong usage"},
    {3, "not found or plugin refused"},
    {4, "missing API key, endpoint or model"},
    {5, "invalid suite, settings or data"},
    {6, "unfinished matches or a broken game"},
    {7, "a cap was reached or the credit is used up"},
    {kInterrupted, "interrupted"},
}};

/// "SUITE" or "[MATCH]".
std::string synopsis_of(const Positional& positional) {
  const std::string name = positional.name + (positional.repeats ? "..." : "");
  return positional.required ? name : "[" + name + "]";
}

/// "--out FILE", "--report".
std::string synopsis_of(const po::option_description& option) {
  std::string text = "--" + option.long_name();
  if (option.semantic()->max_tokens() > 0) text += " " + option.format_parameter();
  return text;
}

}  // namespace

std::string usage(const std::vector<Command>& all,
                  const std::vector<const PluginCommand*>& of_plugins) {
  text::TextTable table({{""}, {""}});
  for (const Command& c : all) table.add({c.synopsis.name, c.synopsis.summary});
  for (const PluginCommand* c : of_plugins) table.add({std::string(c->id), std::string(c->doc)});
  std::string codes;
  for (const ExitCode& each : kExitCodes)
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
  for (const ExitCode& each : kExitCodes) out += item(std::to_string(each.code), each.meaning);
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

namespace {

using Option = po::option_description;

bool takes_value(const Option& option) {
  return option.semantic()->max_tokens() > 0;
}

/// One call of a command that is being typed.
class Completer {
 public:
  Completer(const Synopsis& synopsis, std::span<const std::string> before) {
    all_.add(synopsis.options).add(common_options());
    positionals_ = synopsis.positionals;
    for (const std::string& word : before) hear(word);
  }

  std::string of(std::string_view word) {
    if (waits_ != nullptr && !word.starts_with("--")) {
      offer(waits_->format_parameter(), "", word);
    } else if (const std::size_t is = word.find('='); word.starts_with("--") && is != word.npos) {
      const Option* option = find(word.substr(2, is - 2));
      if (option != nullptr && takes_value(*option))
        offer(option->format_parameter(), word.substr(0, is + 1), word.substr(is + 1));
    } else if (word.starts_with("-") || (said_.size() >= positionals_.size() &&
                                         (positionals_.empty() || !positionals_.back().repeats))) {
      for (const auto& option : all_.options())
        add("", word, "--" + option->long_name(), option->description());
    } else {
      const Positional& next = positionals_[std::min(said_.size(), positionals_.size() - 1)];
      offer(next.values.empty() ? next.name : next.values, "", word);
    }
    return out_;
  }

 private:
  [[nodiscard]] const Option* find(std::string_view name) const {
    return all_.find_nothrow(std::string(name), false);
  }

  void hear(const std::string& word) {
    if (word.starts_with("-")) {
      const std::size_t is = word.find('=');
      waits_ = word.starts_with("--") && is == word.npos ? find(word.substr(2)) : nullptr;
      if (waits_ != nullptr && !takes_value(*waits_)) waits_ = nullptr;
    } else if (waits_ != nullptr) {
      if (waits_->long_name() == "plugin") plugins_.push_back(word);
      if (waits_->semantic()->max_tokens() == 1) waits_ = nullptr;
    } else {
      said_.push_back(word);
    }
  }

  void add(std::string_view prefix, std::string_view typed, std::string_view word,
           std::string_view meaning) {
    if (!word.starts_with(typed)) return;
    const std::string_view first = meaning.substr(0, meaning.find_first_of("\t\n"));
    std::string line = fmt::format("{}{}\t{}\n", prefix, word, first.substr(0, first.find(". ")));
    if (told_.insert(line.substr(0, line.find('\t'))).second) out_ += line;
  }

  const Catalogue& catalogue() {
    if (!catalogue_) catalogue_.emplace().load_all(plugins_);
    return *catalogue_;
  }
  /// The game that a positional argument names; null: none does.
  const Game* game() {
    for (const std::string& each : said_)
      if (catalogue().find<Game>(each)) return &catalogue().game(each);
    return nullptr;
  }

  /// Values as synopses write them: "FILE", "text|json", "[NAME=]AGENT". In small letters stands
  /// what is to be typed.
  void offer(std::string_view values, std::string_view prefix, std::string_view typed) {
    if (const std::size_t is = values.find('='); is != values.npos) {
      const std::size_t given = typed.find('=');
      if (given != typed.npos && typed.find(':') > given)
        return offer(values.substr(values.find_first_not_of("=]", is)), typed.substr(0, given + 1),
                     typed.substr(given + 1));
      if (values.starts_with("SETTING") && game() != nullptr)
        for (const Field& field : game()->settings->fields)
          add(prefix, typed, fmt::format("{}=", field.name), field.doc);
      if (!values.starts_with("[")) return;
      values.remove_prefix(is + 2);
    }
    for (std::size_t at = 0; at <= values.size();) {
      const std::size_t end = std::min(values.find('|', at), values.size());
      offer_one(values.substr(at, end - at), prefix, typed);
      at = end + 1;
    }
  }

  void offer_one(std::string_view value, std::string_view prefix, std::string_view typed) {
    if (value == "ARCHIVE") {
      out_ += ":files .agon\n";
    } else if (value == "SUITE") {
      out_ += ":files .json\n";
    } else if (value == "PATH" || value.starts_with("FILE")) {
      out_ += ":files\n";
    } else if (value == "FOLDER") {
      out_ += ":folders\n";
    } else if (value == "GAME") {
      for (const Game* g : catalogue().all<Game>()) add(prefix, typed, g->id, g->card.title);
    } else if (value == "AGENT") {
      const Game* of = game();
      for (const AgentCard* a :
           of == nullptr ? catalogue().all<AgentCard>() : catalogue().agents_of(of->id))
        add(prefix, typed, a->id, a->doc);
    } else if (value == "PART") {
      for (const PartCard* p : catalogue().all<PartCard>()) add(prefix, typed, p->id, p->doc);
    } else if (value.starts_with("PROVIDER")) {
      for (const ProviderCard* p : catalogue().all<ProviderCard>())
        add(prefix, typed,
            value == "PROVIDER" || p->wire == nullptr ? std::string(p->id)
                                                      : fmt::format("{}/", p->id),
            p->doc);
    } else if (value == "DOCUMENT") {
      for (const auto& [name, doc] : described_files(catalogue())) add(prefix, typed, name, doc);
    } else if (value == "IMPORTER") {
      catalogue();
      catalogue_->load_importers();
      for (const Importer* i : catalogue_->all<Importer>()) add(prefix, typed, i->id, i->doc);
    } else if (value == "PRESET") {
      if (const Game* of = game(); of != nullptr)
        for (const Preset& p : of->card.presets) add(prefix, typed, p.name, p.doc);
    } else if (value == "PAPER/ID") {
      for (const TableCard* t : catalogue().all<TableCard>()) add(prefix, typed, t->id, t->title);
    } else if (value == "CHECK") {
      for (const conformance::Check& one : conformance::checks())
        add(prefix, typed, one.name, one.doc);
    } else if (value == "SECTION") {
      for (const std::string& name : report::section_names()) add(prefix, typed, name, "");
    } else if (std::none_of(value.begin(), value.end(),
                            [](unsigned char c) { return std::isupper(c) != 0; })) {
      add(prefix, typed, value, "");
    }
  }

  po::options_description all_;
  std::vector<Positional> positionals_;
  std::vector<std::string> said_;
  std::vector<std::string> plugins_;
  const Option* waits_ = nullptr;  ///< whose value comes next
  std::optional<Catalogue> catalogue_;
  std::set<std::string> told_;
  std::string out_;
};

/// The options that a plugin's command names in its usage.
std::string options_of(const PluginCommand& command, std::string_view typed) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz-";
  std::set<std::string> found;
  for (std::size_t at = command.usage.find("--"); at != std::string_view::npos;) {
    const std::size_t end =
        std::min(command.usage.find_first_not_of(kLetters, at), command.usage.size());
    const std::string_view option = command.usage.substr(at, end - at);
    if (option.size() > 2 && option.starts_with(typed)) found.insert(fmt::format("{}\t\n", option));
    at = command.usage.find("--", end);
  }
  return text::joined(found, "");
}

}  // namespace

std::string completions(const std::vector<Command>& all, std::span<const std::string> words) {
  const std::string typed = words.empty() ? "" : words.back();
  if (words.size() > 1)
    for (const Command& c : all)
      if (c.synopsis.name == words[0])
        return Completer(c.synopsis, words.subspan(1, words.size() - 2)).of(typed);
  if (words.size() == 2 && words[0] == "help")
    return std::string_view("--man").starts_with(typed) ? "--man\tas a manual page\n" : "";
  Catalogue catalogue;
  catalogue.load_all();
  std::string out;
  if (words.size() > 1) {
    for (const PluginCommand* c : catalogue.all<PluginCommand>())
      if (c->id == words[0]) return typed.starts_with("-") ? options_of(*c, typed) : ":files\n";
    return out;
  }
  const auto add = [&](std::string_view word, std::string_view meaning) {
    if (word.starts_with(typed)) out += fmt::format("{}\t{}\n", word, meaning);
  };
  for (const Command& c : all) add(c.synopsis.name, c.synopsis.summary);
  for (const PluginCommand* c : catalogue.all<PluginCommand>()) add(c->id, c->doc);
  add("help", "what there is");
  add("--help", "what there is");
  add("--version", "versions");
  return out;
}

}  // namespace agon::command
