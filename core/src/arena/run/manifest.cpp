#include "run/manifest.hpp"

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <tuple>

#include "hash/sha256.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "run/match_identity.hpp"
#include "run/run_ledger.hpp"

namespace agon {
namespace {

/// A digest of the files that an agent's command names, from the suite's folder; nothing for an
/// agent without a command.
std::optional<std::string> program_of(const AgentInGame& agent, const Suite& suite) {
  const boost::json::value spec = json::parse(agent.spec, "agent");
  const auto* params = spec.is_object() ? spec.as_object().if_contains("params") : nullptr;
  const auto* command = params != nullptr && params->is_object()
                            ? params->as_object().if_contains("command")
                            : nullptr;
  if (command == nullptr || !command->is_array()) return std::nullopt;
  hash::Sha256 sha;
  const std::filesystem::path folder = std::filesystem::path(suite.file).parent_path();
  for (const boost::json::value& word : command->as_array()) {
    std::error_code error;
    if (!word.is_string()) continue;
    const std::filesystem::path file = folder / std::string(word.as_string());
    if (!std::filesystem::is_regular_file(file, error)) continue;
    try {
      const std::string text = json::read_file(file.string());
      sha.update(std::to_string(text.size()) + ":");
      sha.update(text);
    } catch (const Error&) {
      continue;  // that it cannot be read is said where it is started
    }
  }
  return hash::hex(sha.digest());
}

Manifest::Scenario scenario_plan(const Suite& suite, const Scenario& s) {
  Manifest::Scenario plan;
  plan.scenario = s.name;
  plan.game = s.game->id;
  plan.matches = (s.as_seated ? 1 : s.plan->size()) * s.sequence;
  plan.blocks = s.blocks;
  plan.repeats = s.repeats;
  plan.treatments = s.treatments.size();
  if (s.suite_blocks > s.blocks) plan.suite_blocks = s.suite_blocks;
  for (const int number : s.players()) {
    const AgentSpec& agent = suite.agents[static_cast<std::size_t>(number)];
    const AgentInGame& in = *agent.in(s.game->id);
    auto& row = plan.agents.emplace_back(
        Manifest::Agent{agent.name(), hash::hex(in.digest), {}, program_of(in, suite)});
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
