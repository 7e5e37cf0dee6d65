#include "plugin/card.hpp"

#include <agon/error.hpp>
#include <agon/learning.hpp>
#include <agon/plugin_command.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <set>
#include <string>

#include "describe/description.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "settings/settings.hpp"
#include "text/utf8.hpp"

namespace agon::plugin {
namespace {

namespace bj = boost::json;

/// A value in the short form: JSON where it is JSON, else a plain text.
bj::value short_value(std::string_view text) {
  try {
    return json::parse(text, "value");
  } catch (const Error&) {
    return bj::string(text);
  }
}

}  // namespace

ShortForm parse_short(std::string_view text, const std::string& where) {
  ShortForm form;
  const std::size_t colon = text.find(':');
  form.id = text.substr(0, colon);
  if (colon == std::string_view::npos) return form;
  std::string_view rest = text.substr(colon + 1);
  while (!rest.empty()) {
    // A comma inside brackets, braces or quotes belongs to the value.
    std::size_t end = 0;
    int depth = 0;
    bool quoted = false;
    for (; end < rest.size(); ++end) {
      const char c = rest[end];
      if (c == '"' && (end == 0 || rest[end - 1] != '\\')) quoted = !quoted;
      if (quoted) continue;
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      if (c == ',' && depth == 0) break;
    }
    const std::string_view item = rest.substr(0, end);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || equals == 0)
      throw Error(ErrorKind::usage,
                  "invalid parameter '" + std::string(item) + "'; expected key=value", where,
                  "write name:key=value,key=value");
    form.params[item.substr(0, equals)] = short_value(item.substr(equals + 1));
    rest = end == rest.size() ? std::string_view{} : rest.substr(end + 1);
  }
  return form;
}

namespace {

[[noreturn]] void refuse(std::string problem, const std::string& where = {},
                         std::string hint = {}) {
  throw Error(ErrorKind::invalid, std::move(problem), where, std::move(hint));
}

std::string in_quotes(std::string_view name) {
  return "'" + text::printable(name) + "'";
}

void check_name(std::string_view name, const std::string& what, const std::string& where = {}) {
  if (name.empty()) refuse(what + " has no name", where);
  if (text::width(name) > kWidestName)
    refuse(what + " has a name of more than " + std::to_string(kWidestName) + " characters", where,
           "shorten it");
}

void check_id(std::string_view id, const std::string& what) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  check_name(id, what);
  if (!std::all_of(id.begin(), id.end(), fits))
    refuse("the name " + in_quotes(id) + " of " + what +
           " has other characters than a-z, 0-9 and -");
}

void check_structure(const Type* type, const std::string& what, const std::string& where) {
  if (type == nullptr) refuse(what + " are not described", where);
  if (type->kind != Kind::structure) refuse(what + " are not a described struct", where);
}

/// Every name that a placeholder of the rules may have, as settings give them.
void add_names(const Type& type, const std::string& front,
               std::map<std::string, std::string>& names) {
  for (const Field& field : type.fields) {
    const std::string name = front + std::string(field.name);
    names.emplace(name, "");
    if (field.type->kind == Kind::structure) add_names(*field.type, name + ".", names);
  }
}

void check_rules(const Game& game, const std::string& where) {
  if (game.card.rules_for != nullptr) return;
  if (game.card.rules.find_first_not_of(" \t\r\n") == std::string_view::npos)
    refuse("the game has no rules text: people and models would be told nothing", where,
           "set .rules, or .rules_for = agon::hook<&rules>");
  std::map<std::string, std::string> names;
  add_names(*game.settings, "", names);
  try {
    fill_placeholders(game.card.rules, names, false);
  } catch (const Error& error) {
    throw error.within(where + ", rules");
  }
}

void check_stages(const Game& game, const std::string& where) {
  std::set<std::string_view> names;
  for (const StageCard& stage : game.stages) {
    check_name(stage.name, "a stage", where);
    if (stage.name == kTakeAlong.name)
      refuse("a stage is named " + in_quotes(stage.name) + ", which the arena asks for itself",
             where, "give it another name");
    if (!names.insert(stage.name).second)
      refuse("two stages are named " + in_quotes(stage.name), where);
  }
  // One name may be said to everybody or kept for the record, but it means one thing. What seats
  // are told alone may differ by role.
  std::map<std::string_view, const Type*> said;
  for (const EventCard& event : game.events) {
    check_name(event.name, "an event", where);
    if (event.name == kTakenAlong.name)
      refuse("an event is named " + in_quotes(event.name) + ", which the arena tells itself", where,
             "give it another name");
    if (event.audience == Audience::one_seat) continue;
    if (said.emplace(event.name, event.type).first->second != event.type)
      refuse("two events of different types are named " + in_quotes(event.name), where);
  }
}

void check_metrics(const Type* metrics, const std::string& what, const std::string& where) {
  if (metrics == nullptr) return;
  check_structure(metrics, what, where);
  if (metrics->fields.size() > kMaxMetrics)
    refuse(what + " are " + std::to_string(metrics->fields.size()) + ", at most " +
               std::to_string(kMaxMetrics) + " are kept",
           where);
  for (const Field& field : metrics->fields) {
    const Type& value = field.type->kind == Kind::optional ? *field.type->element : *field.type;
    if (value.kind != Kind::boolean && value.kind != Kind::integer && value.kind != Kind::number &&
        value.kind != Kind::enumeration)
      refuse("the metric " + in_quotes(field.name) + " is no number", where,
             "a metric is a number, a bool, an enum, Money, or an optional of one");
    if (!(field.min <= field.max))
      refuse("the metric " + in_quotes(field.name) + " has a range with nothing in it", where);
  }
}

/// The card's cluster or stake is a metric of the match.
void check_match_metric(const GameCard& card, std::string_view name, std::string_view what,
                        const std::string& where) {
  if (name.empty()) return;
  if (card.match_metrics != nullptr)
    for (const Field& field : card.match_metrics->fields)
      if (field.name == name) return;
  refuse("the card's " + std::string(what) + " is " + in_quotes(name) +
             ", which is not a match metric",
         where, "name a member of the struct given as match_metrics");
}

void check_rates(const GameCard& card, const std::string& where) {
  const auto known = [&](std::string_view name) {
    return card.seat_metrics != nullptr &&
           std::any_of(card.seat_metrics->fields.begin(), card.seat_metrics->fields.end(),
                       [&](const Field& field) { return field.name == name; });
  };
  for (const RateCard& rate : card.rates) {
    check_name(rate.name, "a rate", where);
    for (const std::string_view metric : {rate.above, rate.below})
      if (!known(metric) && !(metric.empty() && rate.below.empty() && !rate.above.empty()))
        refuse("the rate " + in_quotes(rate.name) + " names " + in_quotes(metric) +
                   ", which is no metric of a seat",
               where);
  }
}

/// All members of a preset but those that name data files.
void check_members(const Game& game, boost::json::object members, const std::string& place) {
  for (const Field& field : game.settings->fields) {
    const boost::json::value* given = members.if_contains(field.name);
    if (!field.data.empty() && given != nullptr && given->is_string()) members.erase(field.name);
  }
  Value value(*game.settings);
  const auto problem = read_value(*game.settings, value.get(),
                                  boost::json::value(std::move(members)), Missing::keeps);
  if (problem) refuse(problem->what, place + " " + problem->path);
}

void check_presets(const Game& game, const std::string& where) {
  // What is prepared from settings may take long, and is not what is checked here.
  Game unprepared = game;
  unprepared.prepare = nullptr;
  // No folder of this name can exist, so that no file of the current folder gets in by its name.
  DataFolders nowhere;
  nowhere.beside = "/dev/null";
  const auto read = [&](std::string_view name) {
    try {
      Settings::read(unprepared, name, {}, where, nowhere);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::not_found) return;
      // Nobody can look the game up while it is refused.
      throw Error(error.kind(),
                  (name.empty() ? "its default settings are refused: "
                                : "the settings of preset " + in_quotes(name) + " are refused: ") +
                      error.problem(),
                  error.where(), "fix the defaults, the preset or the ranges in the plugin");
    }
  };
  std::set<std::string_view> names;
  for (const Preset& preset : game.card.presets) {
    const std::string place = where + ", preset " + in_quotes(preset.name);
    check_id(preset.name, "a preset of " + where);
    if (!names.insert(preset.name).second)
      refuse("two presets are named " + in_quotes(preset.name), where);
    boost::json::value settings = json::parse(preset.settings, place);
    if (!settings.is_object()) refuse("the settings of a preset are a JSON object", place);
    check_members(game, std::move(settings.get_object()), place);
    if (preset.reasks < 0) refuse("a preset asks again a negative number of times", place);
  }
  if (names.empty()) read("");
  for (const std::string_view name : names) read(name);
}

}  // namespace

void check_card(const Game& game) {
  check_id(game.id, "a game");
  const std::string where = "game '" + std::string(game.id) + "'";
  if (game.play == nullptr)
    refuse("the game has no function that plays it", where, "make it with agon::game<&play>()");
  check_structure(game.settings, "the settings", where);
  if (!game.settings->can_construct() || !game.settings->can_copy())
    refuse("the settings have no default value or cannot be copied", where);
  const auto [min, max] = game.card.seats;
  if (min < 1 || max < min || max > static_cast<int>(kMaxSeats))
    refuse("the game has " + std::to_string(min) + " to " + std::to_string(max) +
               " seats; it must be 1 to " + std::to_string(kMaxSeats),
           where);
  if ((game.card.facts == nullptr) != (game.card.facts_for == nullptr))
    refuse("the game has one of facts and facts_for", where, "give both or neither");
  if (game.card.facts != nullptr) check_structure(game.card.facts, "the facts", where);
  if (game.card.version < 1) refuse("the version of the game is below 1", where);
  check_stages(game, where);
  if (const Range range = game.card.score_range; !(range.min <= 0 && range.max >= 1))
    refuse("the range of the normalised score has not both 0 and 1 in it", where,
           "a forfeited match counts as 0, the best that a seat can get as 1");
  check_metrics(game.card.seat_metrics, "the seat metrics", where);
  check_metrics(game.card.match_metrics, "the match metrics", where);
  check_match_metric(game.card, game.card.cluster, "cluster", where);
  check_match_metric(game.card, game.card.stake, "stake", where);
  check_rates(game.card, where);
  if (!game.card.reference.empty()) (void)parse_short(game.card.reference, where);
  check_rules(game, where);
  check_presets(game, where);
}

void check_card(const AgentCard& agent) {
  check_id(agent.id, "an agent");
  const std::string where = "agent '" + std::string(agent.id) + "'";
  if (!agent.game.empty()) check_id(agent.game, "the game of " + where);
  if (agent.make == nullptr)
    refuse("there is no function that makes the agent", where,
           "make the card with agon::agent<YourAgent>()");
  if (agent.check != nullptr && agent.game.empty())
    refuse("it has a check of settings, but plays any game", where,
           "name the one game whose settings these are");
  for (const std::string_view role : agent.roles) check_name(role, "a role", where);
  check_structure(agent.params, "the parameters", where);
}

void check_card(const Importer& importer) {
  check_id(importer.id, "an importer");
  const std::string where = "importer '" + std::string(importer.id) + "'";
  if (importer.imports == Imports::matches && importer.source.empty())
    refuse("it imports matches and does not say where they were published", where,
           "name the paper or the repository in `source`");
}

void check_card(const PartCard& part) {
  check_id(part.id, "a part");
  const std::string where = "part '" + std::string(part.id) + "'";
  if (!part.game.empty()) check_id(part.game, "the game of " + where);
  if (part.make == nullptr)
    refuse("there is no function that makes the part", where,
           "make the card with agon::part<YourPart>()");
  check_structure(part.params, "the parameters", where);
}

void check_card(const ProviderCard& provider) {
  check_id(provider.id, "a provider");
  const std::string where = "provider '" + std::string(provider.id) + "'";
  if (provider.wire == nullptr) {
    if (!provider.is_mock || !provider.base_url.empty())
      refuse("it has no wire format", where, "set .wire to how it is spoken to");
    return;
  }
  const WireFormat& wire = *provider.wire;
  if (wire.write_dialogue == nullptr || wire.write_parameters == nullptr || wire.read == nullptr)
    refuse("its wire format has not all of write_dialogue, write_parameters and read", where);
  const bool has_scheme =
      provider.base_url.starts_with("https://") || provider.base_url.starts_with("http://");
  if (!has_scheme || provider.base_url.ends_with('/'))
    refuse("its base URL does not begin with https:// or http://, or ends in a slash", where);
  if (provider.key_variable.empty() && !provider.complete)
    refuse("it names no environment variable for its key", where,
           "set .key_variable, and .needs_key where calls need none");
  const auto breaks_a_line = [](std::string_view text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20; });
  };
  if (breaks_a_line(provider.key_header) ||
      std::any_of(provider.headers.begin(), provider.headers.end(), breaks_a_line))
    refuse("one of its headers holds a line break or another control character", where);
  if (!provider.key_header.ends_with(' '))
    refuse("what stands before the key in its header does not end in a space", where,
           "write \"Authorization: Bearer \"");
}

void check_card(const PluginCommand& command) {
  check_id(command.id, "a command");
  if ((command.run == nullptr) == (command.run_with == nullptr))
    refuse(command.run == nullptr ? "there is no function that runs it"
                                  : "there are two functions that run it",
           "command '" + std::string(command.id) + "'");
}

void check_card(const TableCard& table) {
  const std::string where = "table '" + text::printable(table.id) + "'";
  const std::size_t slash = table.id.find('/');
  if (slash == std::string_view::npos)
    refuse("its id does not name a paper", where, "write it as PAPER/TABLE: game-theory/table-5");
  check_id(table.id.substr(0, slash), "the paper of " + where);
  check_id(table.id.substr(slash + 1), where);
  check_id(table.game, "the game of " + where);
  if (table.in_report && table.id.substr(0, slash) != table.game)
    refuse("it is its game's own, but does not bear its name", where,
           "write its id as " + std::string(table.game) + "/TABLE");
  if (!table.also.empty()) check_id(table.also, "the second game of " + where);
  if (table.make == nullptr) refuse("there is no function that makes it", where);
}

}  // namespace agon::plugin
