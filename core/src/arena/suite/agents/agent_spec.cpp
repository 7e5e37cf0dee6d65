#include "suite/agents/agent_spec.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/learning.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>

#include "describe/file_text.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "design/lineups.hpp"
#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "plugin/card.hpp"
#include "plugin/catalogue.hpp"
#include "security/trust.hpp"
#include "suite/agents/agent_variants.hpp"
#include "suite/agents/model_messages.hpp"
#include "suite/agents/models.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

[[noreturn]] void wrong(const std::string& what, const std::string& where,
                        const std::string& hint = {}) {
  throw Error(ErrorKind::invalid, what, where, hint);
}

bool is_map_of_structs(const Type& type) {
  return type.kind == Kind::map && type.element->kind == Kind::structure;
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
      } else if (is_map_of_structs(*f.type) && value.is_object()) {
        for (auto& entry : value.get_object())
          if (entry.value().is_object()) in(*f.type->element, entry.value().get_object());
      }
    }
  }

  /// Where a member of the outermost struct is written that a path begins with: the file that it
  /// was read from, with the path in there; empty: with the other parameters.
  [[nodiscard]] std::string file_of(const json::Path& path) const {
    for (const auto& [member, file] : files_)
      if (!path.steps().empty() && path.steps().front() == json::Path::Step(std::string(member)))
        return file->where(path.rest());
    return {};
  }

 private:
  void read(const Field& f, bj::value& value) {
    std::filesystem::path path{std::string_view(value.get_string())};
    if (path.is_relative()) path = std::filesystem::path(context_.folder) / path;
    if (context_.accesses == nullptr || context_.typed ||
        context_.accesses->may_read(path, where_)) {
      const auto& file = files_[f.name] =
          std::make_unique<FileText>(json::read_file(path), path.string(), "");
      value = file->document();
    } else if (f.type->kind == Kind::map) {
      value = bj::object();
    } else {
      value = bj::array{bj::object()};
    }
    if (!value.is_array() && !value.is_object())
      wrong("expected a list of answers, or an object of lists", path.string());
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
  std::map<std::string_view, std::unique_ptr<const FileText>> files_;  // by member
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
    else if (is_map_of_structs(*f.type) && member->is_object())
      for (auto& entry : member->get_object())
        if (entry.value().is_object())
          dropped = drop_operational(*f.type->element, entry.value().get_object()) || dropped;
  }
  return dropped;
}

/// The end of a spec whose model is a mock: it says nothing of how the agent plays.
constexpr std::string_view kMockMark = ",\"mock\":true}";

/// How an agent plays: its spec without how its work is done. `played`: the same as JSON.
std::string what_plays(const AgentCard& card, std::string spec, bj::value played) {
  if (spec.ends_with(kMockMark)) spec.replace(spec.size() - kMockMark.size(), spec.npos, "}");
  played.as_object().erase("mock");
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

/// A parameter that is a model.
bool is_model(const Field& f) {
  return f.name == "model" && f.type->kind == Kind::structure;
}

/// One that is several, by name.
bool is_models(const Field& f) {
  return f.name == "models" && is_map_of_structs(*f.type);
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

/// Where the models of an agent are written, by parameter: "model", "models.extract"; empty: with
/// the agent.
using ModelPlaces = std::map<std::string, std::string>;

/// Puts models' members in the place of their names: those of `model`, and of each entry of
/// `models`.
ModelPlaces resolve_models(const SpecContext& context, const Type& params, bj::object& members,
                           const std::string& where) {
  static const Models kNone;
  const Models& models = context.models == nullptr ? kNone : *context.models;
  ModelPlaces places;
  const auto resolve = [&](const std::string& parameter, bj::value& given) {
    Models::ResolvedModel found = models.resolve(given, where);
    if (found.value.is_object()) nest(found.value.get_object());
    given = std::move(found.value);
    places[parameter] = std::move(found.where);
  };
  const std::string_view others = "models.";
  for (const Field& f : params.fields) {
    if (is_model(f)) {
      if (!members.contains("model") && models.has_one_for_all()) members["model"] = bj::object();
      if (bj::value* given = members.if_contains("model")) resolve("model", *given);
    } else if (is_models(f)) {
      for (auto& member : members) {
        const std::string name(member.key());
        if (name == "models" && member.value().is_object())
          for (auto& entry : member.value().get_object())
            resolve(std::string(others) + std::string(entry.key()), entry.value());
        else if (name.starts_with(others) && name.find('.', others.size()) == name.npos)
          resolve(name, member.value());
      }
    }
  }
  return places;
}

/// The parameter of `places` that a path below the parameters lies in, such as
/// "models.extract.seed"; null: none.
const ModelPlaces::value_type* model_at(const ModelPlaces& places, std::string_view path) {
  for (const auto& place : places)
    if (path.starts_with(place.first + ".")) return &place;
  return nullptr;
}

/// A provider that is not there may be an entry of "models", misspelt.
[[noreturn]] void refuse_provider(const SpecContext& context, const Error& error,
                                  const std::string& model_place, const std::string& where) {
  const bool is_option = model_place.starts_with("--model");
  std::string hint;
  if (context.models != nullptr && (model_place.empty() || is_option))
    hint = text::joined(context.models->names());
  if (!hint.empty())
    hint = fmt::format("name one of \"models\" ({}), or write provider/model; ", hint);
  throw Error(is_option ? ErrorKind::usage : ErrorKind::invalid, error.problem(),
              model_place.empty() ? where : model_place, hint + error.hint());
}

/// Where an agent's parameters are explained.
std::string explained(const Catalogue& catalogue, std::string_view id, std::string_view game) {
  std::string command = "agon describe " + std::string(id);
  const auto* agent = catalogue.find_agent(id, game);
  const PluginEntry* plugin = agent == nullptr ? nullptr : agent->plugin;
  if (plugin != nullptr && plugin->place.starts_with("--"))
    command += " " + plugin->place + " " + text::shell_word(plugin->path);
  return "see '" + command + "'";
}

/// Parameters named `stages` go by the names of stages: one that no game has in which an agent
/// plays so would never be looked at.
void require_known_stages(const SpecContext& context,
                          const std::map<std::string, AgentInGame, std::less<>>& by_game,
                          const ErrorPlace& place) {
  std::map<std::string_view, std::vector<std::string>> by_spec;
  for (const auto& [game, in] : by_game)
    for (const StageCard& stage : context.catalogue.game(game).stages)
      by_spec[in.spec].emplace_back(stage.name);
  for (auto& [spec, known] : by_spec)
    known.insert(known.end(), context.probes.begin(), context.probes.end());
  for (const auto& [spec, known] : by_spec) {
    if (spec.find("\"stages\":{\"") == std::string_view::npos) continue;
    const bj::value read = json::parse(std::string(spec), "agent");
    const bj::value* stages = read.at("params").as_object().if_contains("stages");
    if (stages == nullptr || !stages->is_object()) continue;
    for (const auto& stage : stages->get_object()) {
      const std::string name(stage.key());
      if (name != kTakeAlong.name && std::find(known.begin(), known.end(), name) == known.end())
        wrong("unknown stage '" + name + "'" + text::did_you_mean(name, known), place.str(),
              "the stages of a game: agon describe GAME");
    }
  }
}

void require_name_length(const std::string& name, const ErrorPlace& place) {
  if (name.size() > kLongestAgentName)
    wrong("an agent's name has " + std::to_string(name.size()) + " bytes", place.str(),
          std::to_string(kLongestAgentName) +
              " are the most: give it a short name, and its levels short labels");
}

const AgentCard& card_of(const Catalogue& catalogue, std::string_view id, const std::string& game,
                         const std::string& where) {
  try {
    return catalogue.agent(id, game);
  } catch (const Error& error) {
    throw Error(error.kind(), error.problem(), where, error.hint());
  }
}

/// A parameter is told where it was given: in a file, with its model, or with the agent.
[[noreturn]] void refuse_parameter(const Problem& problem, const TextsOfJson& texts,
                                   const ModelPlaces& models, const std::string& where,
                                   const std::string& hint) {
  const std::string path = problem.path.substr(std::min<std::size_t>(2, problem.path.size()));
  if (const std::string file = texts.file_of(*json::Path::read(problem.path)); !file.empty())
    wrong(problem.what, file, hint);
  const ModelPlaces::value_type* model = model_at(models, path);
  const bool of_model = model != nullptr && !model->second.empty();
  throw Error(
      of_model && model->second.starts_with("--model") ? ErrorKind::usage : ErrorKind::invalid,
      (of_model ? path.substr(model->first.size() + 1) : "parameter " + path) + ": " + problem.what,
      of_model ? model->second : where, hint);
}

/// What an agent may use that plays `game`; as long as all three are there.
AgentServices services_of(const SpecContext& context, const std::string& game,
                          const std::string& where) {
  return {.parts = &context.catalogue,
          .game = game,
          .folder = context.folder,
          .dry_run = context.dry_run,
          .ca_file = context.ca_file,
          .verbose = context.verbose,
          .stop = context.stop,
          .renderer = [&]() -> RenderQuestion {
            return [messages = ModelMessages(context.catalogue, game, where)](
                       const OwnedQuestion& question) { return messages.json(question); };
          }};
}

/// Whether some of its answers are made up.
bool has_mock(const ModelAgent& agent) {
  const std::vector<PurposeModel> others = agent.other_models();
  return agent.model().is_mock || std::any_of(others.begin(), others.end(), [](const auto& other) {
           return other.model.is_mock;
         });
}

AgentInGame make(const SpecContext& context, const std::string& name, std::string_view id,
                 const std::string& game, bj::object params, const ErrorPlace& place,
                 bool short_form = false) {
  const std::string where = place.str();
  const Catalogue& catalogue = context.catalogue;
  const AgentCard* const card = &card_of(catalogue, id, game, where);
  if (short_form) split_words(*card->params, params);
  const ModelPlaces models = resolve_models(context, *card->params, params, where);
  nest(params);
  Value value(*card->params);
  TextsOfJson texts(context, where);
  texts.in(*card->params, params);
  auto problem =
      read_value(*card->params, value.get(), bj::value(std::move(params)), Missing::keeps);
  if (!problem) problem = find_problem(*card->params, value.get());
  if (problem) refuse_parameter(*problem, texts, models, where, explained(catalogue, id, game));
  AgentInGame made;
  // Without its end, which says whether its model is a mock.
  const std::string spec =
      "{\"agent\":\"" + std::string(id) + "\",\"params\":" + write_json(*card->params, value.get());
  const std::string plays =
      what_plays(*card, spec + "}",
                 bj::object{{"agent", id}, {"params", json_value(*card->params, value.get())}});
  made.digest = hash::sha256(plays);
  made.identity = hash::sha256(name + '\0' + plays);
  for (const std::string_view role : card->roles) made.roles.emplace_back(role);
  made.check = card->check;
  const AgentServices services = services_of(context, game, where);
  std::vector<Access> accesses;
  const auto placed = [&](auto&& work) {
    try {
      work();
    } catch (const PartElsewhere& error) {
      throw PartElsewhere(ErrorKind::invalid, error.problem(), where, error.hint());
    } catch (const Error& error) {
      if (error.where().starts_with("$.") && error.where().ends_with(".provider"))
        if (const auto* model = model_at(models, error.where().substr(2)))
          refuse_provider(context, error, model->second, where);
      wrong(error.problem(), where, error.hint());
    }
  };
  if (context.accesses != nullptr && card->accesses != nullptr)
    placed([&] { accesses = card->accesses(value.get(), services); });
  // Which of several models an access is for is not known.
  const bool is_one = models.size() == 1 && !models.begin()->second.empty();
  const std::string& place_of_model = is_one ? models.begin()->second : where;
  for (Access& access : accesses)
    if (!context.typed || access.kind == AccessKind::host)
      context.accesses->add(std::move(access), place_of_model, name);
  placed([&] { made.agent = card->make(value.get(), services); });
  const ModelAgent* model = made.agent->model_agent();
  made.spec = spec;
  made.spec += model != nullptr && has_mock(*model) ? kMockMark : "}";
  return made;
}

/// What is wrong with an entry as it is described is told at its place.
void require_none(const std::optional<Problem>& problem, const ErrorPlace& place) {
  if (problem) wrong(problem->what, (place / *json::Path::read(problem->path)).str());
}

/// Which agent an object means: "rule", or the agent's id.
std::string kind_of(const Catalogue& catalogue, const InOrder<JsonText>& members,
                    const ErrorPlace& place) {
  std::vector<std::string> known{"rule"};
  for (const AgentCard* card : catalogue.all<AgentCard>()) known.emplace_back(card->id);
  std::string kind;
  for (const auto& [name, value] : members) {
    if (std::find(known.begin(), known.end(), name) == known.end()) continue;
    if (!kind.empty())
      wrong("an agent is one of '" + kind + "' and '" + name + "', not both", place.str());
    kind = name;
  }
  if (!kind.empty()) return kind;
  for (const auto& [name, value] : members)
    if (const std::string near = text::nearest(name, known); !near.empty())
      wrong("unknown key '" + name + "' (did you mean '" + near + "'?)", place.str(),
            "see 'agon list agents'");
  wrong("an agent needs 'rule', or the name of an agent like 'human'", place.str(),
        "see 'agon list agents'");
}

/// The parameters of { "<id>": what, other parameters... }.
bj::object params_of(const Catalogue& catalogue, const std::string& id,
                     const InOrder<JsonText>& members, const ErrorPlace& place) {
  if (members.contains("params"))
    wrong("write the parameters into '" + id + "' itself", place.str());
  bj::object others = parsed(members);
  bj::value what = std::move(others.at(id));
  bj::object params;
  if (what.is_object()) {
    params = std::move(what.get_object());
  } else if (what.is_string()) {
    // The same parameter in all games: an id stands for one agent, or for one in each game.
    const auto& agents = catalogue.all<AgentCard>();
    const AgentCard& card = **std::find_if(agents.rbegin(), agents.rend(),
                                           [&](const AgentCard* c) { return c->id == id; });
    if (card.params->fields.empty()) wrong("has no parameters: write {}", (place / id).str());
    const Field* main = &card.params->fields.front();
    for (const Field& f : card.params->fields)
      if (f.name == "model") main = &f;
    params[main->name] = std::move(what);
    if (main->type->kind == Kind::list) split_words(*card.params, params);
  } else {
    wrong("must be an object of parameters, {} for none", (place / id).str());
  }
  for (const auto& entry : members) {
    const std::string& name = entry.first;
    if (name == id || name == "factors" || name == "labels") continue;
    if (params.contains(name)) wrong("'" + name + "' is given twice", place.str());
    params[name] = std::move(others.at(name));
  }
  return params;
}

/// A level of "persona.words" becomes the parameter `words` of the component that the agent has as
/// its persona. False for other factors.
bool add_to_component(const Catalogue& catalogue, const std::string& id, bj::object& params,
                      const bj::key_value_pair& level, const ErrorPlace& place) {
  const std::string_view name = level.key();
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view component = name.substr(0, dot);
  const auto& agents = catalogue.all<AgentCard>();
  const bool is_text = std::any_of(agents.begin(), agents.end(), [&](const AgentCard* card) {
    return card->id == id && std::any_of(card->params->fields.begin(), card->params->fields.end(),
                                         [&](const Field& f) {
                                           return f.name == component && f.type->kind == Kind::text;
                                         });
  });
  if (!is_text) return false;
  bj::value* spec = params.if_contains(component);
  if (spec == nullptr || !spec->is_string())
    throw Error(ErrorKind::invalid,
                fmt::format("the factor '{}' needs the component that it is a parameter of", name),
                (place / std::string(name)).str(),
                spec == nullptr
                    ? fmt::format("write \"{}\": \"COMPONENT\" beside the factors", component)
                    : fmt::format("write \"{}\" beside the factors as a text, such as "
                                  "\"COMPONENT:key=value\"",
                                  component));
  bj::string& text = spec->get_string();
  const std::string where = (place / std::string(name)).str();
  if (plugin::parse_short(std::string_view(text), where).params.contains(name.substr(dot + 1)))
    throw Error(ErrorKind::invalid,
                fmt::format("the factor '{}' varies what the component is given already", name),
                where,
                fmt::format("leave '{}' out of \"{}\", or out of the factors", name.substr(dot + 1),
                            component));
  text += text.find(':') == bj::string::npos ? ":" : ",";
  text += name.substr(dot + 1);
  text += "=";
  text += json::write(level.value());
  return true;
}

}  // namespace

suite_file::Entry typed_entry(std::string_view text, const std::string& where) {
  if (!text.starts_with('{')) return std::string(text);
  InOrder<JsonText> members;
  try {
    require_none(read_value(type_of<InOrder<JsonText>>(), &members, json::parse(text, where),
                            Missing::keeps),
                 where);
  } catch (const Error& error) {
    throw Error(ErrorKind::usage, error.problem(), error.where(), error.hint());
  }
  for (const char* several : {"factors", "labels"})
    if (members.contains(several))
      throw Error(ErrorKind::usage, fmt::format("one agent has no {0}: leave \"{0}\" out", several),
                  where);
  return members;
}

void check_model(const SpecContext& context, const suite_file::Entry& model,
                 const ErrorPlace& place) {
  SpecContext dry = context;
  dry.models = nullptr;
  dry.accesses = nullptr;
  dry.dry_run = true;
  const bj::object given = model_of(model, place.str());
  std::optional<Error> first;
  for (const AgentCard* card : context.catalogue.all<AgentCard>()) {
    if (std::none_of(card->params->fields.begin(), card->params->fields.end(), is_model)) continue;
    try {
      const std::string game(card->game.empty() ? std::string_view(context.games.front())
                                                : card->game);
      (void)make(dry, "", card->id, game, {{"model", given}}, place);
      return;
    } catch (const Error& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *first;
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
    wrong("agent '" + name_ + "' cannot play here: " + error.problem(), {}, error.hint());
  }
}

hash::Digest recorded_digest(const Catalogue& catalogue, const std::string& spec,
                             std::string_view game) {
  const bj::value value = json::parse(spec, "agent");
  const std::string_view id = value.at("agent").as_string();
  return hash::sha256(what_plays(catalogue.agent(id, game), spec, value));
}

AgentSpec AgentSpec::parse(const SpecContext& context, std::string_view text,
                           const std::string& game, const ErrorPlace& place) {
  SpecContext here = context;
  here.games = {game};
  AgentSpec spec =
      std::move(read(here, std::string(text), typed_entry(text, place.str()), place).front());
  if (spec.in(game) == nullptr) wrong("this agent does not play '" + game + "'", place.str());
  return spec;
}

std::vector<AgentSpec> AgentSpec::read(const SpecContext& context, const std::string& name,
                                       const suite_file::Entry& entry, const ErrorPlace& place) {
  require_name_length(name, place);
  if (const auto* text = std::get_if<std::string>(&entry)) {
    plugin::ShortForm form = plugin::parse_short(*text, place.str());
    AgentSpec spec;
    spec.name_ = spec.base_ = name;
    spec.play_all(context, form.id, form.params, place, true);
    require_known_stages(context, spec.in_, place);
    return {std::move(spec)};
  }
  const auto& members = std::get<InOrder<JsonText>>(entry);
  const std::string kind = kind_of(context.catalogue, members, place);
  const bool by_rule = kind == "rule";
  suite_file::AgentEntry said;
  require_none(read_value(type_of<suite_file::AgentEntry>(), &said, parsed(members), Missing::keeps,
                          by_rule ? Unknown::is_wrong : Unknown::passed_over),
               place);
  if (by_rule) require_none(find_problem(type_of<suite_file::AgentEntry>(), &said), place);
  const auto* by_game = std::get_if<InOrder<suite_file::Strategy>>(&said.rule);
  const bj::object params =
      by_rule ? parsed(said.params) : params_of(context.catalogue, kind, members, place);
  std::vector<AgentSpec> made;
  for (FactorLevels& levels : cross_factors(said.factors, place / "factors")) {
    AgentSpec spec;
    spec.base_ = name;
    spec.name_ = name + levels.suffix;
    require_name_length(spec.name_, place / "factors");
    bj::object all = params;
    for (const auto& level : levels.members) {
      if (!by_rule && add_to_component(context.catalogue, kind, all, level, place / "factors"))
        continue;
      if (all.contains(level.key()))
        wrong("factor '" + std::string(level.key()) + "' conflicts with the parameter of that name",
              place.str());
      all[level.key()] = level.value();
    }
    for (const auto& [label, text] : said.labels) {
      const ErrorPlace at = place / "labels" / label;
      if (text.empty()) wrong("a label is a text that is not empty", at.str());
      if (levels.members.contains(label))
        wrong("'" + label + "' is a factor and a label at once", at.str(),
              "give the label another name");
      levels.members[label] = text;
    }
    spec.factors_ = json::write(levels.members);
    if (by_game == nullptr) {
      spec.play_all(context, by_rule ? std::get<std::string>(said.rule) : kind, all, place / kind,
                    false);
    } else {
      if (!all.empty())
        wrong("write parameters beside the strategy of each game", (place / "params").str());
      spec.play_each(context, *by_game, place / "rule");
    }
    require_known_stages(context, spec.in_, place);
    made.push_back(std::move(spec));
  }
  return made;
}

AgentSpec AgentSpec::replaced(const SpecContext& context, const suite_file::Entry& entry,
                              const ErrorPlace& place) const {
  AgentSpec other = std::move(read(context, name_, entry, place).front());
  other.base_ = base_;
  other.factors_ = factors_;
  return other;
}

void AgentSpec::play(const SpecContext& context, const std::string& game, std::string_view id,
                     bj::object params, const ErrorPlace& place, bool short_form) {
  in_.emplace(game, make(context, name_, id, game, std::move(params), place, short_form));
}

/// A strategy or a part that plays one game only is no mistake in a suite of several: the agent is
/// left out there, and the line-ups that need it say so.
void AgentSpec::play_all(const SpecContext& context, const std::string& id,
                         const bj::object& params, const ErrorPlace& place, bool short_form) {
  for (const std::string& game : context.games) {
    if (!context.catalogue.find_agent(id, game)) continue;
    try {
      play(context, game, id, params, place, short_form);
    } catch (const PartElsewhere& error) {
      why_not_[game] = error.problem();
    }
  }
  if (in_.empty())
    play(context, context.games.empty() ? std::string() : context.games.front(), id, params, place,
         short_form);
}

void AgentSpec::play_each(const SpecContext& context,
                          const InOrder<suite_file::Strategy>& strategies,
                          const ErrorPlace& place) {
  for (const auto& [game, strategy] : strategies) {
    const ErrorPlace at = place / game;
    try {
      (void)context.catalogue.game(game);
    } catch (const Error& error) {
      throw Error(error.kind(), error.problem(), at.str(), error.hint());
    }
    if (const auto* text = std::get_if<std::string>(&strategy)) {
      plugin::ShortForm form = plugin::parse_short(*text, at.str());
      play(context, game, form.id, std::move(form.params), at, true);
      continue;
    }
    const auto& named = std::get<InOrder<InOrder<JsonText>>>(strategy);
    if (named.size() != 1) wrong("must be a strategy's name, or {name: {parameters}}", at.str());
    play(context, game, named.begin()->first, parsed(named.begin()->second), at, false);
  }
}

}  // namespace agon
