#include "viewer/match_list.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <charconv>

#include "describe/value_text.hpp"
#include "text/nearest.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

using Asked = std::map<std::string, std::string>;

/// What is said of a name; empty where nothing is.
std::string said(const Asked& asked, const std::string& name) {
  const auto at = asked.find(name);
  // As names are shown, so that a link may have either form.
  return at == asked.end() ? std::string() : text::printable(at->second);
}

std::optional<std::int64_t> number(const Asked& asked, const std::string& name,
                                   std::optional<std::int64_t> most = {}) {
  const std::string text = said(asked, name);
  if (text.empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 0 ||
      (most && value > *most))
    throw Error(
        ErrorKind::usage,
        "'" + text + "' is no whole number from 0 " + (most ? "to " + std::to_string(*most) : "on"),
        name);
  return value;
}

void refuse_unknown(const Asked& asked) {
  static const std::vector<std::string> known = {"suite", "game",  "treatment", "agent",
                                                 "other", "ended", "faults",    "block",
                                                 "luck",  "from",  "most",      "order"};
  for (const auto& [name, value] : asked)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "matches cannot be looked for by '" + text::printable(name) +
                                        "'" + text::did_you_mean(name, known));
}

/// The rows of agents that are shown by this name, or have it.
std::set<std::int64_t> agents_named(const ArchiveRows& rows, const SuiteView& view,
                                    const std::string& name) {
  std::set<std::int64_t> found;
  for (const auto& [game, agents] : view.agents)
    for (const auto& [row, shown] : agents)
      if (shown == name || text::printable(rows.agents.at(row).name) == name) found.insert(row);
  return found;
}

MatchFilter filter_of(const ArchiveRows& rows, const MatchIndex& index, const SuiteView& view,
                      const Asked& asked) {
  MatchFilter filter;
  filter.among = view.numbers();
  const std::string game = said(asked, "game"), treatment = said(asked, "treatment");
  if (!game.empty() || !treatment.empty()) {
    filter.scenarios.emplace();
    for (const auto& [row, name] : view.treatments)
      if ((game.empty() || view.games.at(row) == game) && (treatment.empty() || name == treatment))
        filter.scenarios->insert(row);
  }
  if (const std::string agent = said(asked, "agent"); !agent.empty())
    filter.agent = agents_named(rows, view, agent);
  if (const std::string other = said(asked, "other"); !other.empty())
    filter.other = agents_named(rows, view, other);
  if (const std::string ended = said(asked, "ended"); !ended.empty()) filter.ended = ended;
  const std::string faults = said(asked, "faults");
  if (!faults.empty() && faults != "any" && faults != "forced")
    throw Error(ErrorKind::usage, "faults are any or forced, not '" + faults + "'");
  filter.faulty = faults == "any";
  filter.forced = faults == "forced";
  filter.block = number(asked, "block");
  if (const auto of = number(asked, "luck")) {
    const auto match = index.at(*of);
    if (!match || !view.luck.contains(match->scenario))
      throw Error(ErrorKind::not_found, "there is no match " + std::to_string(*of) + " here");
    filter.luck.emplace();
    filter.luck->block = match->block;
    filter.luck->repeat = match->repeat;
    filter.luck->position = match->position;
    for (const auto& [row, name] : view.luck)
      if (name == view.luck.at(match->scenario) &&
          view.games.at(row) == view.games.at(match->scenario))
        filter.luck->scenarios.insert(row);
  }
  return filter;
}

std::vector<NameCount> counted(const std::map<std::string, std::int64_t>& by_name) {
  std::vector<NameCount> list;
  for (const auto& [name, matches] : by_name) list.push_back({name, matches});
  return list;
}

}  // namespace

MatchList list_matches(const archive::Archive& archive, const ArchiveRows& rows,
                       const MatchIndex& index, const Asked& asked) {
  refuse_unknown(asked);
  const SuiteView view = view_of(archive, rows, index, said(asked, "suite"));
  const std::string order = said(asked, "order");
  if (!order.empty() && order != "last")
    throw Error(ErrorKind::usage, "order is last or not said, not '" + order + "'");
  constexpr std::int64_t most = 1000;
  MatchList list;
  list.from = number(asked, "from").value_or(0);
  const MatchesFound found = index.find(filter_of(rows, index, view, asked), list.from,
                                        number(asked, "most", most).value_or(100), order == "last");
  list.total = found.total;
  for (const MatchHead& head : found.shown) {
    ListedMatch& match = list.matches.emplace_back();
    match.number = head.number;
    match.game = view.games.at(head.scenario);
    match.treatment = view.treatments.at(head.scenario);
    match.block = head.block;
    match.repeat = head.repeat;
    match.position = head.position;
    match.ended = text::printable(head.ended);
    match.faulty = head.faulty;
    match.forced = head.forced;
    for (std::size_t seat = 0; seat < head.agents.size(); ++seat)
      match.seats.push_back({view.agent(match.game, head.agents[seat]),
                             score_text(head.scores[seat], view.decimals.at(head.scenario))});
  }
  std::map<std::string, std::int64_t> games, treatments, agents;
  for (const auto& [row, matches] : found.by_scenario) {
    games[view.games.at(row)] += matches;
    treatments[view.treatments.at(row)] += matches;
  }
  for (const auto& [row, matches] : found.by_agent) {
    // A name that differs by game is counted under the first of them.
    for (const auto& [game, names] : view.agents)
      if (const auto at = names.find(row); at != names.end()) {
        agents[at->second] += matches;
        break;
      }
  }
  list.games = counted(games);
  list.treatments = counted(treatments);
  list.agents = counted(agents);
  return list;
}

}  // namespace agon::serve
