#include "run/unasked_stages.hpp"

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <optional>

#include "describe/read.hpp"
#include "record/record.hpp"
#include "suite/agent_spec.hpp"
#include "suite/suite.hpp"

namespace agon {
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

}  // namespace agon
