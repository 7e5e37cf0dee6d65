#include "viewer/match_index.hpp"

#include <algorithm>
#include <limits>

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
  archive::Wanted wanted;
  wanted.in_order = wanted.ids = false;
  archive.matches(wanted, [&](std::int64_t number, const archive::MatchRow& match) {
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
    sum.forced += seat.forced;
    sum.faults += faults;
    sum.calls += seat.calls;
    sum.tokens = archive::add_capped(sum.tokens, seat.tokens_in + seat.tokens_out);
    sum.cost = archive::add_capped(sum.cost, seat.cost);
    sum.unpriced += seat.unpriced;
    if (faults > 0) flags |= kFaulty;
    if (seat.forced > 0) flags |= kForced;
  }
  numbers_.push_back(number);
  blocks_.push_back(match.key.block);
  repeats_.push_back(match.key.repeat);
  positions_.push_back(static_cast<std::uint16_t>(match.key.position));
  scenarios_.push_back(scenario_of(match.key.scenario));
  line_ups_.push_back(line_up_of(match));
  ended_.push_back(ended_of(match.ended));
  flags_.push_back(flags);
  first_scores_.push_back(scores_.size());
  for (const archive::SeatRow& seat : match.seats) scores_.push_back(seat.score);
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

std::uint8_t MatchIndex::ended_of(const std::string& ended) {
  const auto at = std::find(endings_.begin(), endings_.end(), ended);
  // Three are known; a file of many others has what comes after the 254th under one name.
  if (at == endings_.end() && endings_.size() < std::numeric_limits<std::uint8_t>::max()) {
    endings_.push_back(ended);
    return static_cast<std::uint8_t>(endings_.size() - 1);
  }
  return static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(at - endings_.begin(), 254));
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
  head.ended = endings_[ended_[place]];
  head.faulty = (flags_[place] & kFaulty) != 0;
  head.forced = (flags_[place] & kForced) != 0;
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
  std::vector<std::uint8_t> scenarios, line_ups, endings;
  for (const std::int64_t row : scenario_rows_)
    scenarios.push_back(wants(filter.scenarios, row) &&
                        (!filter.luck || filter.luck->scenarios.contains(row)));
  for (const LineUp& line_up : met_line_ups_) line_ups.push_back(has(line_up.agents, filter));
  for (const std::string& ended : endings_)
    endings.push_back(!filter.ended || *filter.ended == ended);
  const auto flags =
      static_cast<std::uint8_t>((filter.faulty ? kFaulty : 0) | (filter.forced ? kForced : 0));
  std::vector<std::int64_t> by_scenario(scenario_rows_.size()), by_line_up(met_line_ups_.size());
  std::vector<std::size_t> places;  // of those that are shown
  std::int64_t total = 0;
  const auto matches = [&](std::size_t place) {
    if (scenarios[scenarios_[place]] == 0 || line_ups[line_ups_[place]] == 0 ||
        endings[ended_[place]] == 0 || (flags_[place] & flags) != flags)
      return false;
    if (filter.block && blocks_[place] != *filter.block) return false;
    return !filter.luck ||
           (blocks_[place] == filter.luck->block && repeats_[place] == filter.luck->repeat &&
            positions_[place] == filter.luck->position);
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
  std::vector<std::uint8_t> finished;
  for (const std::string& ended : endings_) finished.push_back(ended == "finished");
  each_among(among, [&](std::size_t place) {
    ScenarioCounts& of = counts[scenarios_[place]];
    ++(finished[ended_[place]] != 0 ? of.finished : of.broken);
  });
  std::map<std::int64_t, ScenarioCounts> by_row;
  for (std::size_t s = 0; s < counts.size(); ++s)
    if (counts[s].finished + counts[s].broken > 0) by_row[scenario_rows_[s]] = counts[s];
  return by_row;
}

}  // namespace agon::serve
