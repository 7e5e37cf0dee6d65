#include "run/agent_checks.hpp"

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <optional>
#include <set>

#include "describe/read.hpp"
#include "record/record.hpp"
#include "suite/agent_spec.hpp"
#include "suite/suite.hpp"

namespace agon {

bool Preflight::fine() const {
  return std::none_of(rows.begin(), rows.end(), [](const FindingRow& row) {
    return row.finding.level == Finding::Level::error;
  });
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

namespace {

// What is wanted of a spec: a parameter named `stages` goes by the names of stages.
struct ParamsByStage {
  std::map<std::string, std::vector<std::string>> stages;
};
AGON_DESCRIBE(ParamsByStage, (stages, "answers by stage"))
struct SpecByStage {
  ParamsByStage params;
};
AGON_DESCRIBE(SpecByStage, (params, "of the agent"))

/// The stages of the game that an agent has answers for; none where it does not go by stages.
std::set<std::string, std::less<>> stages_of(const AgentSpec& agent, const Game& game) {
  std::set<std::string, std::less<>> named;
  const AgentInGame* in = agent.in(game.id);
  const auto spec = in == nullptr ? std::nullopt : read_recorded<SpecByStage>(in->spec);
  if (!spec) return named;
  for (const StageCard& stage : game.stages)
    if (const auto said = spec->params.stages.find(std::string(stage.name));
        said != spec->params.stages.end() && !said->second.empty())
      named.emplace(stage.name);
  return named;
}

}  // namespace

UnaskedStages::UnaskedStages(const Suite& suite) {
  for (const AgentSpec& agent : suite.agents)
    for (const Scenario& scenario : suite.scenarios)
      if (auto stages = stages_of(agent, *scenario.game); !stages.empty())
        left_[{agent.name(), std::string(scenario.game->id)}].stages = std::move(stages);
}

void UnaskedStages::note(const std::string& agent, std::string_view game, std::string_view record,
                         int seat) {
  const auto found = left_.find({agent, std::string(game)});
  if (found == left_.end() || record.empty()) return;
  Left& left = found->second;
  left.has_played = true;
  if (left.stages.empty()) return;
  record::each_entry(record, [&](const record::Entry& entry) {
    if (entry.what == record::Entry::What::question && entry.seat == seat)
      if (const auto asked = left.stages.find(entry.name); asked != left.stages.end())
        left.stages.erase(asked);
    return !left.stages.empty();
  });
}

std::vector<UnaskedStage> UnaskedStages::all() const {
  std::vector<UnaskedStage> all;
  for (const auto& [who, left] : left_)
    if (left.has_played)
      for (const std::string& stage : left.stages) all.push_back({who.first, who.second, stage});
  return all;
}

DriftCheck::DriftCheck(const std::string& file, const Suite& suite)
    : questions_(drift::DriftQuestions::read(file)), models_(drift::models_of(suite)) {}

std::optional<Reply> DriftCheck::ask(std::size_t model, drift::Phase phase, MatchLedger& calls,
                                     const std::function<bool()>& stop) const {
  int failed = 0;
  for (std::size_t q = 0; q < questions_.all.size() && !stop(); ++q) {
    const auto ledger = calls.attempt(static_cast<int>(model), static_cast<std::uint32_t>(q),
                                      static_cast<int>(phase));
    std::optional<Reply> reply =
        models_[model].agent->model_agent()->probe_model(questions_.all[q].probe, *ledger);
    if (!reply) break;  // the agent's models cannot be asked
    if (reply->halt != Halt::no) return reply;
    failed = reply->status == Fault::ok ? 0 : failed + 1;
    if (failed == 2) break;  // each has taken all its tries: the next would too
  }
  return std::nullopt;
}

}  // namespace agon
