#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "command/help.hpp"
#include "conformance/checks.hpp"
#include "plugin/catalogue.hpp"
#include "report/report.hpp"
#include "text/words.hpp"

namespace agon::command {

namespace po = boost::program_options;

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
    } else if (word.starts_with("-") || said_.size() >= positionals_.size()) {
      for (const auto& option : all_.options())
        add("", word, "--" + option->long_name(), option->description());
    } else {
      const Positional& next = positionals_[said_.size()];
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
