#include "run/manifest.hpp"

#include <boost/json/value.hpp>
#include <tuple>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "run/match_identity.hpp"
#include "run/run_ledger.hpp"

namespace agon {
namespace {

Manifest::Scenario scenario_plan(const Suite& suite, const Scenario& s) {
  Manifest::Scenario plan;
  plan.scenario = s.name;
  plan.game = s.game->id;
  plan.matches = (s.as_seated ? 1 : s.plan->size()) * s.sequence;
  plan.blocks = s.blocks;
  plan.repeats = s.repeats;
  plan.treatments = s.treatments.size();
  for (const int number : s.players()) {
    const AgentSpec& agent = suite.agents[static_cast<std::size_t>(number)];
    const AgentInGame& in = *agent.in(s.game->id);
    auto& row = plan.agents.emplace_back(Manifest::Agent{agent.name(), hash::hex(in.digest), {}});
    if (const auto prompts = s.prompts_of(*in.agent)) row.prompts = prompts->digest;
  }
  return plan;
}

}  // namespace

Manifest planned_manifest(const Suite& suite) {
  Manifest manifest;
  manifest.suite = suite.name;
  manifest.matches = suite.matches();
  for (const Scenario& s : suite.scenarios) manifest.plan.push_back(scenario_plan(suite, s));
  return manifest;
}

void add_calls(Manifest& manifest, const RunLedger& ledger) {
  auto& models = manifest.models.emplace();
  for (const auto& [key, met] : ledger.met()) {
    Manifest::Model& model = models.emplace_back();
    std::tie(model.provider, model.endpoint, model.model) = key;
    model.calls = met.calls;
    model.served_as.assign(met.served.begin(), met.served.end());
    model.fingerprints.assign(met.fingerprints.begin(), met.fingerprints.end());
    for (const std::string& p : met.parameters) model.parameters.push_back({p});
  }
  if (const std::string& prices = ledger.prices().text(); !prices.empty())
    manifest.prices = JsonText{json::write(json::parse(prices, "prices"))};
}

}  // namespace agon
