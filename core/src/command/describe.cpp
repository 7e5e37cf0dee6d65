#include "command/describe.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <functional>
#include <utility>

#include "command/analysis/analysis.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "costs/costs.hpp"
#include "describe/value.hpp"
#include "drift/questions.hpp"
#include "json/parse.hpp"
#include "report/render/render.hpp"
#include "settings/settings.hpp"
#include "suite/suite_file.hpp"
#include "text/layout.hpp"
#include "text/words.hpp"

namespace agon {

AGON_DESCRIBE_ENUM(Audience, (everybody, "all seats"), (one_seat, "nobody else", "one seat"),
                   (record, "no seat", "the record alone"))
AGON_DESCRIBE_ENUM(KeyNeed, (always, "no call without"),
                   (elsewhere, "not on loopback", "on any machine but this one"),
                   (never, "one is sent where there is one"))

}  // namespace agon

namespace agon::command {
namespace {

namespace bj = boost::json;

/// A longer list of choices stands beside the meaning, so that the columns stay narrow.
constexpr std::size_t kWidestType = 40;

std::string type_text(const Type& type) {
  switch (type.kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return type.decimals == 0 ? "whole number" : "amount";
    case Kind::number:
      return "number";
    case Kind::text:
      return type.any_json ? "JSON" : "text";
    case Kind::enumeration:
      return text::joined(type.enumerators, " | ", &Enumerator::name);
    case Kind::optional:
      return type_text(*type.element) + ", or null";
    case Kind::list:
      return "list of " + type_text(*type.element);
    case Kind::map:
      return "map from names to " + type_text(*type.element);
    case Kind::structure:
      return "object";
    case Kind::variant:
      return text::joined(type.alternatives, " | ",
                          [&](const Type* a) { return type.forms ? type_text(*a) : kind_of(*a); });
  }
  return "?";
}

/// What is written as a member: one that is left out where it holds nothing is never null.
const Type& written_type(const Field& f) {
  return f.left_out && f.type->kind == Kind::optional ? *f.type->element : *f.type;
}

/// What the limits of a member are about: the type itself, or that of its elements.
const Type& leaf_of(const Field& f) {
  const Type* leaf = f.type;
  while (leaf->element != nullptr) leaf = leaf->element;
  return *leaf;
}

template <class Bound>
std::string range_text(double min, double max, const Bound& bound) {
  const bool low = std::isfinite(min), high = std::isfinite(max);
  if (low && high) return bound(min) + " to " + bound(max);
  if (low) return "at least " + bound(min);
  if (high) return "at most " + bound(max);
  return "";
}

std::string range_text(const Field& f) {
  const Type* leaf = &leaf_of(f);
  return range_text(f.min, f.max, [&](double v) {
    return leaf->decimals != 0 ? integer_text(*leaf, static_cast<std::int64_t>(v)) : number_text(v);
  });
}

std::string_view better_text(Better better) {
  return better == Better::higher ? "higher" : better == Better::lower ? "lower" : "";
}

/// False if a member of a list's elements cannot be left out: what it then has is out of its range.
bool may_be_left_out(const Field& f, const std::string& written) {
  if (f.type->kind == Kind::text || f.type->kind == Kind::list || f.type->kind == Kind::map)
    return f.min_length == 0 || (written != "\"\"" && written != "[]" && written != "{}");
  if (f.type->kind != Kind::integer && f.type->kind != Kind::number) return true;
  const double v = std::stod(written) * std::pow(10, f.type->decimals);
  return v >= f.min && v <= f.max;
}

/// What a list, a map or an optional holds, in one of its forms, if that is objects with defaults.
const Type* objects_in(const Field& f) {
  const Type* in = f.type;
  while (in->kind == Kind::list || in->kind == Kind::map || in->kind == Kind::optional)
    in = in->element;
  if (in == f.type) return nullptr;
  if (in->kind == Kind::variant && in->forms)
    for (const Type* form : in->alternatives)
      if (form->kind == Kind::structure) in = form;
  return in->kind == Kind::structure && in->can_construct() ? in : nullptr;
}

/// How the members of what a member holds are named: "residents[].", "models.NAME.", "design.".
std::string inside(const Field& f) {
  std::string name(f.name);
  for (const Type* in = f.type; in->element != nullptr; in = in->element)
    name += in->kind == Kind::list ? "[]" : in->kind == Kind::map ? ".NAME" : "";
  return name + ".";
}

/// One row a member, nested structs below their member.
void member_rows(text::TextTable& table, const Type& type, const void* defaults,
                 const std::string& prefix, bool with_defaults, bool in_list = false) {
  for (const Field& f : type.fields) {
    const void* at = defaults == nullptr ? nullptr : f.at(const_cast<void*>(defaults));
    const bool nested = f.type->kind == Kind::structure;
    std::string type_is = type_text(written_type(f)), more;
    if (type_is.size() > kWidestType) more = ": " + std::exchange(type_is, "one of several");
    std::vector<std::string> row{prefix + std::string(f.name), type_is};
    if (with_defaults) {
      std::string written = nested || at == nullptr || f.left_out ? "" : write_json(*f.type, at);
      if (in_list && !written.empty() && !may_be_left_out(f, written)) written = "required";
      row.push_back(std::move(written));
    }
    row.push_back(range_text(f));
    row.emplace_back(f.unit);
    if (!with_defaults) row.emplace_back(better_text(f.better));
    std::string doc = std::string(f.doc) + more;
    if (f.operational) doc += " (may change between runs)";
    if (!f.source.empty()) doc += " [" + std::string(f.source) + "]";
    row.push_back(doc);
    table.add(row);
    if (nested)
      member_rows(table, *f.type, at, prefix + std::string(f.name) + ".", with_defaults, in_list);
    if (const Type* element = objects_in(f)) {
      const Value fresh(*element);
      member_rows(table, *element, fresh.get(), prefix + inside(f), with_defaults, true);
    }
  }
}

std::string settings_table(const Type& type, const void* defaults, const std::string& prefix = {},
                           bool whole = false) {
  text::TextTable table(
      {{"name"}, {"type"}, {"default", text::Align::left, 30}, {"range"}, {"unit"}, {"meaning"}});
  member_rows(table, type, defaults, prefix, true, whole);
  return table.str(2);
}

std::string metrics_table(const Type& type) {
  text::TextTable table({{"name"}, {"type"}, {"range"}, {"unit"}, {"better"}, {"meaning"}});
  member_rows(table, type, nullptr, "", false);
  return table.str(2);
}

bj::array members_json(const Type& type, const void* defaults, bool in_list = false) {
  bj::array members;
  for (const Field& f : type.fields) {
    bj::object m{{"name", bj::string(f.name)},
                 {"type", type_text(written_type(f))},
                 {"doc", bj::string(f.doc)}};
    if (!f.unit.empty()) m["unit"] = bj::string(f.unit);
    if (!f.source.empty()) m["source"] = bj::string(f.source);
    if (f.operational) m["operational"] = true;
    if (!f.data.empty()) m["data_file"] = bj::string(f.data);
    // Amounts are kept in hundredths; here they are in the unit of their default.
    const double scale = std::pow(10, leaf_of(f).decimals);
    if (std::isfinite(f.min)) m["min"] = f.min / scale;
    if (std::isfinite(f.max)) m["max"] = f.max / scale;
    if (f.better != Better::neither) m["better"] = bj::string(better_text(f.better));
    const void* at = defaults == nullptr ? nullptr : f.at(const_cast<void*>(defaults));
    if (at != nullptr && !f.left_out) {
      const std::string written = write_json(*f.type, at);
      if (in_list && !may_be_left_out(f, written))
        m["required"] = true;
      else
        m["default"] = json::parse(written, "default");
    }
    if (f.type->kind == Kind::structure) {
      m["members"] = members_json(*f.type, at, in_list);
    } else if (const Type* element = objects_in(f); element != nullptr && defaults != nullptr) {
      const Value fresh(*element);
      m["members"] = members_json(*element, fresh.get(), true);
    }
    members.push_back(std::move(m));
  }
  return members;
}

bj::object game_json(const Catalogue& catalogue, const Game& game, const Settings& s,
                     const void* defaults) {
  const GameCard& card = game.card;
  bj::object o{{"game", bj::string(game.id)},
               {"title", bj::string(card.title)},
               {"version", card.version},
               {"source", bj::string(card.source)},
               {"seats", bj::array{card.seats.min, card.seats.max}},
               {"rules", s.rules()},
               {"score", bj::string(card.score)},
               {"disagreement", bj::string(card.disagreement)},
               {"ideal", bj::string(card.ideal)}};
  bj::array seating, stages, events, presets, agents;
  for (const SeatCard& seat : s.seating())
    seating.push_back(bj::object{{"name", seat.name}, {"role", seat.role}});
  for (const StageCard& stage : game.stages) {
    bj::object row{{"name", bj::string(stage.name)},
                   {"doc", bj::string(stage.doc)},
                   {"probe", stage.probe},
                   {"who", bj::string(stage.who)},
                   {"answer_schema", json::parse(schema_json(*stage.answer), "schema")}};
    if (stage.view != nullptr) row["view_schema"] = json::parse(schema_json(*stage.view), "schema");
    stages.push_back(std::move(row));
  }
  for (const EventCard& event : game.events)
    events.push_back(bj::object{{"name", bj::string(event.name)},
                                {"doc", bj::string(event.doc)},
                                {"told", bj::string(name_of(event.audience))},
                                {"schema", json::parse(schema_json(*event.type), "schema")}});
  for (const Preset& p : card.presets)
    presets.push_back(bj::object{{"name", bj::string(p.name)},
                                 {"doc", bj::string(p.doc)},
                                 {"reasks", p.reasks},
                                 {"settings", json::parse(p.settings, "preset")}});
  for (const AgentCard* a : catalogue.agents_of(game.id)) agents.push_back(bj::string(a->id));
  o["seating"] = std::move(seating);
  o["stages"] = std::move(stages);
  o["events"] = std::move(events);
  o["presets"] = std::move(presets);
  o["settings"] = members_json(*game.settings, defaults);
  if (!card.reference.empty()) o["reference"] = bj::string(card.reference);
  if (!card.stake.empty()) o["stake"] = bj::string(card.stake);
  if (std::isfinite(card.score_range.min)) o["score_min"] = card.score_range.min;
  if (std::isfinite(card.score_range.max)) o["score_max"] = card.score_range.max;
  if (card.seat_metrics != nullptr) o["seat_metrics"] = members_json(*card.seat_metrics, nullptr);
  if (card.match_metrics != nullptr)
    o["match_metrics"] = members_json(*card.match_metrics, nullptr);
  o["agents"] = std::move(agents);
  return o;
}

void print_stage(const StageCard& stage) {
  print_line("  " + printable(stage.name) + (stage.probe ? " (probe: no effect on play)" : "") +
             (stage.who.empty() ? "" : ", asked of " + printable(stage.who)));
  print(paragraph(stage.doc, 4));
  if (stage.view != nullptr) {
    print_line("    sees");
    text::TextTable sees({{""}, {""}, {""}});
    for (const Field& f : stage.view->fields)
      sees.add({std::string(f.name), std::string(f.unit), std::string(f.doc)});
    print(sees.str(6));
  }
  print_line("    answers");
  const std::string outline = Form(*stage.answer).outline();
  std::string indented;
  for (std::size_t at = 0; at < outline.size();) {
    const std::size_t end = std::min(outline.find('\n', at), outline.size());
    indented += "      " + outline.substr(at, end - at) + "\n";
    at = end + 1;
  }
  print(indented);
}

/// The score, what it is measured by, and the metrics beside it.
void print_score(const GameCard& card) {
  print_line("\n" + heading("Score"));
  print(paragraph("score: " + std::string(card.score), 2));
  print(paragraph(
      "disagreement point, 0 of the normalised score: " + std::string(card.disagreement), 2));
  print(paragraph("ideal, 1 of the normalised score: " + std::string(card.ideal), 2));
  if (!card.stake.empty())
    print(paragraph("scores of matches are added up as shares of: " + std::string(card.stake), 2));
  if (const std::string range =
          range_text(card.score_range.min, card.score_range.max, &number_text);
      !range.empty())
    print(paragraph("the normalised score is " + range, 2));
  if (!card.reference.empty())
    print(paragraph("whom to measure others against: " + std::string(card.reference), 2));
  if (card.seat_metrics != nullptr) {
    print_line("\n" + heading("Metrics of a seat"));
    print(metrics_table(*card.seat_metrics));
  }
  if (card.match_metrics != nullptr) {
    print_line("\n" + heading("Metrics of a match"));
    print(metrics_table(*card.match_metrics));
  }
}

void describe_game(Invocation& call, const Game& game) {
  if (call.has("skin")) return describe_skin(call, game);
  const GameCard& card = game.card;
  const Settings s = Settings::read(game, "", {}, "defaults", {"", data_folders()});
  const Value defaults(*game.settings);
  if (call.json()) {
    print_json(game_json(call.catalogue(), game, s, defaults.get()));
    return;
  }
  print_line(heading(std::string(game.id) + ": " + printable(card.title)) + " (version " +
             std::to_string(card.version) + ")");
  if (!card.source.empty()) print(paragraph("From " + std::string(card.source), 2));
  print_line("\n" + heading("Rules, as players are told them with the default settings"));
  print(paragraph(s.rules(), 2));
  print_line("\n" + heading("Seats"));
  text::TextTable seats({{"seat"}, {"name"}, {"role"}});
  for (std::size_t i = 0; i < s.seating().size(); ++i)
    seats.add({std::to_string(i), s.seating()[i].name,
               s.seating()[i].role.empty() ? "any" : s.seating()[i].role});
  print(seats.str(2));
  if (!game.stages.empty()) print_line("\n" + heading("Stages: what seats are asked"));
  for (const StageCard& stage : game.stages) print_stage(stage);
  if (!game.events.empty()) {
    print_line("\n" + heading("Events: what seats are told, and what is kept"));
    text::TextTable events({{""}, {""}, {""}});
    for (const EventCard& event : game.events)
      events.add(
          {std::string(event.name), std::string(name_of(event.audience)), std::string(event.doc)});
    print(events.str(2));
  }
  print_line("\n" + heading("Settings"));
  print(settings_table(*game.settings, defaults.get()));
  if (!card.presets.empty()) {
    print_line("\n" + heading("Presets"));
    for (const Preset& p : card.presets) {
      print_line("  " + std::string(p.name) + ", asks again at most " + std::to_string(p.reasks) +
                 " times");
      print(paragraph(p.doc, 4));
      if (p.settings != "{}") print(paragraph(std::string(p.settings), 4));
    }
  }
  print_score(card);
  print_line("\n" + heading("Agents that play it"));
  text::TextTable agents({{"agent"}, {"roles"}, {"what it does"}});
  for (const AgentCard* a : call.catalogue().agents_of(game.id))
    agents.add({std::string(a->id), a->roles.empty() ? "all" : text::joined(a->roles),
                std::string(a->doc)});
  print(agents.str(2));
}

std::string title(const AgentCard& card) {
  return card.game.empty() ? ", plays any game" : ", plays " + std::string(card.game);
}
std::string title(const PartCard& card) {
  return ", a part of model agents: " + std::string(name_of(card.kind)) +
         (card.game.empty() ? "" : ", for " + std::string(card.game));
}
bj::object named(const AgentCard& card) {
  return {{"agent", bj::string(card.id)}};
}
bj::object named(const PartCard& card) {
  return {{"part", bj::string(card.id)}, {"kind", bj::string(name_of(card.kind))}};
}

bj::array overlaps_json(const PartCard& card) {
  bj::array all;
  for (const PartOverlap& o : card.overlaps)
    all.push_back(bj::object{{"kind", bj::string(name_of(o.kind))},
                             {"part", bj::string(o.id)},
                             {"what", bj::string(o.what)}});
  return all;
}

/// Agents, or parts of them, of one name.
template <class Card>
void describe_cards(Invocation& call, const std::vector<const Card*>& cards) {
  bj::array all;
  for (const Card* card : cards) {
    const Value defaults(*card->params);
    std::vector<std::string_view> roles;
    if constexpr (std::is_same_v<Card, AgentCard>)
      roles.assign(card->roles.begin(), card->roles.end());
    if (call.json()) {
      bj::object row = named(*card);
      row["game"] = bj::string(card->game);
      row["doc"] = bj::string(card->doc);
      row["source"] = bj::string(card->source);
      if constexpr (std::is_same_v<Card, AgentCard>) {
        row["roles"] = bj::array(roles.begin(), roles.end());
      } else {
        row["overlaps"] = overlaps_json(*card);
        row["purposes"] = bj::array(card->purposes.begin(), card->purposes.end());
      }
      row["params"] = members_json(*card->params, defaults.get());
      all.push_back(std::move(row));
      continue;
    }
    print_line(heading(std::string(card->id)) + title(*card));
    print(paragraph(card->doc, 2));
    if (!card->source.empty()) print(paragraph("From " + std::string(card->source), 2));
    if (!roles.empty()) print_line("  Roles: " + printable(text::joined(roles)));
    if constexpr (std::is_same_v<Card, PartCard>)
      if (!card->purposes.empty())
        print(paragraph("Another model may answer its calls for " +
                            text::joined(card->purposes, ", ") + " (the agent's \"models\").",
                        2));
    if constexpr (std::is_same_v<Card, PartCard>)
      for (const PartOverlap& o : card->overlaps)
        print(paragraph("Not to be told apart from " + std::string(name_of(o.kind)) + " " +
                            std::string(o.id) + " beside it: " + std::string(o.what) + ".",
                        2));
    if (card->params->fields.empty()) {
      print_line("  It has no parameters.");
    } else {
      print_line("\n" + heading("Parameters"));
      print(settings_table(*card->params, defaults.get()));
    }
  }
  if (call.json()) print_json(std::move(all));
}

std::vector<FileCard> files(const Catalogue& catalogue) {
  std::vector<FileCard> all{
      {"suite", "A benchmark in one file: agents, scenarios, and a design that says who meets whom",
       &type_of<suite_file::SuiteDocument>(), "", [&] { return suite_schema(catalogue); }},
      {"scenario",
       "One of the scenarios of a suite",
       &type_of<suite_file::ScenarioEntry>(),
       "",
       {}},
      {"prices", "What models cost, for caps and reports", &type_of<prices_file::Prices>(), "",
       &prices_schema},
      {"drift", "The questions of a drift check", &type_of<drift::questions_file::Questions>(), "",
       &drift::questions_schema},
      {"agent",
       "An agent of a suite by rule; { \"AGENT\": {parameters} } may have factors and labels",
       &type_of<suite_file::AgentEntry>(),
       "",
       {}},
  };
  for (FileCard& file : judging_files()) all.push_back(std::move(file));
  all.push_back({"report", "What 'agon report --json' prints", &type_of<report::Document>(), "",
                 &report::report_schema});
  for (const Game* game : catalogue.all<Game>())
    for (const Field& f : game->settings->fields) {
      if (f.data.empty()) continue;
      const std::string_view format = f.data.substr(0, f.data.rfind('/'));
      all.push_back({std::string(format.substr(format.find('.') + 1)),
                     "A data file of format " + std::string(format) + ", for the setting " +
                         std::string(f.name) + " of " + std::string(game->id) + ": its rows",
                     f.type->kind == Kind::list ? f.type->element : f.type, "rows[].",
                     [&f] { return data_schema(f); }});
    }
  return all;
}

void describe_file(Invocation& call, const FileCard& file) {
  if (call.has("schema")) {
    if (!file.schema)
      throw Error(ErrorKind::usage, "'" + file.name + "' has no schema of its own", "",
                  "use 'agon describe suite --schema', which includes agents and scenarios");
    print(file.schema());
    return;
  }
  const Value defaults(*file.type);
  if (call.json()) {
    print_json(bj::object{{"file", file.name},
                          {"doc", file.doc},
                          {"members", members_json(*file.type, defaults.get(), true)}});
    return;
  }
  print_line(heading(file.name));
  print(paragraph(file.doc, 2));
  print_line("");
  print(settings_table(*file.type, defaults.get(), file.prefix, true));
}

/// The settings of a model that the provider does not take.
std::string not_taken(const ProviderTakes& takes) {
  std::string names;
  const auto add = [&](bool taken, std::string_view name) {
    if (!taken) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  add(takes.temperature, "temperature");
  add(takes.top_p, "top_p");
  add(takes.seed, "seed");
  add(takes.stop, "stop");
  add(takes.reasoning_effort, "reasoning_effort");
  add(takes.schema, "the form of an answer by schema");
  return names;
}

void describe_provider(Invocation& call, const ProviderCard& card) {
  const std::string variables = text::joined(card.url_variables, ", else ");
  const std::string lacks = not_taken(card.takes);
  if (call.json()) {
    print_json(bj::object{{"provider", bj::string(card.id)},
                          {"doc", bj::string(card.doc)},
                          {"url", bj::string(card.base_url)},
                          {"url_variables", variables},
                          {"key", bj::string(card.key_variable)},
                          {"key_needed", name_of(card.needs_key)},
                          {"takes_no", lacks}});
    return;
  }
  print_line(heading(std::string(card.id)) + ", a provider of models");
  print(paragraph(card.doc, 2));
  text::TextTable table({{""}, {""}});
  if (!card.base_url.empty()) table.add({"URL", std::string(card.base_url)});
  if (!variables.empty()) table.add({"another URL from", variables});
  if (!card.key_variable.empty()) {
    table.add({"key from", std::string(card.key_variable) +
                               (card.other_key_variable.empty() ? "" : ", else ") +
                               std::string(card.other_key_variable)});
    table.add({"a key is needed", std::string(name_of(card.needs_key))});
  }
  if (!lacks.empty()) table.add({"takes no", lacks});
  print(table.str(2));
}

int describe(Invocation& call) {
  const std::string name = call.argument("NAME");
  if (game_file(name, "")) {
    describe_game(call, call.game(name));
    return 0;
  }
  const Catalogue& catalogue = call.catalogue();
  std::vector<std::string> known;
  for (const FileCard& file : files(catalogue)) {
    known.push_back(file.name);
    if (file.name != name) continue;
    describe_file(call, file);
    return 0;
  }
  refuse_left_out(name);
  if (call.has("schema"))
    throw Error(ErrorKind::usage,
                "unknown file format '" + name + "'; --schema requires a file format", "",
                text::suggestion(name, known, "see 'agon describe --help'"));
  if (catalogue.find<Game>(name)) {
    describe_game(call, catalogue.game(name));
    return 0;
  }
  std::vector<const AgentCard*> cards;
  for (const Game* g : catalogue.all<Game>()) known.emplace_back(g->id);
  for (const AgentCard* a : catalogue.all<AgentCard>()) {
    known.emplace_back(a->id);
    if (a->id == name) cards.push_back(a);
  }
  if (!cards.empty()) {
    describe_cards(call, cards);
    return 0;
  }
  // Several kinds may have a part of one name; `kind.name` picks one of them.
  std::vector<const PartCard*> parts;
  for (const PartCard* p : catalogue.all<PartCard>()) {
    known.emplace_back(p->id);
    if (p->id == name || std::string(name_of(p->kind)) + "." + std::string(p->id) == name)
      parts.push_back(p);
  }
  for (const ProviderCard* p : catalogue.all<ProviderCard>()) {
    known.emplace_back(p->id);
    if (parts.empty() && p->id == name) {
      describe_provider(call, *p);
      return 0;
    }
  }
  if (parts.empty())
    throw Error(ErrorKind::not_found, "unknown game, agent, part, provider or file '" + name + "'",
                "", text::suggestion(name, known, "see 'agon list'"));
  describe_cards(call, parts);
  return 0;
}

}  // namespace

std::string paragraph(std::string_view text, std::size_t indent) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += end == at
               ? "\n"
               : text::paragraph(text.substr(at, end - at), {.indent = indent, .columns = 98});
    at = end + 1;
  }
  return out;
}

std::vector<std::pair<std::string, std::string>> described_files(const Catalogue& catalogue) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const FileCard& file : files(catalogue)) all.emplace_back(file.name, file.doc);
  return all;
}

Command describe_command() {
  Command c{
      {"describe",
       "show the rules, settings and options of a game, agent or format",
       "",
       {{"NAME",
         "game, agent, part or provider (see 'agon list'); file of a game (./my-game.py); or file "
         "format: suite, scenario, agent, prices, drift, judging-form, judging-key, GAME.DATA",
         true, "GAME|AGENT|PART|PROVIDER|DOCUMENT"}}},
      &describe};
  c.synopsis.options.add_options()("schema", "print the JSON Schema of a file format, for editors")(
      "skin", boost::program_options::value<std::string>()->value_name("NAME"),
      "the rules of a game in the words of a skin: its name, generated-SEED, or a file");
  return c;
}

}  // namespace agon::command
