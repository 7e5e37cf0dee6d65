#include "remote/card_json.hpp"

#include <agon/json_writer.hpp>
#include <array>
#include <cmath>
#include <limits>

#include "describe/description.hpp"
#include "plugin/catalogue.hpp"
#include "remote/message.hpp"

namespace agon::remote {
namespace {

constexpr std::array<std::string_view, 3> kAudiences{"everybody", "one-seat", "record"};
constexpr std::array<std::string_view, 6> kPurposes{"act",    "plan",  "replan",
                                                    "belief", "learn", "other"};

/// Which of `names` the text is.
template <std::size_t N>
std::size_t number_of(const JsonNode& node, const std::array<std::string_view, N>& names) {
  const std::string_view text = node.text();
  std::string known;
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return i;
    known += (i == 0 ? "" : i + 1 == N ? " or " : ", ") + std::string(names[i]);
  }
  node.fail("'" + std::string(text) + "' is not known here", "say " + known);
}

class CardWriter {
 public:
  std::string write(const Game& game) {
    const GameCard& card = game.card;
    out_.open_object().name("id").text(game.id);
    text("title", card.title);
    out_.name("seats").open_object().name("min").number(card.seats.min);
    out_.name("max").number(card.seats.max).close_object();
    text("rules", card.rules);
    text("source", card.source);
    text("score", card.score);
    text("disagreement", card.disagreement);
    text("ideal", card.ideal);
    if (std::isfinite(card.score_range.min) || std::isfinite(card.score_range.max))
      out_.name("score_range")
          .open_list()
          .number(card.score_range.min)
          .number(card.score_range.max)
          .close_list();
    type("settings", game.settings);
    type("seat_metrics", card.seat_metrics);
    type("match_metrics", card.match_metrics);
    type("facts", card.facts);
    presets(card.presets);
    text("cluster", card.cluster);
    text("stake", card.stake);
    if (card.score_decimals != 0) out_.name("score_decimals").number(card.score_decimals);
    if (card.version != 1) out_.name("version").number(card.version);
    rates(card.rates);
    text("reference", card.reference);
    functions(card);
    texts("sentences", card.sentences);
    stages(game.stages);
    events(game.events);
    return out_.close_object().take();
  }

  std::string write(const AgentCard& agent) {
    out_.open_object().name("id").text(agent.id);
    text("game", agent.game);
    text("doc", agent.doc);
    text("source", agent.source);
    texts("roles", agent.roles);
    type("params", agent.params);
    if (agent.check) out_.name("functions").open_list().text("check").close_list();
    return out_.close_object().take();
  }

 private:
  void text(std::string_view name, std::string_view text) {
    if (!text.empty()) out_.name(name).text(text);
  }
  void texts(std::string_view name, std::span<const std::string_view> texts) {
    if (texts.empty()) return;
    out_.name(name).open_list();
    for (const std::string_view text : texts) out_.text(text);
    out_.close_list();
  }
  void type(std::string_view name, const Type* type) {
    if (type != nullptr) out_.name(name).json(write_description(*type));
  }
  void flag(std::string_view name, bool truth) {
    if (truth) out_.name(name).truth(true);
  }

  void presets(std::span<const Preset> presets) {
    if (presets.empty()) return;
    out_.name("presets").open_list();
    for (const Preset& preset : presets) {
      out_.open_object().name("name").text(preset.name);
      text("doc", preset.doc);
      out_.name("settings").json(JsonDocument(std::string(preset.settings), "").root().write());
      out_.name("reasks").number(preset.reasks).close_object();
    }
    out_.close_list();
  }

  void rates(std::span<const RateCard> rates) {
    if (rates.empty()) return;
    out_.name("rates").open_list();
    for (const RateCard& rate : rates) {
      out_.open_object().name("name").text(rate.name).name("above").text(rate.above);
      text("below", rate.below);
      text("what", rate.what);
      text("source", rate.source);
      out_.close_object();
    }
    out_.close_list();
  }

  void functions(const GameCard& card) {
    out_.name("functions").open_list();
    if (card.rules_for) out_.text("rules");
    if (card.seating) out_.text("seating");
    if (card.check) out_.text("check");
    if (card.facts_for) out_.text("facts");
    if (card.persona_for) out_.text("persona");
    out_.close_list();
  }

  void stages(std::span<const StageCard> stages) {
    out_.name("stages").open_list();
    for (const StageCard& stage : stages) {
      out_.open_object().name("name").text(stage.name);
      text("doc", stage.doc);
      text("who", stage.who);
      flag("probe", stage.probe);
      if (stage.purpose != Purpose::act)
        out_.name("purpose").text(kPurposes.at(static_cast<std::size_t>(stage.purpose)));
      type("answer", stage.answer);
      type("view", stage.view);
      flag("told", static_cast<bool>(stage.telling));
      flag("ends", static_cast<bool>(stage.ends));
      out_.close_object();
    }
    out_.close_list();
  }

  void events(std::span<const EventCard> events) {
    out_.name("events").open_list();
    for (const EventCard& event : events) {
      out_.open_object().name("name").text(event.name);
      text("doc", event.doc);
      out_.name("audience").text(kAudiences.at(static_cast<std::size_t>(event.audience)));
      type("type", event.type);
      flag("told", static_cast<bool>(event.telling));
      out_.close_object();
    }
    out_.close_list();
  }

  JsonWriter out_;
};

std::string_view text_of(const JsonNode& node, std::string_view name, CardStorage& storage) {
  const auto found = node.find(name);
  if (!found) return {};
  if (found->text().size() > kLongestText)
    found->fail("the text is longer than 1 MiB", "shorten it");
  return storage.keep(found->text());
}

std::vector<std::string_view> texts_of(const JsonNode& node, std::string_view name,
                                       CardStorage& storage) {
  std::vector<std::string_view> texts;
  if (const auto list = node.find(name))
    for (std::size_t i = 0; i < length_of(*list); ++i)
      texts.push_back(storage.keep((*list)[i].text()));
  return texts;
}

bool is_true(const JsonNode& node, std::string_view name) {
  const auto found = node.find(name);
  return found && found->truth();
}

/// A described struct; null where none is said.
const Type* type_of_member(const JsonNode& node, std::string_view name, CardStorage& storage) {
  const auto found = node.find(name);
  return !found || found->kind() == JsonNode::Kind::null ? nullptr : &storage.type(*found);
}

int small(const JsonNode& node, std::int64_t lowest, std::int64_t highest = 1'000'000) {
  return static_cast<int>(node.whole(lowest, highest));
}

double bound_of(const JsonNode& node, double none) {
  return node.kind() == JsonNode::Kind::null ? none : node.number();
}

}  // namespace

std::string write_card(const Game& game) {
  return CardWriter().write(game);
}

std::string write_card(const AgentCard& agent) {
  return CardWriter().write(agent);
}

std::size_t length_of(const JsonNode& list) {
  constexpr std::size_t kMost = 1000;
  if (list.size() > kMost)
    list.fail("it has " + std::to_string(list.size()) + " elements", "1000 are the most");
  return list.size();
}

std::string_view CardStorage::keep(std::string_view text) {
  return texts_.emplace_back(text);
}

const Type& CardStorage::type(const JsonNode& description) {
  const std::string json = description.write();
  auto found = types_.find(json);
  if (found == types_.end()) {
    try {
      found = types_.emplace(json, read_description(json, "")).first;
    } catch (const Error& error) {
      description.fail("the description is wrong: " + error.where() + ": " + error.problem(),
                       error.hint());
    }
  }
  return found->second.get();
}

RemoteCard::RemoteCard(const JsonNode& node) {
  node.allow_only({"id",           "title",         "seats",  "rules",         "source",
                   "score",        "disagreement",  "ideal",  "score_range",   "settings",
                   "seat_metrics", "match_metrics", "facts",  "presets",       "cluster",
                   "stake",        "version",       "rates",  "reference",     "functions",
                   "sentences",    "stages",        "events", "score_decimals"});
  GameCard& card = game.card;
  game.id = storage_.keep(node["id"].text());
  card.title = text_of(node, "title", storage_);
  const JsonNode seats = node["seats"];
  seats.allow_only({"min", "max"});
  card.seats = {small(seats["min"], 0), small(seats["max"], 0)};
  card.rules = text_of(node, "rules", storage_);
  card.source = text_of(node, "source", storage_);
  card.score = text_of(node, "score", storage_);
  card.disagreement = text_of(node, "disagreement", storage_);
  card.ideal = text_of(node, "ideal", storage_);
  if (const auto range = node.find("score_range")) {
    if (range->size() != 2)
      range->fail("the range of the score has no two bounds", "write [lowest, highest]");
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    card.score_range = {bound_of((*range)[0], -kInfinity), bound_of((*range)[1], kInfinity)};
  }
  game.settings = &storage_.type(node["settings"]);
  card.seat_metrics = type_of_member(node, "seat_metrics", storage_);
  card.match_metrics = type_of_member(node, "match_metrics", storage_);
  card.facts = type_of_member(node, "facts", storage_);
  if (const auto presets = node.find("presets"))
    for (std::size_t i = 0; i < length_of(*presets); ++i) read_preset((*presets)[i]);
  card.presets = presets_;
  card.cluster = text_of(node, "cluster", storage_);
  card.stake = text_of(node, "stake", storage_);
  if (const auto decimals = node.find("score_decimals"))
    card.score_decimals = small(*decimals, 0, 2);
  if (const auto version = node.find("version")) card.version = small(*version, 1);
  if (const auto rates = node.find("rates"))
    for (std::size_t i = 0; i < length_of(*rates); ++i) read_rate((*rates)[i]);
  card.rates = rates_;
  card.reference = text_of(node, "reference", storage_);
  if (const auto functions = node.find("functions")) read_functions(*functions);
  sentences_ = texts_of(node, "sentences", storage_);
  card.sentences = sentences_;
  const JsonNode asked = node["stages"];
  for (std::size_t i = 0; i < length_of(asked); ++i) read_stage(asked[i]);
  if (const auto said = node.find("events"))
    for (std::size_t i = 0; i < length_of(*said); ++i) read_event((*said)[i]);
  game.stages = stages;
  game.events = events;
}

void RemoteCard::read_preset(const JsonNode& node) {
  node.allow_only({"name", "doc", "settings", "reasks"});
  Preset& preset = presets_.emplace_back();
  preset.name = storage_.keep(node["name"].text());
  preset.doc = text_of(node, "doc", storage_);
  if (const auto settings = node.find("settings"))
    preset.settings = storage_.keep(settings->write());
  if (const auto reasks = node.find("reasks")) preset.reasks = small(*reasks, 0);
}

void RemoteCard::read_rate(const JsonNode& node) {
  node.allow_only({"name", "above", "below", "what", "source"});
  rates_.push_back({storage_.keep(node["name"].text()), text_of(node, "above", storage_),
                    text_of(node, "below", storage_), text_of(node, "what", storage_),
                    text_of(node, "source", storage_)});
}

void RemoteCard::read_functions(const JsonNode& node) {
  constexpr std::array<std::string_view, 5> kFunctions{"rules", "seating", "check", "facts",
                                                       "persona"};
  std::array<bool, kFunctions.size()> has{};
  for (std::size_t i = 0; i < node.size(); ++i) has.at(number_of(node[i], kFunctions)) = true;
  has_rules = has[0];
  has_seating = has[1];
  has_check = has[2];
  has_persona = has[4];
  if (has[3] != (game.card.facts != nullptr))
    node.fail("the card has one of the description of facts and the function that makes them",
              "give both or neither");
}

void RemoteCard::read_stage(const JsonNode& node) {
  node.allow_only({"name", "doc", "who", "probe", "purpose", "answer", "view", "told", "ends"});
  StageCard stage;
  stage.name = storage_.keep(node["name"].text());
  stage.doc = text_of(node, "doc", storage_);
  stage.who = text_of(node, "who", storage_);
  stage.probe = is_true(node, "probe");
  stage.purpose = stage.probe ? Purpose::other : Purpose::act;
  if (const auto purpose = node.find("purpose"))
    stage.purpose = static_cast<Purpose>(number_of(*purpose, kPurposes));
  if (stage.probe == (stage.purpose == Purpose::act))
    node.fail("the purpose of a stage is to act, that of a probe never",
              "leave the purpose out, or make a probe of it");
  stage.answer = &storage_.type(node["answer"]);
  stage.view = type_of_member(node, "view", storage_);
  stage_told.push_back(is_true(node, "told"));
  stage_ends.push_back(is_true(node, "ends"));
  if (stage_told.back() && stage.view == nullptr)
    node.fail("a stage without a view has nothing to tell", "leave 'told' out, or add a view");
  stages.push_back(stage);
}

void RemoteCard::read_event(const JsonNode& node) {
  node.allow_only({"name", "doc", "audience", "type", "told"});
  EventCard event;
  event.name = storage_.keep(node["name"].text());
  event.doc = text_of(node, "doc", storage_);
  if (const auto audience = node.find("audience"))
    event.audience = static_cast<Audience>(number_of(*audience, kAudiences));
  event.type = &storage_.type(node["type"]);
  event_told.push_back(is_true(node, "told"));
  events.push_back(event);
}

RemoteAgentCard::RemoteAgentCard(const JsonNode& node) {
  node.allow_only({"id", "game", "doc", "source", "roles", "params", "functions"});
  agent.id = storage_.keep(node["id"].text());
  agent.game = text_of(node, "game", storage_);
  agent.doc = text_of(node, "doc", storage_);
  agent.source = text_of(node, "source", storage_);
  roles_ = texts_of(node, "roles", storage_);
  agent.roles = roles_;
  agent.params = &storage_.type(node["params"]);
  constexpr std::array<std::string_view, 1> kFunctions{"check"};
  if (const auto functions = node.find("functions"))
    for (std::size_t i = 0; i < functions->size(); ++i)
      has_check = number_of((*functions)[i], kFunctions) == 0;
}

namespace {

PartKind part_kind_of(const JsonNode& node) {
  std::array<std::string_view, static_cast<std::size_t>(PartKind::tools) + 1> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = name_of(static_cast<PartKind>(i));
  return static_cast<PartKind>(number_of(node, names));
}

}  // namespace

RemotePartCard::RemotePartCard(const JsonNode& node) {
  node.allow_only({"kind", "id", "game", "doc", "source", "params", "overlaps", "purposes"});
  part.kind = part_kind_of(node["kind"]);
  part.id = storage_.keep(node["id"].text());
  part.game = text_of(node, "game", storage_);
  part.doc = text_of(node, "doc", storage_);
  part.source = text_of(node, "source", storage_);
  part.params = &storage_.type(node["params"]);
  if (const auto overlaps = node.find("overlaps"))
    for (std::size_t i = 0; i < length_of(*overlaps); ++i) {
      const JsonNode other = (*overlaps)[i];
      other.allow_only({"kind", "id", "what"});
      overlaps_.push_back({part_kind_of(other["kind"]), storage_.keep(other["id"].text()),
                           text_of(other, "what", storage_)});
    }
  part.overlaps = overlaps_;
  purposes_ = texts_of(node, "purposes", storage_);
  part.purposes = purposes_;
}

}  // namespace agon::remote
