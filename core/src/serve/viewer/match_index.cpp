#include "viewer/match_index.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <limits>
#include <set>

#include "describe/value.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

/// The highest running number that archives know.
constexpr std::int64_t kMostNumber = std::int64_t{1} << 52U;

/// Of a line-up: whether one of `agent` has a seat and, where it is asked, one of `other` another.
bool has(const std::vector<std::int64_t>& seats, const MatchFilter& filter) {
  const auto sits = [](const std::optional<std::set<std::int64_t>>& wanted, std::int64_t row) {
    return wanted && wanted->contains(row);
  };
  std::size_t agents = 0, others = 0, both = 0;
  for (const std::int64_t row : seats) {
    const bool is_agent = sits(filter.agent, row), is_other = sits(filter.other, row);
    agents += is_agent ? 1 : 0;
    others += is_other ? 1 : 0;
    both += is_agent && is_other ? 1 : 0;
  }
  if (filter.agent && agents == 0) return false;
  if (filter.other && others == 0) return false;
  // One seat is not two.
  return !filter.agent || !filter.other || agents + others - both > 1;
}

}  // namespace

bool MatchIndex::read(archive::Archive& archive, std::int64_t most) {
  if (last() >= kMostNumber) return false;
  archive::Selection above;
  above.matches = archive::MatchNumbers({{last() + 1, kMostNumber}});
  archive.narrow(std::move(above));
  std::int64_t taken = 0;
  archive::ReadOptions wanted;
  wanted.in_order = wanted.ids = false;
  archive.matches().each(wanted, [&](std::int64_t number, const archive::MatchRow& match) {
    add(number, match);
    return ++taken < most;
  });
  return taken == most;
}

void MatchIndex::add(std::int64_t number, const archive::MatchRow& match) {
  std::uint8_t flags = 0;
  for (const archive::SeatRow& seat : match.seats) {
    AgentSums& sum = sums_[seat.agent];
    std::int64_t faults = 0;
    for (std::size_t fault = 1; fault < seat.attempts.size(); ++fault)
      faults += seat.attempts[fault];
    ++sum.seats;
    sum.fallbacks += seat.fallbacks;
    sum.faults += faults;
    sum.calls += seat.calls;
    sum.tokens = archive::add_capped(sum.tokens, seat.input_tokens + seat.output_tokens);
    sum.cost = archive::add_capped(sum.cost, seat.cost);
    sum.unpriced += seat.unpriced;
    if (faults > 0) flags |= kFaulty;
    if (seat.fallbacks > 0) flags |= kFallback;
  }
  numbers_.push_back(number);
  blocks_.push_back(match.key.block);
  repeats_.push_back(match.key.repeat);
  positions_.push_back(static_cast<std::uint16_t>(match.key.position));
  scenarios_.push_back(scenario_of(match.key.scenario));
  line_ups_.push_back(line_up_of(match));
  statuses_.push_back(match.status);
  flags_.push_back(flags);
  first_scores_.push_back(scores_.size());
  for (const archive::SeatRow& seat : match.seats) scores_.push_back(seat.payoff);
}

std::uint32_t MatchIndex::scenario_of(std::int64_t row) {
  const auto [at, added] =
      scenario_places_.try_emplace(row, static_cast<std::uint32_t>(scenario_rows_.size()));
  if (added) scenario_rows_.push_back(row);
  return at->second;
}

std::uint32_t MatchIndex::line_up_of(const archive::MatchRow& match) {
  std::vector<std::int64_t> agents;
  for (const archive::SeatRow& seat : match.seats) agents.push_back(seat.agent);
  const auto [at, added] =
      line_up_places_.try_emplace(agents, static_cast<std::uint32_t>(met_line_ups_.size()));
  if (added) met_line_ups_.push_back({std::move(agents)});
  return at->second;
}

template <class Each>
void MatchIndex::each_among(const archive::MatchNumbers* among, Each each) const {
  if (among == nullptr) {
    for (std::size_t place = 0; place < numbers_.size(); ++place) each(place);
    return;
  }
  auto from = numbers_.begin();
  for (const archive::NumberRange& range : among->ranges()) {
    from = std::lower_bound(from, numbers_.end(), range.first);
    for (; from != numbers_.end() && *from <= range.last; ++from)
      each(static_cast<std::size_t>(from - numbers_.begin()));
  }
}

MatchHead MatchIndex::head(std::size_t place) const {
  MatchHead head;
  head.number = numbers_[place];
  head.scenario = scenario_rows_[scenarios_[place]];
  head.block = blocks_[place];
  head.repeat = repeats_[place];
  head.position = positions_[place];
  head.status = statuses_[place];
  head.faulty = (flags_[place] & kFaulty) != 0;
  head.fallback = (flags_[place] & kFallback) != 0;
  head.agents = met_line_ups_[line_ups_[place]].agents;
  const auto first = scores_.begin() + static_cast<std::ptrdiff_t>(first_scores_[place]);
  head.scores.assign(first, first + static_cast<std::ptrdiff_t>(head.agents.size()));
  return head;
}

std::optional<MatchHead> MatchIndex::at(std::int64_t number) const {
  const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  if (at == numbers_.end() || *at != number) return std::nullopt;
  return head(static_cast<std::size_t>(at - numbers_.begin()));
}

MatchesFound MatchIndex::find(const MatchFilter& filter, std::int64_t from, std::int64_t most,
                              bool last_first) const {
  // What many matches share is decided once.
  const auto wants = [](const std::optional<std::set<std::int64_t>>& rows, std::int64_t row) {
    return !rows || rows->contains(row);
  };
  std::vector<std::uint8_t> scenarios, line_ups;
  for (const std::int64_t row : scenario_rows_)
    scenarios.push_back(wants(filter.scenarios, row) &&
                        (!filter.same_chance || filter.same_chance->scenarios.contains(row)));
  for (const LineUpAgents& line_up : met_line_ups_) line_ups.push_back(has(line_up.agents, filter));
  // None for another word, which no match has.
  const auto status =
      filter.status ? value_named<archive::MatchStatus>(*filter.status) : std::nullopt;
  const auto flags =
      static_cast<std::uint8_t>((filter.faulty ? kFaulty : 0) | (filter.fallback ? kFallback : 0));
  std::vector<std::int64_t> by_scenario(scenario_rows_.size()), by_line_up(met_line_ups_.size());
  std::vector<std::size_t> places;  // of those that are shown
  std::int64_t total = 0;
  const auto matches = [&](std::size_t place) {
    if (scenarios[scenarios_[place]] == 0 || line_ups[line_ups_[place]] == 0 ||
        (filter.status && status != statuses_[place]) || (flags_[place] & flags) != flags)
      return false;
    if (filter.block && blocks_[place] != *filter.block) return false;
    return !filter.same_chance || (blocks_[place] == filter.same_chance->block &&
                                   repeats_[place] == filter.same_chance->repeat &&
                                   positions_[place] == filter.same_chance->position);
  };
  each_among(filter.among, [&](std::size_t place) {
    if (!matches(place)) return;
    ++by_scenario[scenarios_[place]];
    ++by_line_up[line_ups_[place]];
    if (!last_first && total >= from && total - from < most) places.push_back(place);
    ++total;
  });
  if (last_first && from < total) {
    // From the end, now that it is known how many there are.
    const std::int64_t last = total - from;
    const std::int64_t first = std::max<std::int64_t>(0, last - most);
    std::int64_t at = 0;
    each_among(filter.among, [&](std::size_t place) {
      if (!matches(place)) return;
      if (at >= first && at < last) places.push_back(place);
      ++at;
    });
    std::reverse(places.begin(), places.end());
  }
  MatchesFound found;
  found.total = total;
  for (const std::size_t place : places) found.shown.push_back(head(place));
  for (std::size_t s = 0; s < by_scenario.size(); ++s)
    if (by_scenario[s] > 0) found.by_scenario[scenario_rows_[s]] += by_scenario[s];
  for (std::size_t l = 0; l < by_line_up.size(); ++l) {
    if (by_line_up[l] == 0) continue;
    const auto& agents = met_line_ups_[l].agents;
    for (const std::int64_t row : std::set<std::int64_t>(agents.begin(), agents.end()))
      found.by_agent[row] += by_line_up[l];
  }
  return found;
}

std::map<std::int64_t, std::set<std::int64_t>> MatchIndex::scenarios_by_agent(
    const archive::MatchNumbers* among) const {
  std::set<std::pair<std::uint32_t, std::uint32_t>> met;  // line-ups with scenarios
  std::pair<std::uint32_t, std::uint32_t> before{~0U, ~0U};
  each_among(among, [&](std::size_t place) {
    const std::pair now{line_ups_[place], scenarios_[place]};
    if (now != before) met.insert(now);
    before = now;
  });
  std::map<std::int64_t, std::set<std::int64_t>> all;
  for (const auto& [line_up, scenario] : met)
    for (const std::int64_t row : met_line_ups_[line_up].agents)
      all[row].insert(scenario_rows_[scenario]);
  return all;
}

std::map<std::int64_t, ScenarioCounts> MatchIndex::scenario_counts(
    const archive::MatchNumbers* among) const {
  std::vector<ScenarioCounts> counts(scenario_rows_.size());
  each_among(among, [&](std::size_t place) {
    ScenarioCounts& of = counts[scenarios_[place]];
    ++(statuses_[place] == archive::MatchStatus::finished ? of.finished : of.broken);
  });
  std::map<std::int64_t, ScenarioCounts> by_row;
  for (std::size_t s = 0; s < counts.size(); ++s)
    if (counts[s].finished + counts[s].broken > 0) by_row[scenario_rows_[s]] = counts[s];
  return by_row;
}

namespace {

/// The suite that is looked at; nothing for everything.
std::optional<std::int64_t> chosen(const ArchiveRows& rows, const std::string& asked) {
  if (asked == "all") return std::nullopt;
  if (asked.empty()) return rows.runs.empty() ? std::nullopt : rows.runs.back().suite_number;
  const auto number = text::number_in<std::int64_t>(asked);
  if (!number || !rows.suites.contains(*number))
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
    view.chance[number] = name.chance;
    view.decimals[number] = game.score_decimals;
  }
  for (const auto& [game, agents] : where)
    for (const auto& [agent, apart] : report::agents_apart(archive, rows.agents, agents))
      view.agents[text::printable(game)][agent] =
          text::printable(rows.agents.at(agent).name + apart);
  return view;
}

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
  const std::string said_number = said(asked, name);
  if (said_number.empty()) return std::nullopt;
  const auto value = text::number_in<std::int64_t>(said_number);
  if (!value || *value < 0 || (most && *value > *most))
    throw Error(ErrorKind::usage,
                "'" + said_number + "' is no whole number from 0 " +
                    (most ? "to " + std::to_string(*most) : "on"),
                name);
  return value;
}

void refuse_unknown(const Asked& asked) {
  static const std::vector<std::string> known = {"suite",   "game",   "treatment", "agent",
                                                 "other",   "status", "faults",    "block",
                                                 "rng_key", "from",   "most",      "order"};
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
  if (const std::string status = said(asked, "status"); !status.empty()) filter.status = status;
  const std::string faults = said(asked, "faults");
  if (!faults.empty() && faults != "any" && faults != "fallback")
    throw Error(ErrorKind::usage, "faults are any or fallback, not '" + faults + "'");
  filter.faulty = faults == "any";
  filter.fallback = faults == "fallback";
  filter.block = number(asked, "block");
  if (const auto of = number(asked, "rng_key")) {
    const auto match = index.at(*of);
    if (!match || !view.chance.contains(match->scenario))
      throw Error(ErrorKind::not_found, "there is no match " + std::to_string(*of) + " here");
    filter.same_chance.emplace();
    filter.same_chance->block = match->block;
    filter.same_chance->repeat = match->repeat;
    filter.same_chance->position = match->position;
    for (const auto& [row, name] : view.chance)
      if (name == view.chance.at(match->scenario) &&
          view.games.at(row) == view.games.at(match->scenario))
        filter.same_chance->scenarios.insert(row);
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
    match.status = head.status;
    match.faulty = head.faulty;
    match.fallback = head.fallback;
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
