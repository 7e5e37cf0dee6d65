#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "command/command.hpp"
#include "command/output.hpp"
#include "conformance/checks.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "plugin/plugin_file.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

std::string_view word_of(conformance::Verdict verdict) {
  switch (verdict) {
    case conformance::Verdict::pass:
      return "ok";
    case conformance::Verdict::warning:
      return "look";
    case conformance::Verdict::fail:
      return "FAILED";
    case conformance::Verdict::skipped:
      return "skipped";
  }
  return "";
}

void show(const conformance::CheckResult& finding) {
  print_line(fmt::format("  {:8}{:14}{}", word_of(finding.verdict), finding.check, finding.tried));
  if (!finding.problem.empty()) print_line("          " + printable(finding.problem));
  if (!finding.command.empty()) print_line("          see it: " + finding.command);
  if (!finding.hint.empty()) print_line("          hint: " + finding.hint);
}

/// The games that the argument names: one by its id, or all of a plugin or of a file.
std::vector<conformance::Named> games_of(Invocation& call) {
  const std::string named = call.argument("GAME");
  const std::optional<GameFile> file = game_file(named, "");
  if (file) call.load(file->file);
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
  if (games.empty())  // which says what there is
    games.push_back({&call.game(named), words_of_game(call, named)});
  return games;
}

/// The checks that --only names; all without it.
std::vector<conformance::Check> asked_checks(const Invocation& call) {
  std::vector<conformance::Check> asked;
  std::vector<std::string> known;
  for (const conformance::Check& one : conformance::checks()) known.emplace_back(one.name);
  const std::vector<std::string> only = call.texts("only");
  for (const std::string& name : only)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "unknown check '" + name + "'", "--only",
                  text::suggestion(name, known, "see 'agon check --help'"));
  for (const conformance::Check& one : conformance::checks())
    if (only.empty() || std::find(only.begin(), only.end(), one.name) != only.end())
      asked.push_back(one);
  return asked;
}

int check_games(Invocation& call) {
  const Overheard overheard(call);
  const std::vector<conformance::Check> asked = asked_checks(call);
  conformance::Effort effort;
  effort.seed = static_cast<std::uint64_t>(call.number("seed", 1, 0, 1'000'000'000'000));
  effort.matches = static_cast<int>(call.number("matches", effort.matches, 1, 10'000));
  std::size_t failed = 0, warned = 0, made = 0;
  bj::array games;
  for (const conformance::Named& named : games_of(call)) {
    const conformance::GameUnderTest subject(call.catalogue(), named, data_folders(), effort);
    bj::array findings;
    if (!call.json()) print_line(std::string(named.game->id) + ":");
    for (const conformance::Check& one : asked) {
      const conformance::CheckResult finding = conformance::find(one, subject);
      ++made;
      failed += finding.verdict == conformance::Verdict::fail ? 1 : 0;
      warned += finding.verdict == conformance::Verdict::warning ? 1 : 0;
      if (call.json()) {
        findings.push_back(json_value(finding));
      } else {
        show(finding);
        flush();
      }
    }
    games.push_back(
        bj::object{{"game", bj::string(named.game->id)}, {"checks", std::move(findings)}});
  }
  overheard.tell();
  if (call.json())
    print_line(json::write_pretty(
        bj::value(bj::object{{"passed", failed == 0}, {"games", std::move(games)}})));
  else if (failed == 0)
    print_line(text::counted(made, "check") + ", none failed" +
               (warned == 0 ? "" : fmt::format(", {} to look at", warned)));
  else
    print_line(fmt::format("{} of {} failed; see docs/conformance.md", failed,
                           text::counted(made, "check")));
  return failed == 0 ? 0 : static_cast<int>(ErrorKind::failure);
}

}  // namespace

Command check_command() {
  Command c{
      {"check",
       "test a game for correctness (rules, replay, privacy, fairness)",
       "",
       {{"GAME", "name of a game, or name or file of a plugin (./my-game.py) for all its games"}}},
      &check_games};
  // clang-format off
  c.synopsis.options.add_options()
      ("only", po::value<std::vector<std::string>>()->value_name("CHECK")->composing(), "run only this check (repeatable)")
      ("seed", po::value<std::string>()->value_name("N"), "random seed of the first matches (default: 1)")
      ("matches", po::value<std::string>()->value_name("N"), "number of matches for each preset (default: 40)");
  // clang-format on
  c.synopsis.details = "The checks (docs/conformance.md explains what each of them proves):\n";
  for (const conformance::Check& one : conformance::checks())
    c.synopsis.details += fmt::format("  {:14}{}\n", one.name, one.doc);
  c.synopsis.details +=
      "Exit code 1 if a check fails. 'agon check-agent' tests programs that play.\n";
  return c;
}

}  // namespace agon::command
