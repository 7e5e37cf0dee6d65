#include "suite/agent_spec.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/short_form.hpp"
#include "suite/factors.hpp"
#include "suite/labels.hpp"
#include "suite/models.hpp"
#include "text/nearest.hpp"
#include "trust/accesses.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

[[noreturn]] void wrong(const std::string& what, const std::string& where,
                        const std::string& mend = {}) {
  throw Error(ErrorKind::invalid, what, where, mend);
}

/// Parameters that hold JSON hold it as text. "json": each text may be written as the JSON that it
/// holds; and all but a single text as the name of a file with it. "json-values": an object whose
/// values are any JSON. A file that may not be read stands for one empty object.
class TextsOfJson {
 public:
  TextsOfJson(const SpecContext& context, const std::string& where)
      : context_(context), where_(where) {}

  /// Looks through the members of a described struct.
  void in(const Type& type, bj::object& members) {
    for (const Field& f : type.fields) {
      const auto found = members.find(f.name);
      if (found == members.end()) continue;
      bj::value& value = found->value();
      if (f.data == "json") {
        if (f.type->kind != Kind::text && value.is_string()) read(f, value);
        put(*f.type, value);
      } else if (f.data == "json-values") {
        if (value.is_object())
          for (auto& entry : value.get_object())
            entry.value() = bj::string(json::write(entry.value()));
      } else if (f.type->kind == Kind::structure && value.is_object()) {
        in(*f.type, value.get_object());
      }
    }
  }

  /// Where a member of the outermost struct is written that a path begins with: the file that it
  /// was read from, with the path in there; empty: with the other parameters.
  [[nodiscard]] std::string file_of(std::string_view path) const {
    for (const auto& [member, file] : files_) {
      if (!path.starts_with(member)) continue;
      const std::string_view rest = path.substr(member.size());
      if (rest.empty() || rest.front() == '.' || rest.front() == '[')
        return fmt::format("{} (${})", file, rest);
    }
    return {};
  }

 private:
  void read(const Field& f, bj::value& value) {
    std::filesystem::path path{std::string_view(value.get_string())};
    if (path.is_relative()) path = std::filesystem::path(context_.folder) / path;
    if (context_.accesses == nullptr || context_.typed || context_.accesses->may_read(path, where_))
      value = json::parse_file(path);
    else if (f.type->kind == Kind::map)
      value = bj::object();
    else
      value = bj::array{bj::object()};
    if (!value.is_array() && !value.is_object())
      wrong("the file must hold a list of answers, or an object of lists", path.string());
    files_.emplace(f.name, path.string());
  }

  void put(const Type& type, bj::value& value) {
    switch (type.kind) {
      case Kind::text:
        if (!value.is_string()) value = bj::string(json::write(value));
        break;
      case Kind::list:
        if (value.is_array())
          for (bj::value& item : value.get_array()) put(*type.element, item);
        break;
      case Kind::map:
        if (value.is_object())
          for (auto& entry : value.get_object()) put(*type.element, entry.value());
        break;
      case Kind::structure:
        if (value.is_object()) in(type, value.get_object());
        break;
      default:
        break;
    }
  }

  const SpecContext& context_;
  const std::string& where_;
  std::map<std::string_view, std::string> files_;  ///< by member: where it was read from
};

/// Leaves what an agent is, without how its work is done. True if there was anything to drop.
bool drop_operational(const Type& type, bj::object& members) {
  bool dropped = false;
  for (const Field& f : type.fields) {
    bj::value* member = members.if_contains(f.name);
    if (member == nullptr) continue;  // a record may be older than the parameter
    if (f.operational)
      dropped = members.erase(f.name) > 0 || dropped;
    else if (f.type->kind == Kind::structure && member->is_object())
      dropped = drop_operational(*f.type, member->get_object()) || dropped;
  }
  return dropped;
}

/// The end of a spec whose model is a mock: it says nothing of how the agent plays.
constexpr std::string_view kMockMark = ",\"mock\":true}";

/// How an agent plays: its spec without how its work is done.
std::string what_plays(const AgentCard& card, std::string spec) {
  if (spec.ends_with(kMockMark)) spec.replace(spec.size() - kMockMark.size(), spec.npos, "}");
  bj::value played = json::parse(spec, "agent");
  bj::value* params = played.as_object().if_contains("params");
  const bool dropped = params != nullptr && params->is_object() &&
                       drop_operational(*card.params, params->get_object());
  return dropped ? json::write(played) : spec;
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

/// Members named "a.b" become member b of a.
void nest(bj::object& members) {
  bj::object flat;
  std::swap(flat, members);
  for (auto& entry : flat)
    if (entry.key().find('.') == bj::string_view::npos) members[entry.key()] = entry.value();
  for (auto& entry : flat) {
    std::string_view name = entry.key();
    if (name.find('.') == std::string_view::npos) continue;
    bj::object* at = &members;
    for (std::size_t dot; (dot = name.find('.')) != std::string_view::npos;
         name.remove_prefix(dot + 1)) {
      bj::value& inner = (*at)[name.substr(0, dot)];
      if (!inner.is_object()) inner = bj::object();
      at = &inner.get_object();
    }
    (*at)[name] = entry.value();
  }
}

/// Puts a model's members in the place of its name. Where they are written; empty: with the agent.
std::string resolve_model(const SpecContext& context, const Type& params, bj::object& members,
                          const std::string& where) {
  static const Models kNone;
  const auto field = std::find_if(params.fields.begin(), params.fields.end(), [](const Field& f) {
    return f.name == "model" && f.type->kind == Kind::structure;
  });
  if (field == params.fields.end()) return {};
  const Models& models = context.models == nullptr ? kNone : *context.models;
  bj::value* given = members.if_contains("model");
  if (given == nullptr && !models.has_one_for_all()) return {};
  Models::Found found = models.resolve(given == nullptr ? bj::value(bj::object()) : *given, where);
  if (found.value.is_object()) nest(found.value.get_object());
  members["model"] = std::move(found.value);
  return found.where;
}

/// A provider that is not there may be an entry of "models", misspelt.
[[noreturn]] void refuse_provider(const SpecContext& context, const Error& error,
                                  const std::string& model_place, const std::string& where) {
  const bool is_option = model_place.starts_with("--model");
  std::string mend;
  if (context.models != nullptr && (model_place.empty() || is_option))
    mend = fmt::format("{}", fmt::join(context.models->names(), ", "));
  if (!mend.empty())
    mend = fmt::format("name one of \"models\" ({}), or write provider/model; ", mend);
  throw Error(is_option ? ErrorKind::usage : ErrorKind::invalid, error.problem(),
              model_place.empty() ? where : model_place, mend + error.mend());
}

AgentInGame make(const SpecContext& context, const std::string& name, std::string_view id,
                 const std::string& game, bj::object params, const std::string& where,
                 bool short_form = false) {
  const Catalogue& catalogue = context.catalogue;
  const AgentCard* card = nullptr;
  try {
    card = &catalogue.agent(id, game);
  } catch (const Error& error) {
    throw Error(error.kind(), error.problem(), where, error.mend());
  }
  if (short_form) split_words(*card->params, params);
  const std::string model_place = resolve_model(context, *card->params, params, where);
  nest(params);
  Value value(*card->params);
  TextsOfJson texts(context, where);
  texts.in(*card->params, params);
  auto problem =
      read_value(*card->params, value.get(), bj::value(std::move(params)), Missing::keeps);
  if (!problem) problem = find_problem(*card->params, value.get());
  if (problem) {
    const std::string path = problem->path.substr(std::min<std::size_t>(2, problem->path.size()));
    if (const std::string file = texts.file_of(path); !file.empty())
      wrong(problem->what, file, "see 'agon describe " + std::string(id) + "'");
    const bool of_model = !model_place.empty() && path.starts_with("model.");
    throw Error(
        of_model && model_place.starts_with("--model") ? ErrorKind::usage : ErrorKind::invalid,
        (of_model ? path.substr(6) : "parameter " + path) + " " + problem->what,
        of_model ? model_place : where, "see 'agon describe " + std::string(id) + "'");
  }
  AgentInGame made;
  made.spec = "{\"agent\":\"" + std::string(id) +
              "\",\"params\":" + write_json(*card->params, value.get()) + "}";
  const std::string plays = what_plays(*card, made.spec);
  made.digest = hash::sha256(plays);
  made.identity = hash::sha256(name + '\0' + plays);
  for (const std::string_view role : card->roles) made.roles.emplace_back(role);
  made.check = card->check;
  const AgentServices services{.parts = &catalogue,
                               .game = game,
                               .folder = context.folder,
                               .dry_run = context.dry_run,
                               .ca_file = context.ca_file,
                               .verbose = context.verbose,
                               .stop = context.stop};
  std::vector<Access> accesses;
  const auto placed = [&](auto&& work) {
    try {
      work();
    } catch (const PartElsewhere& error) {
      throw PartElsewhere(ErrorKind::invalid, error.problem(), where, error.mend());
    } catch (const Error& error) {
      if (error.where() == "$.model.provider") refuse_provider(context, error, model_place, where);
      wrong(error.problem(), where, error.mend());
    }
  };
  if (context.accesses != nullptr && card->accesses != nullptr)
    placed([&] { accesses = card->accesses(value.get(), services); });
  for (Access& access : accesses)
    if (!context.typed || access.kind == AccessKind::host)
      context.accesses->add(std::move(access), model_place.empty() ? where : model_place, name);
  placed([&] { made.agent = card->make(value.get(), services); });
  if (const ModelAgent* model = made.agent->model_agent();
      model != nullptr && model->model().is_mock)
    made.spec.replace(made.spec.size() - 1, 1, kMockMark);
  return made;
}

/// The parameters of { "<id>": what, other parameters... }.
bj::object params_of(const SpecContext& context, const std::string& id, const bj::object& members,
                     const std::string& where) {
  const bj::value& what = members.at(id);
  const std::string place = where + "." + id;
  bj::object params;
  if (what.is_object()) {
    params = what.get_object();
  } else if (what.is_string()) {
    // The same parameter in all games: an id stands for one agent, or for one in each game.
    const AgentCard* card = nullptr;
    for (const AgentCard* c : context.catalogue.agents())
      if (c->id == id) card = c;
    if (card == nullptr || card->params->fields.empty())
      wrong("has no parameters: write {}", place);
    const Field* main = &card->params->fields.front();
    for (const Field& f : card->params->fields)
      if (f.name == "model") main = &f;
    params[main->name] = what;
    if (main->type->kind == Kind::list) split_words(*card->params, params);
  } else {
    wrong("must be an object of parameters, {} for none", place);
  }
  for (const auto& entry : members) {
    if (entry.key() == id || entry.key() == "factors") continue;
    if (params.contains(entry.key()))
      wrong("'" + std::string(entry.key()) + "' is given twice", where);
    params[entry.key()] = entry.value();
  }
  return params;
}

}  // namespace

bj::value json_spec(std::string_view text, const std::string& where) {
  bj::value spec;
  try {
    spec = json::parse(text, where);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, error.problem(), error.where(), error.mend());
  }
  if (spec.is_object() && spec.get_object().contains("factors"))
    throw Error(ErrorKind::usage, "one agent cannot be several: leave \"factors\" out", where);
  return spec;
}

const AgentInGame* AgentSpec::in(std::string_view game) const {
  const auto found = in_.find(game);
  return found == in_.end() ? nullptr : &found->second;
}

std::string AgentSpec::why_not(std::string_view game) const {
  const auto found = why_not_.find(game);
  return found == why_not_.end() ? std::string() : found->second;
}

void AgentSpec::check(const Game& game, const Settings& settings, const std::string& where) const {
  const AgentInGame* mine = in(game.id);
  if (mine == nullptr || mine->check == nullptr) return;
  const std::string reason = mine->check(settings.get());
  if (!reason.empty())
    wrong("agent '" + name_ + "' cannot play here: " + reason, where,
          "change the settings, or let another agent play");
}

void AgentSpec::check_blocks(const Game& game, const std::string& scenario,
                             std::uint64_t blocks) const {
  const AgentInGame* mine = in(game.id);
  if (mine == nullptr) return;
  try {
    for (std::uint64_t block = 0; block < blocks; ++block)
      if (mine->agent->in_block(scenario, block) == nullptr) return;
  } catch (const Error& error) {
    wrong("agent '" + name_ + "' cannot play here: " + error.problem(), {}, error.mend());
  }
}

hash::Digest recorded_digest(const Catalogue& catalogue, const std::string& spec,
                             std::string_view game) {
  const bj::value value = json::parse(spec, "agent");
  const std::string_view id = value.at("agent").as_string();
  return hash::sha256(what_plays(catalogue.agent(id, game), spec));
}

AgentSpec AgentSpec::parse(const Catalogue& catalogue, std::string_view text,
                           const std::string& game, const std::string& where) {
  return parse(SpecContext{.catalogue = catalogue}, text, game, where);
}

AgentSpec AgentSpec::parse(const SpecContext& context, std::string_view text,
                           const std::string& game, const std::string& where) {
  AgentSpec spec;
  spec.name_ = spec.base_ = text;
  if (text.starts_with('{')) {
    spec.read_one(context, json_spec(text, where), where);
    if (spec.in(game) == nullptr) wrong("this agent does not play '" + game + "'", where);
    return spec;
  }
  plugin::ShortForm form = plugin::parse_short(text, where);
  spec.in_.emplace(game,
                   make(context, spec.name_, form.id, game, std::move(form.params), where, true));
  return spec;
}

std::vector<AgentSpec> AgentSpec::read(const SpecContext& context, const std::string& name,
                                       const bj::value& given, const std::string& where) {
  std::vector<AgentSpec> made;
  bj::value value = given;
  const bj::object labels =
      value.is_object() ? take_labels(value.get_object(), where) : bj::object();
  const bj::value* factors =
      value.is_object() ? value.get_object().if_contains("factors") : nullptr;
  if (factors == nullptr) {
    AgentSpec spec;
    spec.name_ = spec.base_ = name;
    spec.factors_ = json::write(bj::value(labels));
    spec.read_one(context, value, where);
    made.push_back(std::move(spec));
    return made;
  }
  for (const FactorLevels& levels : cross_factors(*factors, where + ".factors")) {
    bj::object members = value.get_object();
    bj::object* params = &members;
    // { "rule": ..., "params": ... } has them apart.
    if (members.contains("rule")) {
      bj::value& apart = members["params"];
      if (apart.is_null()) apart = bj::object();
      if (apart.is_object()) params = &apart.get_object();
    }
    for (const auto& level : levels.members) {
      if (params->contains(level.key()))
        wrong("'" + std::string(level.key()) + "' is set and varied at once", where);
      (*params)[level.key()] = level.value();
    }
    AgentSpec spec;
    spec.base_ = name;
    spec.name_ = name + "/" + levels.suffix;
    bj::object known = levels.members;
    add_labels(known, labels, where);
    spec.factors_ = json::write(bj::value(std::move(known)));
    spec.read_one(context, members, where);
    made.push_back(std::move(spec));
  }
  return made;
}

AgentSpec AgentSpec::replaced(const SpecContext& context, const bj::value& spec,
                              const std::string& where) const {
  AgentSpec other;
  other.name_ = name_;
  other.base_ = base_;
  other.factors_ = factors_;
  other.read_one(context, spec, where);
  return other;
}

void AgentSpec::read_one(const SpecContext& context, const bj::value& value,
                         const std::string& where) {
  const Catalogue& catalogue = context.catalogue;
  const std::vector<std::string>& games = context.games;
  const auto add = [&](const std::string& game, const std::string& id, bj::object params,
                       const std::string& place, bool short_form = false) {
    in_.emplace(game, make(context, name_, id, game, std::move(params), place, short_form));
  };
  /// A strategy or a part that plays one game only is no mistake in a suite of several: the agent
  /// is left out there, and the line-ups that need it say so.
  const auto add_everywhere = [&](const std::string& id, const bj::object& params,
                                  const std::string& place, bool short_form = false) {
    bool any = false;
    for (const std::string& game : games) {
      if (!catalogue.has_agent(id, game)) continue;
      try {
        add(game, id, params, place, short_form);
        any = true;
      } catch (const PartElsewhere& error) {
        why_not_[game] = error.problem();
      }
    }
    if (!any) add(games.empty() ? std::string() : games.front(), id, params, place, short_form);
  };
  if (value.is_string()) {
    plugin::ShortForm form = plugin::parse_short(value.get_string(), where);
    add_everywhere(form.id, form.params, where, true);
    return;
  }
  if (!value.is_object())
    wrong("an agent is a text like \"random\" or an object like {\"rule\": \"random\"}", where);
  const bj::object& members = value.get_object();
  std::vector<std::string> ids;
  for (const AgentCard* card : catalogue.agents()) ids.emplace_back(card->id);
  const auto is_kind = [&](std::string_view key) {
    return key == "rule" || std::find(ids.begin(), ids.end(), key) != ids.end();
  };
  std::string kind;
  for (const auto& entry : members) {
    if (!is_kind(entry.key())) continue;
    if (!kind.empty())
      wrong("an agent is one of '" + kind + "' and '" + std::string(entry.key()) + "', not both",
            where);
    kind = entry.key();
  }
  if (kind.empty()) {
    std::vector<std::string> known = ids;
    known.emplace_back("rule");
    for (const auto& entry : members)
      if (const std::string near = text::nearest(entry.key(), known); !near.empty())
        wrong("'" + std::string(entry.key()) + "' is not known here (did you mean '" + near + "'?)",
              where, "see 'agon list agents'");
    wrong("an agent needs 'rule', or the name of an agent like 'human'", where,
          "see 'agon list agents'");
  }
  const bj::value& what = members.at(kind);
  const std::string place = where + "." + kind;
  if (kind != "rule") {
    if (members.contains("params")) wrong("write the parameters into '" + kind + "' itself", where);
    add_everywhere(kind, params_of(context, kind, members, where), place);
    return;
  }
  for (const auto& entry : members)
    if (entry.key() != "rule" && entry.key() != "params" && entry.key() != "factors")
      wrong("'" + std::string(entry.key()) + "' is not known here" +
                text::did_you_mean(entry.key(), {"rule", "params", "factors", "labels"}),
            where, "write the parameters of a strategy into \"params\"");
  bj::object params;
  if (const bj::value* given = members.if_contains("params")) {
    if (!given->is_object()) wrong("must be an object of parameters", where + ".params");
    params = given->get_object();
  }
  if (what.is_string()) {
    add_everywhere(std::string(what.get_string()), params, place);
    return;
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
}

}  // namespace agon
