#include "viewer/archive_head.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "describe/read.hpp"
#include "text/shell.hpp"
#include "text/utf8.hpp"
#include "viewer/run_state.hpp"

namespace agon::serve {
namespace {

std::string suite_name(const ArchiveRows& rows, std::int64_t number) {
  const auto at = rows.suites.find(number);
  if (at == rows.suites.end()) return {};
  return at->second.digest == archive::digest_of_plays() ? "played by hand"
                                                         : text::printable(at->second.name);
}

}  // namespace

ArchiveHead archive_head(const archive::Archive& archive, const ArchiveRows& rows,
                         const MatchIndex& index, const std::string& suite) {
  const SuiteView view = view_of(archive, rows, index, suite);
  ArchiveHead head;
  head.suite = view.suite;
  for (const auto& [number, row] : rows.suites) {
    const archive::MatchNumbers asked = archive.asked_by(number).matches;
    MatchFilter filter;
    filter.among = &asked;
    head.suites.push_back({number, suite_name(rows, number), std::to_string(row.seed),
                           index.find(filter, 0, 0).total});
  }
  for (auto run = rows.runs.rbegin(); run != rows.runs.rend() && head.runs.size() < 100; ++run) {
    const auto words = read_recorded<std::vector<std::string>>(run->command);
    head.runs.push_back({run->number, run->started, run->ended,
                         text::printable(run->outcome.value_or("")),
                         run->asked ? suite_name(rows, *run->asked) : std::string(),
                         words ? text::printable(text::shell_line(*words)) : std::string()});
  }
  for (const auto& [row, of] : index.scenario_counts(view.numbers())) {
    head.treatments.push_back(
        {view.games.at(row), view.treatments.at(row), of.finished + of.broken, of.broken});
    head.matches += of.finished + of.broken;
  }
  std::sort(head.treatments.begin(), head.treatments.end(), [](const auto& a, const auto& b) {
    return std::tie(a.game, a.treatment) < std::tie(b.game, b.treatment);
  });
  std::map<std::string, AgentSums> agents;
  std::set<std::int64_t> met;
  for (const auto& [game, names] : view.agents)
    for (const auto& [row, name] : names) {
      AgentSums& sum = agents[name];
      const auto at = index.agent_sums().find(row);
      if (at == index.agent_sums().end() || !met.insert(row).second) continue;
      sum.seats += at->second.seats;
      sum.faults += at->second.faults;
      sum.forced += at->second.forced;
      sum.calls += at->second.calls;
      sum.tokens = archive::add_capped(sum.tokens, at->second.tokens);
      sum.cost = archive::add_capped(sum.cost, at->second.cost);
      sum.unpriced += at->second.unpriced;
    }
  for (const auto& [name, sum] : agents)
    head.agents.push_back({name, sum.seats, sum.faults, sum.forced, sum.calls, sum.tokens,
                           cost_words(sum.calls, sum.cost, sum.unpriced)});
  return head;
}

}  // namespace agon::serve
