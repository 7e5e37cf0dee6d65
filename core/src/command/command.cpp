#include "command/command.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "command/analysis/analysis.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "suite/suite.hpp"
#include "suite/suite_file.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {

namespace {

/// As Isolate has them.
constexpr const char* kSandbox = "auto|always|never";

/// Throws Error (preflight) if plugins are always to be kept apart and this machine cannot do it.
void require_possible(const Isolation& isolation) {
  if (isolation.when != Isolate::always) return;
  const std::vector<std::string> gaps = gaps_of(lock_support_of_machine());
  if (gaps.empty()) return;
  throw Error(ErrorKind::preflight,
              "this machine cannot sandbox games: " + text::joined(gaps, "; "), "",
              "allow it (in a container, by its seccomp profile), or use --sandbox auto, which "
              "locks down what it can");
}

}  // namespace

namespace po = boost::program_options;

void add_scope_options(Synopsis& synopsis, const std::string& otherwise) {
  // clang-format off
  synopsis.options.add_options()
      ("suite", po::value<std::string>()->value_name("NAME"), ("only this suite, by name, number or start of its digest (default: " + otherwise + ")").c_str())
      ("run", po::value<std::string>()->value_name("N"), "only matches that run N played or reused")
      ("all-suites", "all matches in the archive");
  // clang-format on
  synopsis.rules.push_back({"suite", {}, {"run", "all-suites"}});
  synopsis.rules.push_back({"run", {}, {"all-suites"}});
}

report::ScopeChoice scope_of(const Invocation& call) {
  return {call.text("suite"), call.text("run"), call.has("all-suites"), call.text("metrics")};
}

namespace {

po::options_description all_options(const Synopsis& synopsis) {
  po::options_description all;
  all.add(synopsis.options);
  all.add(common_options());
  all.add_options()("argument", po::value<std::vector<std::string>>(), "");
  return all;
}

std::vector<std::string> option_names(const po::options_description& options) {
  std::vector<std::string> names;
  for (const auto& option : options.options())
    if (option->long_name() != "argument") names.push_back("--" + option->long_name());
  return names;
}

/// What is wrong with an option that lacks its value, or has one that it does not take.
std::string wrong_value(const po::options_description& options, const std::string& name) {
  const po::option_description* option =
      options.find_nothrow(name.substr(std::min(name.find_first_not_of('-'), name.size())), false);
  if (option == nullptr) return name + " has an invalid value";
  if (option->semantic()->max_tokens() == 0) return name + " takes no value";
  return name + " requires a value: " + option->format_parameter();
}

/// Options that had another name before the first release.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kRenamed{
    {{"isolate", "sandbox"},
     {"against", "reference"},
     {"policy", "fault-policy"},
     {"retry-set-aside", "retry-quarantined"},
     {"meta", "metagame"},
     {"meta-agents", "metagame-agents"},
     {"seats-apart", "asymmetric"},
     {"table", "paper-table"},
     {"papers", "with-paper-tables"},
     {"list-tables", "list-paper-tables"},
     {"all", "all-suites"},
     {"read", "forms"},
     {"in", "directory"},
     {"host", "public-host"}}};

/// The same words, with the new names of options that were renamed; says so on standard error.
std::vector<std::string> with_new_names(std::vector<std::string> words,
                                        const po::options_description& options) {
  for (std::string& word : words) {
    if (word == "--") break;
    if (!word.starts_with("--")) continue;
    const std::string name = word.substr(2, word.find('=') - 2);
    const auto renamed = std::find_if(kRenamed.begin(), kRenamed.end(),
                                      [&](const auto& pair) { return pair.first == name; });
    if (renamed == kRenamed.end()) continue;
    const std::string now(renamed->second);
    if (options.find_nothrow(name, false) != nullptr || options.find_nothrow(now, false) == nullptr)
      continue;
    text::say("warning: --{} is now --{}\n", name, now);
    word.replace(2, name.size(), now);
  }
  return words;
}

/// As OptionRule has names.
bool is_positional(const std::string& name) {
  return name.front() >= 'A' && name.front() <= 'Z';
}

void check_rules(const Invocation& call, const Synopsis& synopsis) {
  const auto is_given = [&](const std::string& name) {
    return is_positional(name) ? !call.argument(name).empty() : call.has(name);
  };
  const auto shown = [](const std::string& name) {
    return is_positional(name) ? name : "--" + name;
  };
  for (const OptionRule& rule : synopsis.rules) {
    if (!is_given(rule.option)) continue;
    if (!rule.needs.empty() && std::ranges::none_of(rule.needs, is_given))
      throw Error(ErrorKind::usage,
                  shown(rule.option) + " requires " + text::joined(rule.needs, " or ", shown), "",
                  "see 'agon " + synopsis.name + " --help'");
    for (const std::string& other : rule.conflicts)
      if (is_given(other))
        throw Error(ErrorKind::usage, shown(rule.option) + " conflicts with " + shown(other), "",
                    "leave one of them out");
  }
}

}  // namespace

Invocation::Invocation(const Synopsis& synopsis, const std::vector<std::string>& arguments,
                       const Host* host)
    : synopsis_(synopsis), host_(host) {
  const po::options_description all = all_options(synopsis);
  words_ = with_new_names(arguments, all);
  boost::json::array line{"agon", boost::json::string(synopsis.name)};
  for (const std::string& word : words_) line.emplace_back(boost::json::string(word));
  command_line_ = json::write(boost::json::value(std::move(line)));

  const std::string help = "see 'agon " + synopsis.name + " --help'";
  const auto wrong = [&](const std::string& what, const std::string& hint = {}) {
    throw Error(ErrorKind::usage, what, "", hint.empty() ? help : hint);
  };
  po::positional_options_description positional;
  positional.add("argument", -1);
  try {
    using Style = po::command_line_style::style_t;
    // No guessing of shortened names: a script must not change its meaning with a new option.
    const int style = Style::default_style & ~Style::allow_guessing;
    po::store(
        po::command_line_parser(words_).options(all).positional(positional).style(style).run(),
        values_);
    po::notify(values_);
  } catch (const po::unknown_option& error) {
    wrong("unknown option '" + error.get_option_name() + "'",
          text::suggestion(error.get_option_name(), option_names(all), help));
  } catch (const po::multiple_occurrences& error) {
    wrong("duplicate option '" + error.get_option_name() + "'");
  } catch (const po::error_with_option_name& error) {
    wrong(wrong_value(all, error.get_option_name()));
  } catch (const po::error&) {
    wrong("invalid command line");
  }
  if (has("help")) return;
  const std::vector<std::string> given = texts("argument");
  std::size_t required = 0;
  for (const Positional& p : synopsis.positionals) required += p.required ? 1 : 0;
  if (given.size() < required) wrong("missing " + synopsis.positionals[given.size()].name);
  const bool repeats = !synopsis.positionals.empty() && synopsis.positionals.back().repeats;
  if (given.size() > synopsis.positionals.size() && !repeats)
    wrong("unexpected argument '" + given[synopsis.positionals.size()] + "'");
  for (const auto& option : all.options()) {
    const std::string& name = option->long_name();
    if (name == "argument" || !has(name) || option->semantic()->max_tokens() == 0) continue;
    const auto* one = boost::any_cast<std::string>(&values_[name].value());
    const std::vector<std::string> many = one == nullptr ? texts(name) : std::vector{*one};
    if (std::find(many.begin(), many.end(), "") != many.end())
      throw Error(ErrorKind::usage, "--" + name + " requires a value, but got an empty one", "",
                  "set a value or leave the option out; a shell variable may be unset");
  }
  check_rules(*this, synopsis);
}

bool Invocation::has(const std::string& option) const {
  return values_.count(option) != 0;
}

std::string Invocation::text(const std::string& option) const {
  return has(option) ? values_[option].as<std::string>() : std::string();
}

std::vector<std::string> Invocation::texts(const std::string& option) const {
  return has(option) ? values_[option].as<std::vector<std::string>>() : std::vector<std::string>();
}

std::int64_t Invocation::number(const std::string& option, std::int64_t fallback, std::int64_t lo,
                                std::int64_t hi) const {
  if (!has(option)) return fallback;
  const std::string given = text(option);
  const auto value = text::number_in<std::int64_t>(given);
  if (!value || *value < lo || *value > hi)
    throw Error(ErrorKind::usage,
                "invalid value '" + given + "' for --" + option +
                    "; expected a whole number from " + std::to_string(lo) + " to " +
                    std::to_string(hi),
                "", "see 'agon " + synopsis_.name + " --help'");
  return *value;
}

std::string Invocation::argument(const std::string& name) const {
  const std::vector<std::string> given = texts("argument");
  for (std::size_t i = 0; i < std::min(given.size(), synopsis_.positionals.size()); ++i)
    if (synopsis_.positionals[i].name == name) return plugin::scenario_file(given[i]);
  return {};
}

std::vector<std::string> Invocation::arguments(const std::string& name) const {
  std::vector<std::string> given = texts("argument");
  const std::size_t last = synopsis_.positionals.size() - 1;
  if (synopsis_.positionals[last].name != name || given.size() <= last) return {};
  given.erase(given.begin(), given.begin() + static_cast<std::ptrdiff_t>(last));
  return given;
}

const Catalogue& Invocation::catalogue() {
  if (catalogue_ == nullptr) {
    LoadOptions options{.isolation = isolation_, .stop = stop_, .trusts_others = has("trust")};
    if (has("sandbox"))
      options.isolation.when = static_cast<Isolate>(chosen_word(*this, "sandbox", kSandbox));
    require_possible(options.isolation);
    if (overhear_)
      options.overhear = [told = overhear_](std::string_view text) {
        const std::size_t last = text.find_last_not_of(" \t\r\n");
        if (last != std::string_view::npos) told(text.substr(0, last + 1));
      };
    auto catalogue = std::make_shared<Catalogue>(std::move(options));
    if (host_ != nullptr)
      for (const AgentCard& agent : host_->agents) catalogue->add(agent);
    std::vector<std::string> given = plugins_;
    for (std::string& plugin : texts("plugin")) given.push_back(std::move(plugin));
    catalogue->load_all(given, texts("replace"));
    catalogue_ = std::move(catalogue);
    for (const PluginEntry& plugin : catalogue_->plugins())
      if (plugin.claims_taken_name)
        text::say("warning: {} is not loaded: {}\n", text::printable(plugin.path),
                  text::printable(plugin.reason));
    tell_what_stays_open();
  }
  return *catalogue_;
}

void Invocation::load(const std::filesystem::path& plugin) {
  if (catalogue_ == nullptr) {
    plugins_.push_back(plugin.string());
    return;
  }
  catalogue_->load(plugin);
  tell_what_stays_open();
}

void Invocation::tell_what_stays_open() {
  const auto& plugins = catalogue_->plugins();
  if (told_what_stays_open_ ||
      std::none_of(plugins.begin(), plugins.end(),
                   [](const PluginEntry& plugin) { return plugin.isolated; }))
    return;
  told_what_stays_open_ = true;
  for (const std::string& gap : gaps_of(lock_support_of_machine())) text::say("warning: {}\n", gap);
}

const Game& Invocation::game(const std::string& name) {
  const std::optional<GameFile> named = game_file(name, "");
  if (!named) return catalogue().game(name);
  load(named->file);
  return catalogue().game(*named);
}

const Importer& Invocation::importer(const std::string& name) {
  const std::optional<GameFile> named = game_file(name, "");
  if (!named) return catalogue_with_importers().importer(name);
  catalogue();
  catalogue_->load_importers(named->file);
  tell_what_stays_open();
  return catalogue_->importer(*named);
}

const Catalogue& Invocation::catalogue_with_importers() {
  catalogue();
  catalogue_->load_importers();
  return *catalogue_;
}

void Invocation::heed_isolation(const std::string& suite_text, const std::string& suite_file) {
  const std::optional<AskedIsolation> asked = asked_isolation(suite_text, suite_file);
  if (!asked) return;
  if (asked->isolation.when == Isolate::never && !has("sandbox") && !has("trust"))
    throw Error(ErrorKind::preflight,
                "the suite sets \"sandbox\": \"never\", which turns the sandbox off and needs your "
                "confirmation",
                asked->where, "if you trust the plugins, add --sandbox never");
  isolation_ = asked->isolation;
}

std::vector<std::string> data_folders() {
  return {plugin::shipped_file("data").string()};
}

std::vector<std::string> words_of_game(const Invocation& call, const std::string& name) {
  std::vector<std::string> words{name};
  for (const char* option : {"plugin", "replace"})
    for (const std::string& plugin : call.texts(option))
      words.insert(words.end(), {std::string("--") + option, plugin});
  if (call.has("sandbox")) words.insert(words.end(), {"--sandbox", call.text("sandbox")});
  return words;
}

std::size_t chosen_word(const Invocation& call, const std::string& option, std::string_view words,
                        std::size_t otherwise) {
  if (!call.has(option)) return otherwise;
  const std::string asked = call.text(option);
  std::string known;
  for (std::size_t i = 0, at = 0; at <= words.size(); ++i) {
    const std::size_t end = std::min(words.find('|', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    if (word == asked) return i;
    if (i > 0) known += end == words.size() ? " or " : ", ";
    known += word;
    at = end + 1;
  }
  throw Error(ErrorKind::usage,
              "invalid value '" + asked + "' for --" + option + "; expected " + known);
}

std::string asked_policy(const Invocation& call) {
  (void)chosen_word(call, "fault-policy", "as-played|forfeit|exclude");
  return call.text("fault-policy");
}

po::options_description common_options() {
  po::options_description options;
  // clang-format off
  options.add_options()
      ("plugin", po::value<std::vector<std::string>>()->value_name("FILE")->composing(), "load this plugin or folder of plugins (repeatable)")
      ("replace", po::value<std::vector<std::string>>()->value_name("FILE")->composing(), "load this plugin instead of Agon's own games, agents and plugins of the same name (repeatable)")
      ("sandbox", po::value<std::string>()->value_name(kSandbox), "which plugins run in a sandbox: third-party ones (auto), all (always) or none (never) (default: auto)")
      ("trust", "approve what the suite requests (remembered) and plugins that other users can modify (this run only)")
      ("json", "print JSON to standard output")
      ("quiet,q", "hide progress")
      ("help,h", "show this help");
  // clang-format on
  return options;
}

std::string Invocation::to_resume(const std::string& out) const {
  if (host_ != nullptr) return {};
  std::vector<std::string> words{"agon", synopsis_.name};
  words.insert(words.end(), words_.begin(), words_.end());
  if (!out.empty() && text("out") != out) {
    words = text::without_options(words, {"--out", "--work"});
    words.insert(words.end(), {"--out", out});
  }
  return text::shell_line(words);
}

std::vector<Command> commands() {
  std::vector<Command> all{list_command(),   describe_command(), play_command(), run_command(),
                           branch_command(), merge_command(),    plan_command(), report_command(),
                           show_command(),   serve_command()};
  for (Command& command : analysis_commands()) all.push_back(std::move(command));
  for (Command& command :
       std::vector{replay_command(), export_command(), import_command(), new_command(),
                   doctor_command(), check_command(), bench_command()})
    all.push_back(std::move(command));
  return all;
}

}  // namespace agon::command
