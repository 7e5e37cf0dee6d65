#include "run/preflight.hpp"

#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <set>

namespace agon {

bool Preflight::fine() const {
  return std::none_of(rows.begin(), rows.end(),
                      [](const Row& row) { return row.finding.level == Finding::Level::error; });
}

Preflight preflight(const Suite& suite, std::int64_t longest_prompt,
                    const std::atomic<bool>* stop) {
  Preflight all;
  std::set<std::string> seen;
  for (const Scenario& s : suite.scenarios) {
    std::set<int> part;
    for (const design::Seating& seating : s.plan->line_ups())
      for (const int a : seating.assignment(0)) part.insert(a);
    for (const int a : part) {
      if (stop != nullptr && *stop) return all;
      const AgentSpec& agent = suite.agents[static_cast<std::size_t>(a)];
      const AgentInGame* in = agent.in(s.game->id);
      const ModelAgent* model = in->agent->model_agent();
      if (model == nullptr) continue;
      const auto prompts = s.prompts_of(*in->agent);
      const std::string key = std::string(s.game->id) + '\0' + in->spec + '\0' +
                              (prompts == nullptr ? "" : prompts->digest);
      if (!seen.insert(key).second) continue;
      std::vector<Finding> found;
      try {
        found = model->preflight(*s.game, prompts.get(), {.longest_prompt = longest_prompt});
      } catch (const std::exception& error) {
        found.push_back({Finding::Level::error, error.what()});
      }
      for (Finding& finding : found) {
        const auto same = std::find_if(all.rows.begin(), all.rows.end(), [&](const auto& row) {
          return row.finding.level == finding.level && row.finding.what == finding.what;
        });
        if (same == all.rows.end())
          all.rows.push_back({std::move(finding), {agent.name()}});
        else if (std::find(same->agents.begin(), same->agents.end(), agent.name()) ==
                 same->agents.end())
          same->agents.push_back(agent.name());
      }
    }
  }
  return all;
}

}  // namespace agon
