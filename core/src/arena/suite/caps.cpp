#include "suite/caps.hpp"

#include <fmt/format.h>

#include <agon/model/model_agent.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <string>

#include "describe/file_text.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "suite/suite.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

/// `Said`: Limits or PartLimits, which have these members.
template <typename Said>
Caps caps_at(const Said& said, const FileText& text, const json::Path& path) {
  Caps caps{.tokens = said.tokens, .calls = said.calls};
  if (said.cost)
    caps.cost = text.placed(path / "cost", [&] {
      const double* number = std::get_if<double>(&*said.cost);
      return read_cost(number != nullptr ? write_json(*number) : std::get<std::string>(*said.cost),
                       {});
    });
  return caps;
}

/// What the agents of a suite call.
struct CalledBySuite {
  std::set<std::string> models;    ///< ModelName::text()
  std::set<std::string> purposes;  ///< of other models than an agent's own
};

CalledBySuite called_by(const Suite& suite) {
  CalledBySuite called;
  for (const Scenario& s : suite.scenarios)
    for (const AgentSpec& agent : suite.agents) {
      const AgentInGame* in = agent.in(s.game->id);
      if (in == nullptr) continue;
      for (const ModelName& model : models_called_by(*in->agent))
        called.models.insert(model.text());
      if (const ModelAgent* calls = in->agent->model_agent())
        for (const PurposeModel& other : calls->other_models())
          called.purposes.insert(other.purpose);
    }
  return called;
}

/// Throws Error for a cap that would hold for nothing, which is most often a slip.
void require_called(const std::set<std::string>& known, const std::string& name,
                    const std::string& what, const FileText& text, const json::Path& path) {
  if (known.contains(name)) return;
  const std::vector<std::string> list(known.begin(), known.end());
  text.fail("unused cap: " + what, path,
            list.empty() ? "leave it out" : "leave it out, or name one of: " + text::joined(list));
}

std::string model_named(const Models& models, const std::string& name, const std::string& where) {
  const boost::json::value model = models.resolve(boost::json::value(name), where).value;
  const auto member = [&](const char* key) {
    const boost::json::value* found =
        model.is_object() ? model.get_object().if_contains(key) : nullptr;
    return found != nullptr && found->is_string() ? std::string(found->get_string())
                                                  : std::string();
  };
  ModelName called{member("provider"), member("model")};
  if (called.provider.empty()) called.provider = "mock";  // as an agent has it
  return called.text();
}

}  // namespace

std::vector<ModelName> models_called_by(const Agent& agent) {
  std::vector<ModelName> models;
  const ModelAgent* calls = agent.model_agent();
  if (calls == nullptr) return models;
  models.push_back(calls->model());
  for (const PurposeModel& other : calls->other_models()) models.push_back(other.model);
  return models;
}

std::string describe(const Caps& caps) {
  std::vector<std::string> parts;
  if (caps.cost) parts.push_back(fmt::format("{:.2f} USD", static_cast<double>(*caps.cost) / 1e9));
  if (caps.tokens) parts.push_back(text::counted(*caps.tokens, "token"));
  if (caps.calls) parts.push_back(text::counted(*caps.calls, "model call"));
  return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

bool PartCaps::are_on(std::string_view called, std::string_view for_what) const {
  return (model.empty() || model == called || model + "/" + model == called) &&
         (purpose.empty() || purpose == for_what);
}

std::string PartCaps::words() const {
  if (model.empty()) return "the purpose '" + purpose + "'";
  return "the model '" + name + "'" + (name == model ? "" : " (" + model + ")");
}

std::string PartCaps::place() const {
  return (model.empty() ? "limits.purposes." : "limits.models.") + name;
}

Caps read_caps(const suite_file::Limits& limits, const FileText& text) {
  return caps_at(limits, text, json::Path() / "limits");
}

std::vector<PartCaps> read_part_caps(const suite_file::Limits& limits, const FileText& text,
                                     const Models& models, const Suite& suite) {
  std::vector<PartCaps> parts;
  if (!limits.models && !limits.purposes) return parts;
  const CalledBySuite called = called_by(suite);
  const json::Path path = json::Path() / "limits";
  for (const auto& [name, said] :
       limits.models.value_or(std::map<std::string, suite_file::PartLimits>())) {
    const json::Path at = path / "models" / name;
    PartCaps part{.name = name, .model = model_named(models, name, text.where(at))};
    require_called(called.models, part.model, "no agent calls " + part.words(), text, at);
    part.caps = caps_at(said, text, at);
    parts.push_back(std::move(part));
  }
  for (const auto& [name, said] :
       limits.purposes.value_or(std::map<std::string, suite_file::PartLimits>())) {
    const json::Path at = path / "purposes" / name;
    require_called(called.purposes, name,
                   "no agent has another model for the calls of '" + name + "'", text, at);
    parts.push_back({.name = name, .purpose = name, .caps = caps_at(said, text, at)});
  }
  return parts;
}

}  // namespace agon
