#include "drift/models.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::drift {
namespace {

namespace bj = boost::json;

/// How an agent's model is set: its parameter `model`, else all of its spec.
std::string digest_of_model(const AgentInGame& agent) {
  const bj::value spec = json::parse(agent.spec, "agent");
  const bj::value* model = spec.at("params").as_object().if_contains("model");
  return hash::hex(hash::sha256(model == nullptr ? agent.spec : json::write(*model)));
}

}  // namespace

std::vector<SuiteModel> models_of(const Suite& suite) {
  std::vector<SuiteModel> models;
  for (const Scenario& s : suite.scenarios) {
    std::set<int> part;
    for (const design::Seating& seating : s.plan->line_ups())
      for (const int a : seating.assignment(0)) part.insert(a);
    for (const int a : part) {
      const AgentSpec& agent = suite.agents[static_cast<std::size_t>(a)];
      const AgentInGame* in = agent.in(s.game->id);
      if (in->agent->model_agent() == nullptr) continue;
      const std::string spec = digest_of_model(*in);
      const auto known = std::find_if(models.begin(), models.end(),
                                      [&](const SuiteModel& m) { return m.spec == spec; });
      if (known == models.end())
        models.push_back({spec, {agent.name()}, in->agent});
      else if (std::find(known->agents.begin(), known->agents.end(), agent.name()) ==
               known->agents.end())
        known->agents.push_back(agent.name());
    }
  }
  return models;
}

Manifest manifest_of(const Questions& questions, const std::vector<SuiteModel>& models) {
  Manifest manifest;
  manifest.questions = hash::hex(questions.digest);
  for (const SuiteModel& model : models) manifest.models.push_back({model.spec, model.agents});
  return manifest;
}

}  // namespace agon::drift
