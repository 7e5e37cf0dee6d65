#include "run/manifest.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "run/match_identity.hpp"
#include "run/run_ledger.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

bj::array texts(const std::set<std::string>& all) {
  bj::array list;
  for (const std::string& text : all) list.emplace_back(bj::string(text));
  return list;
}

bj::object scenario_plan(const Suite& suite, const Scenario& s) {
  bj::array agents;
  for (const int number : s.players()) {
    const AgentSpec& agent = suite.agents[static_cast<std::size_t>(number)];
    const AgentInGame& in = *agent.in(s.game->id);
    bj::object row{{"name", agent.name()}, {"spec", hash::hex(in.digest)}};
    if (in.agent->model_agent() != nullptr && s.prompts != nullptr)
      row["prompts"] = s.prompts->digest;
    agents.push_back(std::move(row));
  }
  return bj::object{{"scenario", s.name},
                    {"game", bj::string(s.game->id)},
                    {"matches", (s.as_seated ? 1 : s.plan->size()) * s.sequence},
                    {"blocks", s.blocks},
                    {"repeats", s.repeats},
                    {"treatments", s.treatments.size()},
                    {"agents", std::move(agents)}};
}

}  // namespace

std::string run_manifest(const Suite& suite, std::string_view more, const RunLedger* ledger) {
  bj::object manifest = json::parse(more, "manifest").as_object();
  bj::array plan;
  for (const Scenario& s : suite.scenarios) plan.push_back(scenario_plan(suite, s));
  manifest["suite"] = suite.name;
  manifest["matches"] = suite.matches();
  manifest["plan"] = std::move(plan);
  if (ledger != nullptr) {
    bj::array models;
    for (const auto& [key, met] : ledger->met()) {
      bj::array parameters;
      for (const std::string& p : met.parameters) parameters.push_back(json::parse(p, "manifest"));
      models.push_back(bj::object{{"provider", std::get<0>(key)},
                                  {"endpoint", std::get<1>(key)},
                                  {"model", std::get<2>(key)},
                                  {"calls", met.calls},
                                  {"served_as", texts(met.served)},
                                  {"fingerprints", texts(met.fingerprints)},
                                  {"parameters", std::move(parameters)}});
    }
    manifest["models"] = std::move(models);
    if (!ledger->prices().text().empty())
      manifest["prices"] = json::parse(ledger->prices().text(), "prices");
  }
  return json::write(bj::value(std::move(manifest)));
}

}  // namespace agon
