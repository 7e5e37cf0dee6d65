#include "command/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <string_view>

#include "describe/value.hpp"
#include "json/write.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "suite/suite_file.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {

/// The end of what games print in the course of a run. From any thread.
class Overheard {
 public:
  /// `text` has no white space at its end.
  void hear(std::string_view text);
  /// The last 8 lines, at most 600 bytes; empty: nothing was printed.
  [[nodiscard]] std::string end() const;

 private:
  mutable std::mutex mutex_;
  std::string end_;
};

Isolate read_isolate(const std::string& option) {
  if (const auto when = value_named<Isolate>(option)) return *when;
  throw Error(ErrorKind::usage,
              "invalid value '" + option + "' for --sandbox; expected auto, always or never");
}

void require_possible(const Isolation& isolation) {
  if (isolation.when != Isolate::always) return;
  const std::vector<std::string> gaps = gaps_of(lock_support_of_machine());
  if (gaps.empty()) return;
  throw Error(ErrorKind::preflight,
              "this machine cannot sandbox games: " + text::joined(gaps, "; "), "",
              "allow it (in a container, by its seccomp profile), or use --sandbox auto, which "
              "locks down what it can");
}

std::string problem_of_lock() {
  using namespace std::chrono_literals;
  const std::string program =
      (plugin::program_folder() / ".." / "lib" / "agon" / "agon-worker").string();
  try {
    Process process({program, "try"}, "", {});
    std::string line;
    const auto until = Process::Clock::now() + 20s;
    if (process.read(line, until, 1s) != Process::Got::line || line != "locked") {
      process.kill();
      return "it did not come to play" + process.last_words();
    }
    const std::optional<int> own = filters_in_force(getpid());
    const std::optional<int> there = filters_in_force(process.id());
    if (own && there && *there != *own + filters_of_locked(true))
      return fmt::format("it has {} filters of system calls and not {}", *there - *own,
                         filters_of_locked(true));
    process.quit("", until);
    if (process.complaints().find("the call 'socket' is not allowed") == std::string::npos)
      return "it could open a connection: " + process.fate();
  } catch (const Error& error) {
    return error.problem();
  }
  return {};
}

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

constexpr std::size_t kMostBytes = 600;
constexpr int kMostLines = 8;

/// Where the last lines begin.
std::size_t last_lines(std::string_view text) {
  std::size_t at = text.size();
  for (int line = 0; line < kMostLines; ++line) {
    at = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    if (at == std::string_view::npos) return 0;
  }
  return at + 1;
}

}  // namespace

void Overheard::hear(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (!end_.empty()) end_ += '\n';
  end_ += text;
  end_.erase(0, last_lines(end_));
  if (end_.size() > kMostBytes) end_.erase(0, end_.size() - kMostBytes);
}

std::string Overheard::end() const {
  const std::lock_guard lock(mutex_);
  return end_;
}

namespace po = boost::program_options;

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

void tell_print(std::string_view text) {
  text::say("the game printed: {}\n", as_one_message(text));
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
  if (wants_help()) return;
  const std::vector<std::string> given = texts("argument");
  std::size_t required = 0;
  for (const Positional& p : synopsis.positionals) required += p.required ? 1 : 0;
  if (given.size() < required) wrong("missing " + synopsis.positionals[given.size()].name);
  if (given.size() > synopsis.positionals.size())
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
  check_rules();
}

void Invocation::check_rules() const {
  const auto is_given = [&](const std::string& name) {
    return is_positional(name) ? !argument(name).empty() : has(name);
  };
  const auto shown = [](const std::string& name) {
    return is_positional(name) ? name : "--" + name;
  };
  for (const OptionRule& rule : synopsis_.rules) {
    if (!is_given(rule.option)) continue;
    if (!rule.needs.empty() && std::ranges::none_of(rule.needs, is_given))
      throw Error(ErrorKind::usage,
                  shown(rule.option) + " requires " + text::joined(rule.needs, " or ", shown), "",
                  "see 'agon " + synopsis_.name + " --help'");
    for (const std::string& other : rule.conflicts)
      if (is_given(other))
        throw Error(ErrorKind::usage, shown(rule.option) + " conflicts with " + shown(other), "",
                    "leave one of them out");
  }
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
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
  if (error != std::errc() || end != given.data() + given.size() || value < lo || value > hi)
    throw Error(ErrorKind::usage,
                "invalid value '" + given + "' for --" + option +
                    "; expected a whole number from " + std::to_string(lo) + " to " +
                    std::to_string(hi),
                "", "see 'agon " + synopsis_.name + " --help'");
  return value;
}

std::string Invocation::argument(const std::string& name) const {
  const std::vector<std::string> given = texts("argument");
  for (std::size_t i = 0; i < given.size(); ++i)
    if (synopsis_.positionals[i].name == name) return plugin::scenario_file(given[i]);
  return {};
}

const Catalogue& Invocation::catalogue() {
  if (catalogue_ == nullptr) {
    LoadOptions options{.isolation = isolation_, .stop = stop_, .trusts_others = has("trust")};
    if (has("sandbox")) options.isolation.when = read_isolate(text("sandbox"));
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

void Invocation::tell_what_is_printed() {
  overhear_ = &tell_print;
}

void Invocation::keep_what_is_printed() {
  overheard_ = std::make_shared<Overheard>();
  overhear_ = [kept = overheard_](std::string_view text) { kept->hear(text); };
}

void Invocation::tell_what_was_printed() const {
  const std::string end = overheard_ == nullptr ? "" : overheard_->end();
  if (!end.empty() && !quiet())
    text::say("games printed, the last of it ('agon play' tells what one match prints):\n  {}\n",
              as_one_message(end));
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

std::string Invocation::suite_text(const std::string& file) const {
  return host_ != nullptr && !host_->suite.empty() ? host_->suite : Suite::read_text(file);
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

std::vector<std::string> Invocation::data_folders() const {
  return {plugin::shipped_file("data").string()};
}

std::vector<std::string> Invocation::words_of_game(const std::string& name) const {
  std::vector<std::string> words{name};
  for (const char* option : {"plugin", "replace"})
    for (const std::string& plugin : texts(option))
      words.insert(words.end(), {std::string("--") + option, plugin});
  if (has("sandbox")) words.insert(words.end(), {"--sandbox", text("sandbox")});
  return words;
}

SuiteOptions Invocation::suite_options() const {
  SuiteOptions options;
  options.data_folders = data_folders();
  options.prompt_folders = {plugin::shipped_file("prompts").string()};
  options.models = texts("model");
  options.ca_file = text("ca-file");
  if (const char* set = std::getenv("AGON_CA_FILE"); options.ca_file.empty() && set != nullptr)
    options.ca_file = set;
  if (!options.ca_file.empty() && !std::ifstream(options.ca_file).good())
    throw Error(ErrorKind::not_found, "the certificate file cannot be read", options.ca_file,
                has("ca-file") ? "" : "AGON_CA_FILE sets it");
  options.verbose = has("verbose");
  options.stop = stop_;
  return options;
}

SuiteOptions Invocation::changed_suite_options() const {
  SuiteOptions options = suite_options();
  options.agents = texts("agent");
  if (has("until")) options.until = text("until");
  options.most_blocks = static_cast<std::uint64_t>(number("blocks", 0, 1, 1'000'000'000));
  return options;
}

std::string asked_policy(const Invocation& call) {
  if (!call.has("fault-policy")) return {};
  std::string asked = call.text("fault-policy");
  try {
    (void)fault_policy(asked, "--fault-policy");
  } catch (const Error&) {
    throw Error(
        ErrorKind::usage,
        "invalid value '" + asked + "' for --fault-policy; expected as-played, forfeit or exclude");
  }
  return asked;
}

po::options_description common_options() {
  po::options_description options;
  // clang-format off
  options.add_options()
      ("plugin", po::value<std::vector<std::string>>()->value_name("FILE")->composing(), "load this plugin or folder of plugins (repeatable)")
      ("replace", po::value<std::vector<std::string>>()->value_name("FILE")->composing(), "load this plugin instead of Agon's own games, agents and plugins of the same name (repeatable)")
      ("sandbox", po::value<std::string>()->value_name("auto|always|never"), "which plugins run in a sandbox: third-party ones (auto), all (always) or none (never) (default: auto)")
      ("trust", "approve what the suite requests (remembered) and plugins that other users can modify (this run only)")
      ("json", "print JSON to standard output")
      ("quiet,q", "hide progress")
      ("help,h", "show this help");
  // clang-format on
  return options;
}

void add_suite_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("agent", po::value<std::vector<std::string>>()->value_name("[NAME=]AGENT")->composing(), "replace agent NAME, or every agent that calls a model; AGENT is name, name:key=value,... or a JSON object (repeatable)")
      ("blocks", po::value<std::string>()->value_name("N"), "play at most N blocks of each scenario, to try a suite")
      ("scenario", po::value<std::vector<std::string>>()->value_name("NAME")->composing(), "play only this scenario (repeatable)");
  // clang-format on
}

void add_model_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("model", po::value<std::vector<std::string>>()->value_name("[NAME=]PROVIDER/MODEL")->composing(), "replace entry NAME of \"models\", or every model; parameters: PROVIDER/MODEL:key=value,... (repeatable)");
  // clang-format on
}

void add_wire_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("ca-file", po::value<std::string>()->value_name("FILE"), "certificates to trust in addition to the system's (default: AGON_CA_FILE)")
      ("verbose,v", "log model requests and responses, keys redacted");
  // clang-format on
}

Caps Invocation::caps() const {
  Caps caps;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (has("max-cost")) caps.cost = read_cost(text("max-cost"), "--max-cost");
  if (has("max-tokens")) caps.tokens = number("max-tokens", 0, 0, kMost);
  if (has("max-calls")) caps.calls = number("max-calls", 0, 0, kMost);
  return caps;
}

std::string Invocation::prices() const {
  if (has("prices")) return text("prices");
  const char* set = std::getenv("AGON_PRICES");
  return set == nullptr ? "" : set;
}

std::string Invocation::to_resume(const std::string& out) const {
  if (host_ != nullptr) return {};
  std::vector<std::string> words{"agon", synopsis_.name};
  const bool is_elsewhere = !out.empty() && text("out") != out;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto is = [&](const std::string& option) {
      return words_[i] == option || words_[i].starts_with(option + "=");
    };
    if (!is_elsewhere || !(is("--out") || is("--work")))
      words.push_back(words_[i]);
    else if (words_[i].find('=') == std::string::npos)
      ++i;
  }
  if (is_elsewhere) words.insert(words.end(), {"--out", out});
  return text::shell_line(words);
}

void add_limit_options(po::options_description& options) {
  // clang-format off
  options.add_options()
      ("prices", po::value<std::string>()->value_name("FILE"), "prices of models, see docs/suite.md (default: AGON_PRICES)")
      ("max-cost", po::value<std::string>()->value_name("USD"), "stop before the cost exceeds USD, earlier runs included")
      ("max-tokens", po::value<std::string>()->value_name("N"), "stop before input plus output tokens exceed N, earlier runs included")
      ("max-calls", po::value<std::string>()->value_name("N"), "stop before model calls exceed N, earlier runs included")
      ("no-preflight", "skip the check of keys, endpoints and models before the run");
  // clang-format on
}

std::vector<Command> commands() {
  std::vector<Command> all;
  all.push_back(list_command());
  all.push_back(describe_command());
  all.push_back(play_command());
  all.push_back(run_command());
  all.push_back(plan_command());
  all.push_back(report_command());
  all.push_back(show_command());
  all.push_back(serve_command());
  all.push_back(judge_command());
  all.push_back(replay_command());
  all.push_back(export_command());
  all.push_back(import_command());
  all.push_back(new_command());
  all.push_back(doctor_command());
  all.push_back(check_command());
  all.push_back(bench_command());
  return all;
}

}  // namespace agon::command
