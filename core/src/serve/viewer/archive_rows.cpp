#include "viewer/archive_rows.hpp"

#include <agon/error.hpp>
#include <charconv>
#include <set>

#include "text/utf8.hpp"

namespace agon::serve {
namespace {

/// The suite that is looked at; nothing for everything.
std::optional<std::int64_t> chosen(const ArchiveRows& rows, const std::string& asked) {
  if (asked == "all") return std::nullopt;
  if (asked.empty()) return rows.runs.empty() ? std::nullopt : rows.runs.back().asked;
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
  if (code != std::errc() || end != asked.data() + asked.size() || !rows.suites.contains(number))
    throw Error(ErrorKind::not_found, "there is no such suite here", {},
                "give the number of one, or all");
  return number;
}

}  // namespace

ArchiveRows read_rows(const archive::Archive& archive) {
  ArchiveRows rows;
  archive.together([&] {
    rows = {archive.runs(), archive.suites(), archive.games(), archive.scenarios(),
            archive.agents()};
  });
  return rows;
}

std::string SuiteView::agent(const std::string& game, std::int64_t row) const {
  const auto in = agents.find(game);
  if (in == agents.end()) return {};
  const auto at = in->second.find(row);
  return at == in->second.end() ? std::string() : at->second;
}

SuiteView view_of(const archive::Archive& archive, const ArchiveRows& rows, const MatchIndex& index,
                  const std::string& asked) {
  SuiteView view;
  if (const auto suite = chosen(rows, asked)) {
    view.suite = *suite;
    view.among = archive.asked_by(*suite).matches;
  }
  const auto played = index.scenarios_by_agent(view.numbers());
  std::map<std::int64_t, archive::ScenarioRow> scenarios;
  std::map<std::string, std::map<std::int64_t, std::set<std::string>>> where;  // by game and agent
  for (const auto& [scenario, counts] : index.scenario_counts(view.numbers()))
    scenarios[scenario] = archive.row(rows.scenarios, scenario);
  for (const auto& [agent, in] : played)
    for (const std::int64_t scenario : in) {
      const archive::ScenarioRow& row = scenarios.at(scenario);
      static_cast<void>(archive.row(rows.agents, agent));
      where[archive.row(rows.games, row.game).name][agent].insert(row.name);
    }
  for (const auto& [number, name] : report::scenario_names(archive, scenarios, rows.games)) {
    const archive::GameRow& game = archive.row(rows.games, scenarios.at(number).game);
    view.games[number] = text::printable(game.name);
    view.treatments[number] = text::printable(name.label);
    view.luck[number] = name.luck;
    view.decimals[number] = game.score_decimals;
  }
  for (const auto& [game, agents] : where)
    for (const auto& [agent, apart] : report::agents_apart(archive, rows.agents, agents))
      view.agents[text::printable(game)][agent] =
          text::printable(rows.agents.at(agent).name + apart);
  return view;
}

}  // namespace agon::serve
