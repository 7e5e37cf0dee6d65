#include <algorithm>
#include <map>

#include "report/architectures.hpp"
#include "report/leaderboard.hpp"

namespace agon::report {

std::vector<FactorReport> make_factors(const Results& results, const ReportOptions& options) {
  // Agents in the order of the suite, so that a factor's first level is the one written first.
  std::vector<const AgentFacts*> order;
  for (const AgentFacts& agent : results.facts)
    if (!agent.levels.levels.empty()) order.push_back(&agent);
  std::stable_sort(order.begin(), order.end(),
                   [](const AgentFacts* a, const AgentFacts* b) { return a->row < b->row; });
  std::map<std::string, std::vector<stats::FactorAgent>> families;
  for (const AgentFacts* agent : order)
    families[agent->levels.family + agent->apart].push_back({agent->name, agent->levels.levels});
  std::vector<FactorReport> reports;
  if (families.empty()) return reports;
  const stats::ScoreTable table = score_table(results, counting(results.policy));
  stats::IntervalOptions bootstrap;
  bootstrap.level = options.level;
  bootstrap.resamples = options.resamples;
  bootstrap.seed = options.seed;
  for (const auto& [family, agents] : families) {
    if (agents.size() < 2) continue;
    FactorReport& report = reports.emplace_back();
    report.family = family;
    report.agents = agents.size();
    report.games = table.games();
    report.effects = stats::factor_effects(table, agents, bootstrap, options.aggregate);
  }
  return reports;
}

}  // namespace agon::report
