#include "results/participant.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>

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

}  // namespace agon::report
