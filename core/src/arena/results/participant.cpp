#include "results/participant.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <vector>

#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

/// "memory notebook, planning adaptive": parameters that are no objects. `type`: their description,
/// and then those only that are not as by default.
std::string words_of(const bj::object& params, const Type* type) {
  std::map<std::string_view, std::string> defaults;
  if (type != nullptr) {
    Value value(*type);
    for (const Field& f : type->fields)
      defaults.emplace(f.name, write_json(*f.type, f.at(value.get())));
  }
  std::string words;
  for (const auto& member : params) {
    const bj::value& value = member.value();
    const std::string written = json::write(value);
    const auto usual = defaults.find(member.key());
    if (value.is_object() || (usual != defaults.end() && usual->second == written)) continue;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", std::string_view(member.key()),
                         value.is_string() ? std::string(value.get_string()) : written);
  }
  return words;
}

}  // namespace

Participant participant(const archive::AgentRow& row, std::int64_t seats,
                        const Catalogue* catalogue, std::string_view game) {
  Participant who{row.name, "?", {}, seats};
  const bj::value spec = json::parse(row.spec, "agent");
  const bj::object* members = spec.if_object();
  if (members == nullptr) return who;
  if (const bj::value* id = members->if_contains("agent"); id != nullptr && id->is_string())
    who.plays = std::string(id->get_string());
  who.is_mock = members->contains("mock");
  const bj::value* given = members->if_contains("params");
  if (given == nullptr || !given->is_object()) return who;
  const bj::object& params = given->get_object();
  const bool known = catalogue != nullptr && catalogue->has_agent(who.plays, game);
  who.with = words_of(params, known ? catalogue->agent(who.plays, game).params : nullptr);
  if (const bj::value* model = params.if_contains("model");
      model != nullptr && model->is_object()) {
    const auto part = [&](const char* name) {
      const bj::value* text = model->get_object().if_contains(name);
      return text != nullptr && text->is_string() ? std::string(text->get_string()) : std::string();
    };
    who.is_model = !part("provider").empty();
    if (who.is_model)
      who.plays = part("provider") + (part("model").empty() ? "" : "/" + part("model"));
  }
  return who;
}

std::string mock_words(const archive::Archive& archive, const std::set<std::int64_t>* rows) {
  std::set<std::string> names;
  for (const auto& [number, row] : archive.agents())
    if ((rows == nullptr || rows->contains(number)) && participant(row).is_mock)
      names.insert(row.base.empty() ? row.name : row.base);
  if (names.empty()) return {};
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return "A mock that makes up answers, and no model, played for " + list +
         ": its scores say nothing of any model.";
}

namespace {

/// What of an agent's settings was not applied, in how many of its calls.
struct Calls {
  std::int64_t all = 0;
  std::map<std::string, std::int64_t> without;  // by setting
};

/// The names in the member "not_applied" of a call's parameters.
std::vector<std::string> not_applied_in(std::string_view parameters) {
  std::vector<std::string> names;
  const bj::value said = json::parse(std::string(parameters), "call");
  const bj::object* members = said.if_object();
  const bj::value* list = members == nullptr ? nullptr : members->if_contains("not_applied");
  if (list == nullptr || !list->is_array()) return names;
  for (const bj::value& name : list->get_array())
    if (name.is_string()) names.emplace_back(name.get_string());
  return names;
}

/// How the form of an answer was asked for is no setting: it is told where it is not always alike.
bool is_form(const std::string& setting) {
  return setting == "schema" || setting == "bounds of the schema";
}

/// The agent without its name and without settings that no call of it had: equal ones were asked
/// alike. `values` gets the settings.
std::string asked_as(const archive::AgentRow& row, const Calls& calls,
                     std::map<std::string, std::string>& values) {
  bj::value spec = json::parse(row.spec, "agent");
  bj::object* members = spec.if_object();
  bj::value* params = members == nullptr ? nullptr : members->if_contains("params");
  bj::value* model = params == nullptr || !params->is_object()
                         ? nullptr
                         : params->get_object().if_contains("model");
  if (model == nullptr || !model->is_object()) return {};
  bj::object& settings = model->get_object();
  for (const auto& [name, n] : calls.without) {
    const bj::value* value = settings.if_contains(name);
    if (value == nullptr) continue;
    const bj::value* sampling = settings.if_contains("sampling");
    const bool is_chosen = (name == "temperature" || name == "top_p") && sampling != nullptr &&
                           sampling->is_string() && sampling->get_string() == "no";
    values[name] = json::write(*value) + (is_chosen ? "; \"sampling\" is \"no\"" : "");
    if (n == calls.all) settings.erase(name);
  }
  // A setting without a value is as good as one that was left out.
  for (auto member = settings.begin(); member != settings.end();) {
    const std::string value = json::write(member->value());
    const bool is_unset = value == "null" || value == "[]" || value == "\"\"";
    member = is_unset ? settings.erase(member) : std::next(member);
  }
  settings.erase("drop_unsupported");
  settings.erase("sampling");
  return json::write(spec);
}

}  // namespace

std::string not_applied_words(const archive::Archive& archive, const std::set<std::int64_t>* rows) {
  std::map<std::int64_t, Calls> by_agent;
  std::map<std::string, std::int64_t> forms;
  std::int64_t all = 0;
  archive.calls_by_agent([&](std::int64_t agent, std::int64_t calls, std::string_view parameters) {
    if (rows != nullptr && !rows->contains(agent)) return;
    Calls& own = by_agent[agent];
    own.all += calls;
    all += calls;
    if (parameters.empty()) return;
    for (const std::string& name : not_applied_in(parameters)) {
      own.without[name] += calls;
      if (is_form(name)) forms[name] += calls;
    }
  });
  std::string list;
  std::map<std::string, std::vector<std::string>> alike;  // names, by how they were asked
  const std::map<std::int64_t, archive::AgentRow> agents = archive.agents();
  std::map<std::string, bool> changed;
  for (const auto& [number, calls] : by_agent) {
    const auto found = agents.find(number);
    if (found == agents.end()) continue;
    const archive::AgentRow& row = found->second;
    std::map<std::string, std::string> values;
    const std::string as = asked_as(row, calls, values);
    std::string own;
    for (const auto& [name, n] : calls.without) {
      if (is_form(name) && forms[name] == all) continue;
      const std::string value = values.contains(name) ? " (" + values[name] + ")" : "";
      own += fmt::format("{}{}{} in {} of {} calls", own.empty() ? "" : ", ", name, value, n,
                         calls.all);
      changed[as] = changed[as] || !is_form(name);
    }
    if (!own.empty()) list += fmt::format("{}'{}': {}", list.empty() ? "" : "; ", row.name, own);
    if (!as.empty()) alike[as].push_back(row.name);
  }
  if (list.empty()) return {};
  std::string words =
      "SETTINGS NOT APPLIED, as endpoints did not take them or the suite says so: " + list + ".";
  for (const auto& [as, names] : alike) {
    if (names.size() < 2 || !changed[as]) continue;
    std::string same;
    for (std::size_t i = 0; i < names.size(); ++i)
      same += (i == 0 ? "'" : i + 1 == names.size() ? "' and '" : "', '") + names[i];
    words += " " + same +
             "' were asked alike: they are equal treatments, and what differs between "
             "them is chance.";
  }
  return words;
}

}  // namespace agon::report
