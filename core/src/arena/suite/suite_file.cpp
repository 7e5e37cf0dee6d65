#include "suite/suite_file.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <string_view>
#include <variant>

#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/plugin_file.hpp"

namespace agon {
namespace {

/// What a suite's text has in it if it says anything of the sandbox.
constexpr std::array<std::string_view, 3> kSandboxNames{"sandbox", "isolate", "\\u"};

/// Whether all scenarios name games by their ids. False where that cannot be seen: who reads the
/// suite says what is wrong.
bool names_no_file(const boost::json::value& document, const std::filesystem::path& folder) {
  const auto* top = document.if_object();
  const auto* scenarios = top == nullptr ? nullptr : top->if_contains("scenarios");
  const auto* list = scenarios == nullptr ? nullptr : scenarios->if_array();
  return list != nullptr &&
         std::all_of(list->begin(), list->end(), [&](const boost::json::value& scenario) {
           const auto* members = scenario.if_object();
           const auto* game = members == nullptr ? nullptr : members->if_contains("game");
           return game != nullptr && game->is_string() &&
                  !game_file(std::string_view(game->get_string()), folder);
         });
}

}  // namespace

std::optional<AskedIsolation> asked_isolation(const std::string& text, const std::string& file) {
  // Large suites take long to read, and most say nothing of it. A name may be written in escapes.
  if (std::none_of(kSandboxNames.begin(), kSandboxNames.end(),
                   [&](std::string_view name) { return text.find(name) != text.npos; }))
    return {};
  const FileText reader(text, file, "see 'agon describe suite'");
  const auto said = reader.read<suite_file::SuiteDocument>();
  if (!said.sandbox) return {};
  reader.check(said);
  AskedIsolation asked{{}, reader.where(json::Path() / "sandbox")};
  if (const auto* when = std::get_if<Isolate>(&*said.sandbox))
    asked.isolation.when = *when;
  else
    asked.isolation = std::get<Isolation>(*said.sandbox);
  return asked;
}

std::vector<NamedGameFile> game_files(const std::string& text, const std::string& file) {
  const FileText reader(text, file, "see 'agon describe suite'");
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (names_no_file(reader.document(), folder)) return {};
  const auto said = reader.read<suite_file::SuiteDocument>();
  std::vector<NamedGameFile> files;
  for (std::size_t i = 0; i < said.scenarios.size(); ++i) {
    const auto named = game_file(said.scenarios[i].game, folder);
    if (!named || std::any_of(files.begin(), files.end(), [&](const NamedGameFile& known) {
          return known.file == named->file;
        }))
      continue;
    files.push_back({named->file, reader.where((json::Path() / "scenarios")[i] / "game")});
  }
  return files;
}

namespace {

namespace bj = boost::json;

bj::object defined(const std::string& name) {
  return {{"$ref", "#/$defs/" + name}};
}

bj::object any_of(bj::array forms) {
  return {{"anyOf", std::move(forms)}};
}

bj::object closed(bj::object properties, bj::array required = {}) {
  bj::object schema{
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = std::move(required);
  return schema;
}

const bj::object kText{{"type", "string"}};

/// What may stand under one name: a second meaning stands beside the first.
void add_meaning(bj::object& properties, const std::string& name, const bj::value& meaning) {
  const bj::value* known = properties.if_contains(name);
  if (known == nullptr)
    properties[name] = meaning;
  else if (*known != meaning)
    properties[name] = any_of({*known, meaning});
}

class SuiteSchema {
 public:
  explicit SuiteSchema(const Catalogue& catalogue) : catalogue_(catalogue) {}

  bj::object make() {
    bj::object suite = file_schema(type_of<suite_file::SuiteDocument>());
    bj::object& members = suite.at("properties").as_object();
    for (const AgentCard* card : catalogue_.all<AgentCard>()) add_parameters(*card);
    bj::array providers;
    for (const ProviderCard* card : catalogue_.all<ProviderCard>())
      providers.emplace_back(card->id);
    model_["provider"].as_object()["enum"] = std::move(providers);
    defs_["model"] = closed(std::move(model_));
    for (auto& [id, properties] : parameters_) defs_["params." + id] = closed(properties);
    defs_["agent"] = agent();
    bj::object& scenario = members.at("scenarios").at("items").as_object();
    add_games(scenario);
    members.at("agents").as_object()["additionalProperties"] = defined("agent");
    members.at("agents").as_object()["propertyNames"] = bj::object{{"pattern", "^[^*]+$"}};
    members.at("models").as_object()["additionalProperties"] = any_of({kText, defined("model")});
    narrow(members);
    suite["$defs"] = std::move(defs_);
    return suite;
  }

 private:
  /// Members, those of members also by their full name: "model.temperature".
  static void add_members(bj::object& to, const std::string& prefix, const Type& type,
                          const bj::value& schema) {
    for (const Field& f : type.fields) {
      const std::string name = prefix + std::string(f.name);
      const bj::value& own = schema.at("properties").at(f.name);
      if (f.type->kind == Kind::structure) add_members(to, name + ".", *f.type, own);
      add_meaning(to, name, own);
    }
  }

  void add_parameters(const AgentCard& card) {
    const bj::value schema = overrides_schema(*card.params);
    bj::object& parameters = parameters_[std::string(card.id)];
    add_members(parameters, "", *card.params, schema);
    for (const Field& f : card.params->fields) {
      if (f.name == "models" && f.type->kind == Kind::map && parameters.contains("model"))
        parameters["models"].as_object()["additionalProperties"] =
            any_of({kText, defined("model")});
      if (f.name != "model" || f.type->kind != Kind::structure) continue;
      add_members(model_, "", *f.type, schema.at("properties").at(f.name));
      parameters["model"] = any_of({kText, defined("model")});
    }
  }

  /// What the reader refuses beside what is described.
  static void narrow(bj::object& members) {
    const auto open_above = [](bj::value& schema, double low) {
      schema.as_object().erase("minimum");
      schema.as_object()["exclusiveMinimum"] = low;
    };
    const auto probability = [&](bj::value& schema) {
      open_above(schema, 0.5);
      schema.as_object().erase("maximum");
      schema.as_object()["exclusiveMaximum"] = 1;
    };
    probability(members.at("report").at("properties").at("level"));
    bj::value& stop = members.at("stop").at("anyOf").at(1).at("properties");
    probability(stop.at("level"));
    probability(stop.at("best").at("anyOf").at(0));
    stop.at("best").at("anyOf").at(1).at("properties").at("blocks").as_object()["type"] = "integer";
    open_above(stop.at("difference"), 0);
    bj::value& cost = members.at("limits").at("properties").at("cost").at("anyOf").at(0);
    open_above(cost, 0);
    cost.as_object()["maximum"] = 1e8;
    for (bj::value* of : {&members.at("design"),
                          &members.at("scenarios").at("items").at("properties").at("design")})
      of->at("properties").at("round_robin").at("anyOf").at(0).as_object()["const"] = true;
  }

  /// An agent's entry by rule, and what all entries may have of it.
  static bj::object by_rule() {
    bj::object schema = file_schema(type_of<suite_file::AgentEntry>());
    schema["required"] = bj::array{"rule"};
    bj::value& members = schema.at("properties");
    members.at("labels").at("additionalProperties").as_object()["minLength"] = 1;
    members.at("factors").at("additionalProperties").as_object()["minItems"] = 1;
    return schema;
  }

  /// { "ID": {parameters} }, with parameters beside it, too.
  bj::object agent_by_id(const std::string& id, const bj::object& parameters) {
    bj::object properties;
    for (const auto& parameter : parameters)
      properties[parameter.key()] =
          defined("params." + id + "/properties/" + std::string(parameter.key()));
    properties[id] = parameters.empty() ? bj::value(defined("params." + id))
                                        : bj::value(any_of({kText, defined("params." + id)}));
    bj::array names;
    for (const auto& parameter : parameters) names.emplace_back(parameter.key());
    for (const char* more : {"factors", "labels"})
      properties[more] = by_rule_.at("properties").at(more);
    // A parameter of a component is named with it: "persona.words".
    properties["factors"].as_object()["propertyNames"] = any_of(
        {bj::object{{"enum", std::move(names)}}, bj::object{{"pattern", R"(^[a-z_]+\.[a-z_]+$)"}}});
    return closed(std::move(properties), {bj::string(id)});
  }

  /// { "rule": "ID", "params": {...} } or { "rule": { "GAME": "ID", "GAME2": { "ID": {...} } } }
  bj::object agent_by_rule() {
    bj::object by_game;
    for (const Game* game : catalogue_.all<Game>()) {
      bj::object strategies;
      for (const AgentCard* card : catalogue_.agents_of(game->id))
        strategies[card->id] = defined("params." + std::string(card->id));
      bj::object one = closed(std::move(strategies));
      one["minProperties"] = 1;
      one["maxProperties"] = 1;
      by_game[game->id] = any_of({kText, std::move(one)});
    }
    bj::array ids, by_id;
    for (const auto& [id, parameters] : parameters_) {
      ids.emplace_back(bj::string(id));
      by_id.emplace_back(when("rule", id, {{"params", defined("params." + id)}}));
    }
    bj::object rule = by_rule_;
    rule.at("properties").as_object()["rule"] =
        any_of({bj::object{{"enum", std::move(ids)}}, closed(std::move(by_game))});
    rule["allOf"] = std::move(by_id);
    return rule;
  }

  bj::object agent() {
    bj::array forms{kText, agent_by_rule()};
    // A strategy called "rule" can only be named as one.
    for (const auto& [id, parameters] : parameters_)
      if (id != "rule") forms.emplace_back(agent_by_id(id, parameters));
    return any_of(std::move(forms));
  }

  /// Where the member is that text, these are the schemas of others.
  static bj::object when(std::string_view member, std::string_view text, bj::object others) {
    return {{"if", bj::object{{"properties", bj::object{{member, bj::object{{"const", text}}}}},
                              {"required", bj::array{member}}}},
            {"then", bj::object{{"properties", std::move(others)}}}};
  }

  void add_games(bj::object& scenario) {
    bj::array ids, by_game;
    for (const Game* game : catalogue_.all<Game>()) {
      const std::string settings = "settings." + std::string(game->id);
      defs_[settings] = overrides_schema(*game->settings);
      bj::object treatments;
      for (const Field& f : game->settings->fields)
        treatments[f.name] =
            bj::object{{"type", "array"},
                       {"minItems", 1},
                       {"items", defined(settings + "/properties/" + std::string(f.name))}};
      bj::array presets;
      for (const Preset& preset : game->card.presets) presets.emplace_back(bj::string(preset.name));
      if (presets.empty()) presets.emplace_back("agon");
      by_game.emplace_back(when("game", game->id,
                                {{"preset", bj::object{{"enum", std::move(presets)}}},
                                 {"set", defined(settings)},
                                 {"treatments", closed(std::move(treatments))}}));
      ids.emplace_back(bj::string(game->id));
    }
    // Or a file, as game_file() knows one.
    scenario.at("properties").at("game").as_object()["anyOf"] = bj::array{
        bj::object{{"enum", std::move(ids)}}, bj::object{{"pattern", R"(/|\.(py|so)(:[^/]*)?$)"}}};
    scenario["allOf"] = std::move(by_game);
  }

  const Catalogue& catalogue_;
  const bj::object by_rule_ = by_rule();
  std::map<std::string, bj::object> parameters_;  // by agent
  bj::object model_;                              // members of the parameter `model`
  bj::object defs_;
};

}  // namespace

std::string suite_schema(const Catalogue& catalogue) {
  return schema_document("suite", "A suite of Agon", SuiteSchema(catalogue).make());
}

}  // namespace agon
