#include "results/participant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <vector>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "suite/agents/models.hpp"
#include "text/words.hpp"

namespace agon::report {

namespace {

/// Whether the name says this part: "llm/memory=whole,planning=none" says "planning=none".
bool named_after(std::string_view name, std::string_view part) {
  for (std::size_t at = name.find(part); at != std::string_view::npos;
       at = name.find(part, at + 1)) {
    if (at > 0 && (name[at - 1] == '/' || name[at - 1] == ',')) return true;
  }
  return false;
}

}  // namespace

AgentLevels levels_of_name(std::string_view name) {
  AgentLevels out;
  const std::size_t slash = name.find('/');
  out.family = std::string(name.substr(0, slash));
  if (slash == std::string_view::npos) return out;
  std::string_view rest = name.substr(slash + 1);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      if (out.levels.empty()) return {std::string(name), {}};
      out.levels.back().second += "," + std::string(part);
      continue;
    }
    out.levels.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  if (out.levels.empty()) return {std::string(name), {}};
  return out;
}

std::vector<std::pair<std::string, std::string>> all_levels_of(const archive::AgentRow& row) {
  std::vector<std::pair<std::string, std::string>> all;
  const boost::json::value factors = json::parse(row.factors, "factors");
  if (!factors.is_object()) return all;
  for (const auto& member : factors.get_object())
    all.emplace_back(std::string(member.key()), member.value().is_string()
                                                    ? std::string(member.value().get_string())
                                                    : json::write(member.value()));
  return all;
}

AgentLevels levels_of(const archive::AgentRow& row) {
  const boost::json::value factors = json::parse(row.factors, "factors");
  if (!factors.is_object() || factors.get_object().empty()) return levels_of_name(row.name);
  AgentLevels out;
  out.family = row.family;
  for (const auto& [name, level] : all_levels_of(row))
    if (named_after(row.name, name + "=" + level)) out.levels.emplace_back(name, level);
  if (out.levels.empty()) out.family = row.name;
  return out;
}

namespace {

namespace bj = boost::json;

/// The text at a place of a document; empty where there is none.
std::string text_at(const bj::value& document, std::string_view place) {
  boost::system::error_code none;
  const bj::value* text = document.find_pointer(place, none);
  return text != nullptr && text->is_string() ? std::string(text->get_string()) : std::string();
}

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

AgentProfile participant(const archive::AgentRow& row, std::int64_t seats,
                         const Catalogue* catalogue, std::string_view game) {
  AgentProfile who{row.name, "?", {}, seats};
  const bj::value spec = json::parse(row.spec, "agent");
  const bj::object* members = spec.if_object();
  if (members == nullptr) return who;
  if (const bj::value* id = members->if_contains("agent"); id != nullptr && id->is_string())
    who.plays = std::string(id->get_string());
  who.is_mock = members->contains("mock");
  const bj::value* given = members->if_contains("params");
  if (given == nullptr || !given->is_object()) return who;
  const bj::object& params = given->get_object();
  const bj::value* others = params.if_contains("models");
  who.has_others = others != nullptr && others->is_object() && !others->get_object().empty();
  const bool known = catalogue != nullptr && catalogue->find_agent(who.plays, game);
  who.with = words_of(params, known ? catalogue->agent(who.plays, game).params : nullptr);
  const std::string provider = text_at(spec, "/params/model/provider");
  const std::string model = text_at(spec, "/params/model/model");
  who.is_model = !provider.empty();
  if (who.is_model) who.plays = provider + (model.empty() ? "" : "/" + model);
  return who;
}

std::string model_word(const archive::AgentRow& row, std::string_view word) {
  return text_at(json::parse(row.spec, "spec"), fmt::format("/params/model/{}", word));
}

std::string mock_words(const archive::Archive& archive, const std::set<std::int64_t>* rows) {
  std::set<std::string> names;
  for (const auto& [number, row] : archive.agents())
    if ((rows == nullptr || rows->contains(number)) && participant(row).is_mock)
      names.insert(row.family.empty() ? row.name : row.family);
  if (names.empty()) return {};
  return "A mock that makes up answers, and no model, played for '" + text::joined(names, "', '") +
         "': its scores say nothing of any model.";
}

namespace {

/// What of an agent's settings was not applied, in how many of its calls.
struct SettingCalls {
  std::int64_t all = 0;
  std::map<std::string, std::int64_t> without;  // by setting
};

/// The names in the member "not_applied" of a call's parameters.
std::vector<std::string> not_applied_in(std::string_view parameters) {
  std::vector<std::string> names;
  const bj::value said = json::parse(std::string(parameters), "call");
  boost::system::error_code none;
  const bj::value* list = said.find_pointer("/not_applied", none);
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
std::string asked_as(const archive::AgentRow& row, const SettingCalls& calls,
                     std::map<std::string, std::string>& values) {
  bj::value spec = json::parse(row.spec, "agent");
  boost::system::error_code none;
  bj::value* model = spec.find_pointer("/params/model", none);
  if (model == nullptr || !model->is_object()) return {};
  bj::object& settings = model->get_object();
  for (const auto& [name, n] : calls.without) {
    const bj::value* value = settings.if_contains(name);
    if (value == nullptr) continue;
    const bool is_chosen =
        (name == "temperature" || name == "top_p") && text_at(*model, "/sampling") == "no";
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
  std::map<std::pair<std::int64_t, std::string>, SettingCalls> by_model;  // of an agent
  std::map<std::string, std::int64_t> forms;
  std::int64_t all = 0;
  archive.calls().by_agent([&](const archive::Calls::AgentCalls& c) {
    if (c.is_embedding || (rows != nullptr && !rows->contains(c.agent))) return;
    SettingCalls& own = by_model[{c.agent, c.model}];
    own.all += c.calls;
    all += c.calls;
    if (c.parameters.empty()) return;
    for (const std::string& name : not_applied_in(c.parameters)) {
      own.without[name] += c.calls;
      if (is_form(name)) forms[name] += c.calls;
    }
  });
  std::string list;
  std::map<std::string, std::vector<std::string>> alike;  // names, by how they were asked
  const std::map<std::int64_t, archive::AgentRow> agents = archive.agents();
  std::map<std::string, bool> changed;
  for (const auto& [key, calls] : by_model) {
    const auto& [number, model] = key;
    const auto found = agents.find(number);
    if (found == agents.end()) continue;
    const archive::AgentRow& row = found->second;
    std::map<std::string, std::string> values;
    const AgentProfile who = participant(row);
    // Another model than its own answers calls of some purposes, by settings of its own.
    const bool is_other = who.has_others && who.plays != model;
    const std::string as = is_other ? std::string() : asked_as(row, calls, values);
    std::string own;
    for (const auto& [name, n] : calls.without) {
      if (is_form(name) && forms[name] == all) continue;
      const std::string value = values.contains(name) ? " (" + values[name] + ")" : "";
      own += fmt::format("{}{}{} in {} of {} calls", own.empty() ? "" : ", ", name, value, n,
                         calls.all);
      changed[as] = changed[as] || !is_form(name);
    }
    if (!own.empty())
      list += fmt::format("{}'{}'{}: {}", list.empty() ? "" : "; ", row.name,
                          is_other ? ", calls of " + model : "", own);
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

std::string models_of_agents_words(const archive::Archive& archive,
                                   const std::set<std::int64_t>* rows) {
  struct Taken {
    std::int64_t calls = 0;
    std::int64_t cost = 0;
  };
  std::map<std::int64_t, std::map<std::string, Taken>> by_agent;
  archive.calls().by_agent([&](const archive::Calls::AgentCalls& c) {
    if (rows != nullptr && !rows->contains(c.agent)) return;
    Taken& taken = by_agent[c.agent][c.model];
    taken.calls += c.calls;
    taken.cost += c.cost;
  });
  std::string words;
  const std::map<std::int64_t, archive::AgentRow> agents = archive.agents();
  for (const auto& [number, models] : by_agent) {
    const auto found = agents.find(number);
    if (found == agents.end() || !participant(found->second).has_others) continue;
    words += fmt::format("{}'{}': ", words.empty() ? "" : "; ", found->second.name);
    const char* between = "";
    for (const auto& [model, taken] : models) {
      words +=
          fmt::format("{}{} {}, {:.4f} USD", between, model, text::counted(taken.calls, "call"),
                      static_cast<double>(taken.cost) / 1e9);
      between = ", ";
    }
  }
  return words.empty() ? words : "Agents with several models: " + words + ".";
}

namespace {

// What is wanted of a run's manifest.
struct CapsOfRun {
  std::optional<std::vector<PartCaps>> part_caps;
  std::optional<JsonText> prices;
};
AGON_DESCRIBE(CapsOfRun, (part_caps, "on the calls to one model, or for one purpose"),
              (prices, "the file as it was"))

}  // namespace

std::vector<CappedPart> capped_parts(const archive::Archive& archive) {
  const std::vector<archive::RunRow> runs = archive.runs();
  if (runs.empty()) return {};
  const auto caps = read_recorded<CapsOfRun>(runs.back().manifest);
  if (!caps || !caps->part_caps) return {};
  return taken_before(&archive,
                      caps->prices ? PriceList::parse(caps->prices->text, "prices") : PriceList(),
                      *caps->part_caps);
}

namespace {

// What is wanted of a run's manifest, and of its suite.
struct CalledModel {
  std::string provider;
  std::string model;
  std::vector<std::string> served_as;
};
AGON_DESCRIBE(CalledModel, (provider, "that was asked"), (model, "as asked for"),
              (served_as, "names that the provider gave"))
struct CallsOfRun {
  std::optional<std::vector<CalledModel>> models;
};
AGON_DESCRIBE(CallsOfRun, (models, "those that were called"))
struct ModelsOfSuite {
  std::map<std::string, suite_file::Entry> models;
};
AGON_DESCRIBE(ModelsOfSuite, (models, "by the names that agents use"))

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z');
}

/// Whether `name` has `word` in it and goes on with another word: "gpt-4 bold", not "gpt-4-mini".
bool has_word(std::string_view name, std::string_view word) {
  for (std::size_t at = name.find(word); at != std::string_view::npos;
       at = name.find(word, at + 1)) {
    const std::string_view after = name.substr(at + word.size());
    const bool begins = at == 0 || (!is_alphanumeric(name[at - 1]) && name[at - 1] != '-');
    const bool ends =
        after.empty() ||
        (!is_alphanumeric(after[0]) &&
         (after.size() == 1 || (after[0] != '-' && after[0] != '.') || !is_alphanumeric(after[1])));
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

PlayedModels::PlayedModels(const archive::Archive& archive) {
  std::set<hash::Digest> suites;
  for (const archive::RunRow& run : archive.runs()) {
    if (run.suite_file) suites.insert(*run.suite_file);
    const auto calls = read_recorded<CallsOfRun>(run.manifest);
    if (!calls || !calls->models) continue;
    for (const CalledModel& called : *calls->models)
      for (const std::string& as : called.served_as)
        if (as != called.model && !as.empty())
          served_[called.provider + (called.model.empty() ? "" : "/") + called.model].insert(as);
  }
  for (const hash::Digest& digest : suites) {
    const auto text = archive.content(digest);
    const auto suite = text ? read_recorded<ModelsOfSuite>(*text) : std::nullopt;
    if (!suite) continue;
    for (const auto& [name, entry] : suite->models) {
      try {
        const bj::value said = model_of(entry, "");
        const std::string provider = text_at(said, "/provider");
        const std::string model = text_at(said, "/model");
        const std::string whole = provider + (model.empty() ? "" : "/") + model;
        named_[text::lower(name)].insert(whole);
        if (!model.empty()) named_[text::lower(model.substr(model.rfind('/') + 1))].insert(whole);
      } catch (const Error&) {  // of another version: it says nothing here
      }
    }
  }
}

std::optional<std::string> PlayedModels::behind(const archive::AgentRow& agent) const {
  const AgentProfile who = participant(agent);
  if (!who.is_model) return std::nullopt;
  const auto served = served_.find(who.plays);
  return served == served_.end()
             ? who.plays
             : fmt::format("{} (served as {})", who.plays, fmt::join(served->second, ", "));
}

std::optional<std::string> PlayedModels::misnamed(const archive::AgentRow& agent) const {
  const std::string name = text::lower(agent.name);
  const std::set<std::string>* said = nullptr;
  std::size_t longest = 0;
  for (const auto& [word, models] : named_)
    if (word.size() > longest && has_word(name, word)) said = &models, longest = word.size();
  const std::string plays = participant(agent).plays;
  if (said == nullptr || said->contains(plays)) return std::nullopt;
  return fmt::format("{}, not {}", plays, fmt::join(*said, " or "));
}

}  // namespace agon::report
