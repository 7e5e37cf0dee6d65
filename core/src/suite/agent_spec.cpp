#include "suite/agent_spec.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
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

/// Parameters that hold JSON hold it as text. "json": lists of JSON values may be written as JSON,
/// or as the name of a file that holds the list. "json-values": an object whose values are any
/// JSON.
void texts_of_json(const Type& params, bj::object& members, const std::string& folder) {
  const auto as_texts = [](bj::value& list) {
    if (!list.is_array()) return;
    for (bj::value& item : list.get_array())
      if (!item.is_string()) item = bj::string(json::write(item));
  };
  for (const Field& f : params.fields) {
    if (f.data != "json" && f.data != "json-values") continue;
    const auto found = members.find(f.name);
    if (found == members.end()) continue;
    bj::value& value = found->value();
    if (f.data == "json-values") {
      if (value.is_object())
        for (auto& entry : value.get_object())
          entry.value() = bj::string(json::write(entry.value()));
      continue;
    }
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

/// In the short form a list of texts may be words with spaces between: command=python3 bot.py.
void split_words(const Type& params, bj::object& members) {
  for (const Field& f : params.fields) {
    if (f.type->kind != Kind::list || f.type->element->kind != Kind::text) continue;
    const auto found = members.find(f.name);
    if (found == members.end() || !found->value().is_string() || f.data == "json") continue;
    const std::string text(found->value().get_string());
    bj::array words;
    for (std::size_t at = text.find_first_not_of(' '); at != std::string::npos;) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      words.emplace_back(bj::string(text.substr(at, end - at)));
      at = text.find_first_not_of(' ', end);
    }
    found->value() = std::move(words);
  }
}

AgentInGame make(const Catalogue& catalogue, const std::string& name, std::string_view id,
                 const std::string& game, bj::object params, const std::string& where,
                 const std::string& folder, bool short_form = false) {
  const AgentCard* card = nullptr;
  try {
    card = &catalogue.agent(id, game);
  } catch (const Error& error) {
    throw Error(error.kind(), error.problem(), where, error.mend());
  }
  if (short_form) split_words(*card->params, params);
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
  spec.in_.emplace(
      game, make(catalogue, spec.name_, form.id, game, std::move(form.params), where, {}, true));
  return spec;
}

AgentSpec AgentSpec::read(const Catalogue& catalogue, std::string name, const bj::value& value,
                          const std::string& where, const std::vector<std::string>& games,
                          const std::string& folder) {
  AgentSpec spec;
  spec.name_ = std::move(name);
  const auto add = [&](const std::string& game, const std::string& id, bj::object params,
                       const std::string& place, bool short_form = false) {
    spec.in_.emplace(
        game, make(catalogue, spec.name_, id, game, std::move(params), place, folder, short_form));
  };
  /// A strategy that plays one game only is no mistake in a suite of several: it is left out there,
  /// and the line-ups that need it say so.
  const auto add_everywhere = [&](const std::string& id, const bj::object& params,
                                  const std::string& place, bool short_form = false) {
    bool any = false;
    for (const std::string& game : games) {
      if (!catalogue.has_agent(id, game)) continue;
      add(game, id, params, place, short_form);
      any = true;
    }
    if (!any) add(games.empty() ? std::string() : games.front(), id, params, place, short_form);
  };
  if (value.is_string()) {
    plugin::ShortForm form = plugin::parse_short(value.get_string(), where);
    add_everywhere(form.id, form.params, where, true);
    return spec;
  }
  if (!value.is_object())
    wrong("an agent is a text like \"random\" or an object like {\"rule\": \"random\"}", where);
  const bj::object& members = value.get_object();
  std::vector<std::string> ids;
  for (const AgentCard* card : catalogue.agents()) ids.emplace_back(card->id);
  std::string kind;
  for (const auto& entry : members) {
    const std::string_view key = entry.key();
    if (key == "params") continue;
    if (key != "rule" && std::find(ids.begin(), ids.end(), key) == ids.end()) {
      std::vector<std::string> known = ids;
      known.insert(known.end(), {"rule", "params"});
      wrong("'" + std::string(key) + "' is not known here" + text::did_you_mean(key, known), where,
            "see 'agon list agents'");
    }
    if (!kind.empty())
      wrong("an agent is one of '" + kind + "' and '" + std::string(key) + "', not both", where);
    kind = key;
  }
  if (kind.empty()) wrong("an agent needs 'rule', or the name of an agent like 'human'", where);
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
      add(game, form.id, std::move(form.params), game_place, true);
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
