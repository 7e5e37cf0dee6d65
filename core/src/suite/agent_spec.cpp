#include "suite/agent_spec.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>

#include "describe/read.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/short_form.hpp"
#include "table/value.hpp"
#include "text/nearest.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

[[noreturn]] void wrong(const std::string& what, const std::string& where,
                        const std::string& mend = {}) {
  throw Error(ErrorKind::invalid, what, where, mend);
}

/// Lists of JSON answers may be written as JSON, or as the name of a file that holds the list; the
/// parameter itself holds each answer as text.
void texts_of_json(const Type& params, bj::object& members, const std::string& folder) {
  const auto as_texts = [](bj::value& list) {
    if (!list.is_array()) return;
    for (bj::value& item : list.get_array())
      if (!item.is_string()) item = bj::string(json::write(item));
  };
  for (const Field& f : params.fields) {
    if (f.data != "json") continue;
    const auto found = members.find(f.name);
    if (found == members.end()) continue;
    bj::value& value = found->value();
    if (value.is_string()) {
      std::filesystem::path path{std::string_view(value.get_string())};
      if (path.is_relative()) path = std::filesystem::path(folder) / path;
      value = json::parse_file(path);
      if (!value.is_array() && !value.is_object())
        wrong("the file must hold a list of answers, or an object of lists", path.string());
    }
    if (value.is_object())
      for (auto& entry : value.get_object()) as_texts(entry.value());
    else
      as_texts(value);
  }
}

AgentInGame make(const Catalogue& catalogue, const std::string& name, std::string_view id,
                 const std::string& game, bj::object params, const std::string& where,
                 const std::string& folder) {
  const AgentCard* card = nullptr;
  try {
    card = &catalogue.agent(id, game);
  } catch (const Error& error) {
    throw Error(error.kind(), error.problem(), where, error.mend());
  }
  Value value(*card->params);
  texts_of_json(*card->params, params, folder);
  auto problem =
      read_value(*card->params, value.get(), bj::value(std::move(params)), Missing::keeps);
  if (!problem) problem = find_problem(*card->params, value.get());
  if (problem)
    wrong("parameter " + problem->path.substr(std::min<std::size_t>(2, problem->path.size())) +
              " " + problem->what,
          where, "see 'agon describe " + std::string(id) + "'");
  AgentInGame made;
  made.spec = "{\"agent\":\"" + std::string(id) +
              "\",\"params\":" + write_json(*card->params, value.get()) + "}";
  made.digest = hash::sha256(made.spec);
  made.identity = hash::sha256(name + '\0' + made.spec);
  for (const std::string_view role : card->roles) made.roles.emplace_back(role);
  const AgentServices services{.parts = &catalogue, .game = game, .folder = folder};
  try {
    made.agent = card->make(value.get(), services);
  } catch (const Error& error) {
    wrong(error.problem(), where, error.mend());
  }
  return made;
}

}  // namespace

const AgentInGame* AgentSpec::in(std::string_view game) const {
  const auto found = in_.find(game);
  return found == in_.end() ? nullptr : &found->second;
}

AgentSpec AgentSpec::parse(const Catalogue& catalogue, std::string_view text,
                           const std::string& game, const std::string& where) {
  plugin::ShortForm form = plugin::parse_short(text, where);
  AgentSpec spec;
  spec.name_ = text;
  spec.in_.emplace(game,
                   make(catalogue, spec.name_, form.id, game, std::move(form.params), where, {}));
  return spec;
}

AgentSpec AgentSpec::read(const Catalogue& catalogue, std::string name, const bj::value& value,
                          const std::string& where, const std::vector<std::string>& games,
                          const std::string& folder) {
  AgentSpec spec;
  spec.name_ = std::move(name);
  const auto add = [&](const std::string& game, const std::string& id, bj::object params,
                       const std::string& place) {
    spec.in_.emplace(game, make(catalogue, spec.name_, id, game, std::move(params), place, folder));
  };
  /// A strategy that plays one game only is no mistake in a suite of several: it is left out there,
  /// and the line-ups that need it say so.
  const auto add_everywhere = [&](const std::string& id, const bj::object& params,
                                  const std::string& place) {
    bool any = false;
    for (const std::string& game : games) {
      if (!catalogue.has_agent(id, game)) continue;
      add(game, id, params, place);
      any = true;
    }
    if (!any) add(games.empty() ? std::string() : games.front(), id, params, place);
  };
  if (value.is_string()) {
    plugin::ShortForm form = plugin::parse_short(value.get_string(), where);
    add_everywhere(form.id, form.params, where);
    return spec;
  }
  if (!value.is_object())
    wrong("an agent is a text like \"random\" or an object like {\"rule\": \"random\"}", where);
  const bj::object& members = value.get_object();
  std::string kind;
  for (const auto& entry : members) {
    const std::string_view key = entry.key();
    if (key == "params") continue;
    if (key != "rule" && key != "human" && key != "script")
      wrong("'" + std::string(key) + "' is not known here" +
                text::did_you_mean(key, {"rule", "human", "script", "params"}),
            where);
    if (!kind.empty()) wrong("an agent is one of rule, human and script", where);
    kind = key;
  }
  if (kind.empty()) wrong("an agent needs one of rule, human and script", where);
  const bj::value& what = members.at(kind);
  const std::string place = where + "." + kind;
  if (kind != "rule") {
    if (members.contains("params")) wrong("write the parameters into '" + kind + "' itself", where);
    if (!what.is_object()) wrong("must be an object of parameters, {} for none", place);
    add_everywhere(kind, what.get_object(), place);
    return spec;
  }
  bj::object params;
  if (const bj::value* given = members.if_contains("params")) {
    if (!given->is_object()) wrong("must be an object of parameters", where + ".params");
    params = given->get_object();
  }
  if (what.is_string()) {
    add_everywhere(std::string(what.get_string()), params, place);
    return spec;
  }
  if (!what.is_object())
    wrong("must be the name of a strategy, or an object from games to names", place);
  if (!params.empty())
    wrong("write parameters beside the strategy of each game", where + ".params");
  for (const auto& entry : what.get_object()) {
    const std::string game(entry.key());
    const std::string game_place = place + "." + game;
    try {
      (void)catalogue.game(game);
    } catch (const Error& error) {
      throw Error(error.kind(), error.problem(), place, error.mend());
    }
    if (entry.value().is_string()) {
      plugin::ShortForm form = plugin::parse_short(entry.value().get_string(), game_place);
      add(game, form.id, std::move(form.params), game_place);
    } else if (entry.value().is_object() && entry.value().get_object().size() == 1 &&
               entry.value().get_object().begin()->value().is_object()) {
      const auto& only = *entry.value().get_object().begin();
      add(game, std::string(only.key()), only.value().get_object(), game_place);
    } else {
      wrong("must be a strategy's name, or {name: {parameters}}", game_place);
    }
  }
  return spec;
}

}  // namespace agon
