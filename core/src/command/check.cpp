#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "command/command.hpp"
#include "command/output.hpp"
#include "command/run/suite.hpp"
#include "conformance/checks.hpp"
#include "conformance/components.hpp"
#include "describe/value.hpp"
#include "plugin/plugin_file.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

/// By conformance::Verdict.
constexpr std::array<std::string_view, 4> kVerdicts{"ok", "look", "FAILED", "skipped"};

void show(const conformance::CheckResult& finding) {
  print_line(fmt::format("  {:8}{:14}{}", kVerdicts.at(static_cast<std::size_t>(finding.verdict)),
                         finding.check, finding.tried));
  if (!finding.problem.empty()) print_line("          " + printable(finding.problem));
  if (!finding.command.empty()) print_line("          see it: " + finding.command);
  if (!finding.hint.empty()) print_line("          hint: " + finding.hint);
}

/// The components of model agents and the providers of the plugin or file that the argument names.
std::vector<conformance::CheckedComponent> components_of(Invocation& call) {
  const std::string named = call.argument("GAME");
  const std::optional<GameFile> file = game_file(named, "");
  const Catalogue& catalogue = call.catalogue();
  if (file ? !file->id.empty() : catalogue.find<Game>(named) != nullptr) return {};
  const auto is_of = [&](const plugin::Supplier* by) {
    return by != nullptr && by->plugin != nullptr &&
           (file ? by->plugin->path == file->file.string() : by->plugin->name == named);
  };
  std::vector<conformance::CheckedComponent> components;
  for (const PartCard* card : catalogue.all<PartCard>())
    if (is_of(catalogue.find<PartCard>(plugin::key_of(*card))))
      components.push_back(
          {std::string(name_of(card->kind)), std::string(card->id), std::string(card->game)});
  for (const ProviderCard* card : catalogue.all<ProviderCard>())
    if (is_of(catalogue.find<ProviderCard>(plugin::key_of(*card))))
      components.push_back({"provider", std::string(card->id)});
  return components;
}

/// The games that the argument names: one by its id, or all of a plugin or of a file. `has_others`:
/// it brings something else that can be checked.
std::vector<conformance::Named> games_of(Invocation& call, bool has_others) {
  const std::string named = call.argument("GAME");
  const std::optional<GameFile> file = game_file(named, "");
  const Catalogue& catalogue = call.catalogue();
  if (!file && catalogue.find<Game>(named))
    return {{&catalogue.game(named), words_of_game(call, named)}};
  if (file && !file->id.empty()) return {{&catalogue.game(*file), words_of_game(call, named)}};
  std::vector<conformance::Named> games;
  for (const Game* game : catalogue.all<Game>()) {
    const PluginEntry* plugin = catalogue.plugin_of_game(game->id);
    if (plugin == nullptr) continue;
    if (file && plugin->path == file->file)
      games.push_back({game, words_of_game(call, named + ":" + std::string(game->id))});
    else if (!file && plugin->name == named)
      games.push_back({game, words_of_game(call, std::string(game->id))});
  }
  if (file && games.size() == 1) games.front().words = words_of_game(call, named);
  if (games.empty() && !has_others)  // which says what there is
    games.push_back({&call.game(named), words_of_game(call, named)});
  return games;
}

/// Throws Error for a name of --only that no check has.
void require_known(const std::vector<std::string>& only) {
  std::vector<std::string> known;
  for (const conformance::Check& one : conformance::checks()) known.emplace_back(one.name);
  for (const conformance::ComponentCheck& one : conformance::component_checks())
    known.emplace_back(one.name);
  for (const std::string& name : only)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "unknown check '" + name + "'", "--only",
                  text::suggestion(name, known, "see 'agon check --help'"));
}

/// Makes checks, shows what they find and counts it.
class Findings {
 public:
  explicit Findings(const Invocation& call) : json_(call.json()), only_(call.texts("only")) {
    require_known(only_);
  }

  [[nodiscard]] bool wants(std::string_view check) const {
    return only_.empty() || std::find(only_.begin(), only_.end(), check) != only_.end();
  }
  void begin(const std::string& heading) const {
    if (!json_) print_line(heading + ":");
  }
  void add(const conformance::CheckResult& finding, bj::array& list) {
    ++made_;
    failed_ += finding.verdict == conformance::Verdict::fail ? 1 : 0;
    warned_ += finding.verdict == conformance::Verdict::warning ? 1 : 0;
    if (json_) {
      list.push_back(json_value(finding));
    } else {
      show(finding);
      flush();
    }
  }
  [[nodiscard]] bool is_empty() const { return made_ == 0; }
  [[nodiscard]] bool has_failed() const { return failed_ > 0; }
  void print_sum() const {
    if (failed_ == 0)
      print_line(text::counted(made_, "check") + ", none failed" +
                 (warned_ == 0 ? "" : fmt::format(", {} to look at", warned_)));
    else
      print_line(fmt::format("{} of {} failed; see docs/conformance.md", failed_,
                             text::counted(made_, "check")));
  }

 private:
  const bool json_;
  const std::vector<std::string> only_;
  std::size_t failed_ = 0, warned_ = 0, made_ = 0;
};

bj::array check_games(Invocation& call, const std::vector<conformance::Named>& games,
                      Findings& findings) {
  conformance::Effort effort;
  effort.seed = static_cast<std::uint64_t>(call.number("seed", 1, 0, 1'000'000'000'000));
  effort.matches = static_cast<int>(call.number("matches", effort.matches, 1, 10'000));
  bj::array all;
  for (const conformance::Named& named : games) {
    const conformance::GameUnderTest subject(call.catalogue(), named, data_folders(), effort);
    bj::array list;
    findings.begin(std::string(named.game->id));
    for (const conformance::Check& one : conformance::checks())
      if (findings.wants(one.name)) findings.add(conformance::find(one, subject), list);
    all.push_back(bj::object{{"game", bj::string(named.game->id)}, {"checks", std::move(list)}});
  }
  return all;
}

bj::array check_components(Invocation& call,
                           const std::vector<conformance::CheckedComponent>& components,
                           Findings& findings) {
  conformance::ComponentEffort effort;
  effort.seed = static_cast<std::uint64_t>(call.number("seed", 1, 0, 1'000'000'000'000));
  effort.matches = static_cast<std::uint64_t>(call.number("matches", 2, 1, 10'000));
  for (const std::string& game : call.texts("game"))
    effort.games.emplace_back(call.catalogue().game(game).id);
  SuiteOptions options = shipped_suite_options();
  options.stop = call.stop();
  bj::array all;
  for (const conformance::CheckedComponent& component : components) {
    const conformance::ComponentTrial trial(call.catalogue(), component, options, effort);
    bj::array list;
    findings.begin(component.kind + " " + component.id);
    for (const conformance::ComponentCheck& one : conformance::component_checks()) {
      if (!findings.wants(one.name)) continue;
      conformance::CheckResult finding = one.run(trial);
      finding.check = one.name;
      findings.add(finding, list);
    }
    all.push_back(bj::object{
        {"kind", component.kind}, {"component", component.id}, {"checks", std::move(list)}});
  }
  return all;
}

int check(Invocation& call) {
  const Overheard overheard(call);
  Findings findings(call);
  if (const auto file = game_file(call.argument("GAME"), "")) call.load(file->file);
  const std::vector<conformance::CheckedComponent> components = components_of(call);
  if (components.empty() && !call.texts("game").empty())
    throw Error(ErrorKind::usage,
                "'" + call.argument("GAME") + "' has no components of model agents", "--game",
                "leave out --game: it says in which games components are tested");
  bj::array games = check_games(call, games_of(call, !components.empty()), findings);
  bj::array others = check_components(call, components, findings);
  overheard.tell();
  if (findings.is_empty())  // must not look as if everything passed
    throw Error(ErrorKind::usage,
                "no check of --only is for what '" + call.argument("GAME") + "' brings", "--only",
                "see 'agon check --help'");
  if (call.json()) {
    bj::object told{{"passed", !findings.has_failed()}, {"games", std::move(games)}};
    if (!components.empty()) told["components"] = std::move(others);
    print_json(std::move(told));
  } else {
    findings.print_sum();
  }
  return findings.has_failed() ? static_cast<int>(ErrorKind::failure) : 0;
}

}  // namespace

Command check_command() {
  Command c{{"check",
             "test a game, or components of model agents, for correctness",
             "",
             {{"GAME",
               "name of a game, or name or file of a plugin (./my-game.py) for all its games and "
               "components"}}},
            &check};
  // clang-format off
  c.synopsis.options.add_options()
      ("only", po::value<std::vector<std::string>>()->value_name("CHECK")->composing(), "run only this check (repeatable)")
      ("seed", po::value<std::string>()->value_name("N"), "random seed of the first matches (default: 1)")
      ("matches", po::value<std::string>()->value_name("N"), "number of matches for each preset (default: 40); of components: for each game (default: 2)")
      ("game", po::value<std::vector<std::string>>()->value_name("GAME")->composing(), "check components in this game only (repeatable)");
  // clang-format on
  c.synopsis.details = "The checks (docs/conformance.md explains what each of them proves):\n";
  for (const conformance::Check& one : conformance::checks())
    c.synopsis.details += fmt::format("  {:14}{}\n", one.name, one.doc);
  c.synopsis.details += "The checks of components:\n";
  for (const conformance::ComponentCheck& one : conformance::component_checks())
    c.synopsis.details += fmt::format("  {:14}{}\n", one.name, one.doc);
  c.synopsis.details +=
      "Exit code 1 if a check fails. 'agon check-agent' tests programs that play.\n";
  return c;
}

}  // namespace agon::command
