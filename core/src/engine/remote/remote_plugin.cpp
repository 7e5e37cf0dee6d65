#include "remote/remote_plugin.hpp"

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "describe/description.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/write.hpp"
#include "remote/card_json.hpp"
#include "remote/channel.hpp"
#include "remote/message.hpp"
#include "remote/remote_match.hpp"
#include "remote/remote_part.hpp"
#include "remote/remote_provider.hpp"
#include "table/contract.hpp"
#include "table/match_state.hpp"
#include "table/untyped_table.hpp"
#include "text/hash.hpp"
#include "text/utf8.hpp"

namespace agon::remote {

/// A game of another process as one of this: what its card's functions do is asked of a process of
/// the pool.
class RemoteGame {
 public:
  /// `pool` must outlive this. Throws Error (invalid) that says where the card is wrong.
  RemoteGame(const JsonNode& card, Pool& pool);
  RemoteGame(const RemoteGame&) = delete;
  RemoteGame& operator=(const RemoteGame&) = delete;

  [[nodiscard]] const Game& game() const { return card_.game; }

 private:
  /// What a telling of a stage or an event works on.
  struct TellingTarget {
    const RemoteGame* of;
    std::size_t number;
  };

  void bind_card();
  void bind_stages();
  void bind_events();
  [[nodiscard]] Outcome play(AnyTable& table, const void* settings, const void* prepared) const;
  [[nodiscard]] std::vector<SeatCard> seating(const void* settings) const;
  /// The answer to a request as it was given before, or a new one. `rest`: further members.
  [[nodiscard]] std::string kept_reply(std::string_view what, const void* settings,
                                       const std::string& rest = {},
                                       const Language& language = Language::english()) const;
  /// The answer to a request: a text, or JSON where it is another value. Throws Error (failure).
  [[nodiscard]] std::string reply(std::string_view what, const std::string& settings,
                                  const std::string& rest,
                                  const Language& language = Language::english()) const;
  [[nodiscard]] std::string read_reply(std::string_view what, const Message& reply) const;
  [[nodiscard]] std::string told(std::string_view what, const std::string& of,
                                 const Scene& scene) const;

  RemoteCard card_;
  Pool& pool_;
  std::vector<TellingTarget> stages_, events_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, std::string> replies_;  ///< by request
};

/// An agent of a plugin that is kept apart, as one of this process: at tables of its own plugin's
/// games it answers where the game is, at others it is asked in a process of the pool.
class RemoteAgent {
 public:
  /// `pool` must outlive this. Throws Error (invalid) that says where the card is wrong.
  RemoteAgent(const JsonNode& card, Pool& pool);
  /// For an agent of one game that the same plugin brings: it is asked whether it can play with
  /// settings, which are of that type.
  void play(const Type& type);
  RemoteAgent(const RemoteAgent&) = delete;
  RemoteAgent& operator=(const RemoteAgent&) = delete;

  [[nodiscard]] const AgentCard& agent() const { return card_.agent; }

 private:
  [[nodiscard]] std::unique_ptr<Agent> make(const void* params,
                                            const AgentServices& services) const;
  [[nodiscard]] std::string why_not(const void* settings) const;

  RemoteAgentCard card_;
  Pool& pool_;
  const Type* settings_ = nullptr;
};

/// One character for each byte of text that need not be UTF-8.
std::string as_characters(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) text += static_cast<char>(0xC0U | byte >> 6U);
    text += byte < 0x80 ? c : static_cast<char>(0x80U | (byte & 0x3FU));
  }
  return text;
}

/// What an importer makes of its files, in a process of the pool.
Imported import_in(Pool& pool, const std::string& id, std::span<const InputFile> files) {
  JsonWriter list;
  list.open_list();
  for (const InputFile& file : files) {
    list.open_object().name("name").text(as_characters(file.name));
    list.name("bytes").text(as_characters(file.bytes)).close_object();
  }
  ProcessRequest request{
      .what = "import",
      .members = member("importer", write_json(id)) + member("files", list.close_list().take()),
      .where = "importer '" + id + "'",
      .who = "the importer"};
  if (pool.launch().stop != nullptr) request.stop = [&] { return pool.launch().stop->load(); };
  Imported imported = pool.ask(request, [&](const Message& reply) {
    Imported made;
    const Type& type = type_of<Imported>();
    auto problem = read_value(type, &made, reply.need("value"), Missing::keeps);
    if (!problem) problem = find_problem(type, &made);
    for (std::size_t i = 0; i < made.scenarios.size() && !problem; ++i)
      if (!made.scenarios[i].settings.text.starts_with('{'))
        problem = Problem{"$.scenarios[" + std::to_string(i) + "].settings", "must be an object"};
    const auto scenarios = static_cast<std::int64_t>(made.scenarios.size());
    for (std::size_t i = 0; i < made.matches.size() && !problem; ++i)
      if (made.matches[i].scenario >= scenarios)
        problem =
            Problem{"$.matches[" + std::to_string(i) + "].scenario",
                    "must be below " + std::to_string(scenarios) + ", the number of scenarios"};
    if (problem)
      throw Error(ErrorKind::failure, "what " + request.where + " returns: " + problem->what,
                  pool.launch().file + " (" + problem->path + ")",
                  "see 'Importers' in docs/game-protocol.md");
    return made;
  });
  if (const auto& why = imported.refused)
    throw Error(ErrorKind::invalid, why->problem, why->where, why->hint);
  return imported;
}

struct RemotePlugin::Impl {
  explicit Impl(Launch launch) : pool(std::move(launch)) {}

  Pool pool;
  PluginCards cards;
  std::vector<std::unique_ptr<RemoteGame>> games;
  std::vector<std::unique_ptr<RemoteAgent>> agents;
  std::vector<std::unique_ptr<RemotePart>> parts;
  std::vector<std::unique_ptr<RemoteProvider>> providers;

  static std::string name_of(const JsonNode& node) {
    std::string name = text::printable(node.text());
    if (text::width(name) > kWidestName)
      node.fail("it has more than " + std::to_string(kWidestName) + " characters", "shorten it");
    return name;
  }

  void read_importer(const JsonNode& card) {
    Importer importer;
    ImporterCard& said = importer;
    if (const auto problem = read_json(said, card.write(), Missing::keeps))
      card.fail(problem->text(), "see 'Importers' there");
    importer.read = [this, id = importer.id](std::span<const InputFile> files) {
      return import_in(pool, id, files);
    };
    cards.importers.push_back(std::move(importer));
  }

  void read_hello(const JsonNode& hello) {
    hello.allow_only({"type", "protocol", "name", "version", "language", "games", "agents",
                      "importers", "components", "providers", "left_out"});
    cards.name = name_of(hello["name"]);
    cards.version = name_of(hello["version"]);
    if (const auto said = hello.find("language")) cards.language = name_of(*said);
    if (cards.name.empty()) hello["name"].fail("the plugin has no name", "give it one");
    const JsonNode list = hello["games"];
    for (std::size_t i = 0; i < length_of(list); ++i) {
      games.push_back(std::make_unique<RemoteGame>(list[i], pool));
      cards.games.push_back(games.back()->game());
    }
    if (const auto brought = hello.find("agents"); brought && pool.launch().is_worker)
      for (std::size_t i = 0; i < length_of(*brought); ++i) {
        agents.push_back(std::make_unique<RemoteAgent>((*brought)[i], pool));
        for (const Game& game : cards.games)
          if (game.id == agents.back()->agent().game) agents.back()->play(*game.settings);
        cards.agents.push_back(agents.back()->agent());
      }
    if (const auto brought = hello.find("importers"))
      for (std::size_t i = 0; i < length_of(*brought); ++i) read_importer((*brought)[i]);
    if (const auto brought = hello.find("components"))
      for (std::size_t i = 0; i < length_of(*brought); ++i) {
        parts.push_back(std::make_unique<RemotePart>((*brought)[i], pool));
        cards.parts.push_back(parts.back()->part());
      }
    if (const auto brought = hello.find("providers"))
      for (std::size_t i = 0; i < length_of(*brought); ++i) {
        providers.push_back(std::make_unique<RemoteProvider>((*brought)[i], pool));
        cards.providers.push_back(providers.back()->served());
      }
    if (const auto rest = hello.find("left_out"); rest && pool.launch().is_worker)
      for (std::size_t i = 0; i < length_of(*rest); ++i)
        cards.left_out.push_back(name_of((*rest)[i]));
  }
};

RemotePlugin::RemotePlugin(Launch launch) : impl_(std::make_unique<Impl>(std::move(launch))) {
  const std::string& file = impl_->pool.launch().file;
  const auto refuse = [&](std::string problem, std::string hint = {}) {
    throw Error(ErrorKind::not_found, std::move(problem), file, std::move(hint));
  };
  try {
    (void)impl_->pool.take();
  } catch (const RemoteFault& fault) {
    refuse(fault.what(), fault.hint());
  } catch (const Error& error) {
    refuse(error.problem(), error.hint());
  }
  try {
    impl_->read_hello(JsonDocument(impl_->pool.hello(), "").root());
  } catch (const Error& error) {
    refuse("its hello is not as docs/game-protocol.md has it: " + error.where() + ": " +
               error.problem(),
           error.hint());
  }
}

RemotePlugin::~RemotePlugin() = default;

const PluginCards& RemotePlugin::cards() const {
  return impl_->cards;
}
const Launch& RemotePlugin::launch() const {
  return impl_->pool.launch();
}
const std::string& RemotePlugin::hello() const {
  return impl_->pool.hello();
}
std::unique_ptr<WatchedProcess> RemotePlugin::start(const std::vector<std::string>& files) const {
  return impl_->pool.start(files);
}

namespace {

namespace bj = boost::json;

/// A game has few requests of settings; a run has few settings.
constexpr std::size_t kKept = 1000;
/// What a view or an event is in words: models are told it again with each question that follows.
constexpr std::size_t kLongestTelling = std::size_t{64} << 10;

const RemoteGame& of(const void* self) {
  return *static_cast<const RemoteGame*>(self);
}

/// A seat as a game says it.
struct NamedSeat {
  std::string name;
  std::string role;
};
AGON_DESCRIBE(NamedSeat, (name, "as other seats see it"), (role, "empty if all are alike"))

/// The value as a process of ours would write it.
std::string canonical(const Type& type, const bj::value& json) {
  Value value(type);
  if (const auto problem = read_value(type, value.get(), json, Missing::keeps))
    throw BadMessage("the value does not fit: " + problem->text());
  return write_json(type, value.get());
}

/// What tells a language's words from those of another: two scenarios may have their own in one.
std::string wording(const Language& language) {
  std::uint64_t hash = hash::kFnvBasis;
  for (const auto& [english, said] : language.sentences())
    hash = hash::fnv1a(said, hash::fnv1a(english, hash));
  return language.is_english() ? "" : language.id() + std::to_string(hash);
}

}  // namespace

RemoteGame::RemoteGame(const JsonNode& card, Pool& pool) : card_(card), pool_(pool) {
  bind_card();
  bind_stages();
  bind_events();
}

void RemoteGame::bind_card() {
  Game& game = card_.game;
  GameCard& card = game.card;
  game.play = {[](const void* self, AnyTable& table, const void* settings, const void* prepared) {
                 return of(self).play(table, settings, prepared);
               },
               this};
  // Settings are the same text in all their matches.
  game.prepare = {[](const void* self, const void* settings) -> const void* {
                    return new std::string(write_json(*of(self).card_.game.settings, settings));
                  },
                  this};
  game.release = [](const void* prepared) { delete static_cast<const std::string*>(prepared); };
  if (card_.has_rules)
    card.rules_for = {[](const void* self, const void* settings, const Language& language) {
                        return of(self).kept_reply("rules", settings, {}, language);
                      },
                      this};
  if (card_.has_check)
    card.check = {[](const void* self, const void* settings) {
                    return of(self).kept_reply("check", settings);
                  },
                  this};
  if (card_.has_seating)
    card.seating = {
        [](const void* self, const void* settings) { return of(self).seating(settings); }, this};
  if (card.facts != nullptr)
    card.facts_for = {[](const void* self, const void* settings, const Language& language) {
                        return of(self).kept_reply("facts", settings, {}, language);
                      },
                      this};
  if (card_.has_persona)
    card.persona_for = {
        [](const void* self, const void* settings, int seat, const Language& language) {
          return of(self).kept_reply("persona", settings, member("seat", std::to_string(seat)),
                                     language);
        },
        this};
}

void RemoteGame::bind_stages() {
  stages_.reserve(card_.stages.size());
  for (std::size_t i = 0; i < card_.stages.size(); ++i) {
    stages_.push_back({this, i});
    StageCard& stage = card_.stages[i];
    if (card_.stage_told[i])
      stage.telling = {[](const void* self, const void* view, const Scene& scene) {
                         const auto& [game, number] = *static_cast<const TellingTarget*>(self);
                         const StageCard& told = game->card_.stages[number];
                         return game->told("tell_view",
                                           member("stage", write_json(std::string(told.name))) +
                                               member("view", write_json(*told.view, view)),
                                           scene);
                       },
                       &stages_.back()};
    if (card_.stage_ends[i])
      stage.ends = {[](const void* self, const void* answer) {
                      const auto& [game, number] = *static_cast<const TellingTarget*>(self);
                      const StageCard& asked = game->card_.stages[number];
                      return game->reply("ends", "{}",
                                         member("stage", write_json(std::string(asked.name))) +
                                             member("answer", write_json(*asked.answer, answer))) ==
                             "true";
                    },
                    &stages_.back()};
  }
}

void RemoteGame::bind_events() {
  events_.reserve(card_.events.size());
  for (std::size_t i = 0; i < card_.events.size(); ++i) {
    events_.push_back({this, i});
    if (!card_.event_told[i]) continue;
    card_.events[i].telling = {
        [](const void* self, const void* event, const Scene& scene) {
          const auto& [game, number] = *static_cast<const TellingTarget*>(self);
          const EventCard& told = game->card_.events[number];
          return game->told("tell_event",
                            member("event", write_json(std::string(told.name))) +
                                member("number", std::to_string(number)) +
                                member("data", write_json(*told.type, event)),
                            scene);
        },
        &events_.back()};
  }
}

Outcome RemoteGame::play(AnyTable& table, const void* settings, const void* prepared) const {
  try {
    return pool_.in_process([&](Channel& channel) {
      RemoteMatch match(card_, channel, table, pool_.launch().is_worker ? &pool_ : nullptr);
      return prepared != nullptr ? match.play(*static_cast<const std::string*>(prepared))
                                 : match.play(write_json(*card_.game.settings, settings));
    });
  } catch (const RemoteFault& fault) {
    throw GameFault{fault.what(), fault.process_end()};
  } catch (const FailedRequest& request) {
    throw GameFault{request.problem(), request.process_end()};
  }
}

std::string RemoteGame::kept_reply(std::string_view what, const void* settings,
                                   const std::string& rest, const Language& language) const {
  const std::string json = write_json(*card_.game.settings, settings);
  const std::string key = std::string(what) + rest + json + wording(language);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = replies_.find(key); known != replies_.end()) return known->second;
  }
  std::string got = reply(what, json, rest, language);
  const std::lock_guard lock(mutex_);
  if (replies_.size() >= kKept) replies_.clear();
  replies_.emplace(key, got);
  return got;
}

std::string RemoteGame::reply(std::string_view what, const std::string& settings,
                              const std::string& rest, const Language& language) const {
  const std::string id(card_.game.id);
  // What has no sentences is English in any language.
  const bool translated = !language.is_english() && !card_.game.card.sentences.empty();
  // Settings are read before anything is played; what is asked later belongs to a match in flight.
  Channel::Stop stop;
  if (pool_.launch().stop != nullptr && (what == "check" || what == "seating"))
    stop = [&] { return pool_.launch().stop->load(); };
  return pool_.ask(
      {.what = what,
       .members = member("game", write_json(id)) + member("settings", settings) + rest +
                  (translated ? member("language", write_json(language.id())) : ""),
       .where = "game '" + id + "'",
       .stop = stop,
       .language = translated ? &language : nullptr,
       .game = id},
      [&](const Message& reply) {
        std::string value = read_reply(what, reply);
        if (value.size() > kLongestText) throw BadMessage("it is longer than 1 MiB");
        return value;
      });
}

std::string RemoteGame::read_reply(std::string_view what, const Message& reply) const {
  if (what == "facts") return canonical(*card_.game.card.facts, reply.need("value"));
  if (what == "seating") return canonical(type_of<std::vector<NamedSeat>>(), reply.need("value"));
  if (what == "ends") return reply.truth("value") ? "true" : "false";
  const std::string_view words = reply.text("value");
  if (what == "check") return text::shorten(words, kLongestProblem);
  if (what.starts_with("tell_") && words.size() > kLongestTelling)
    throw BadMessage("it is longer than 64 KiB");
  return std::string(words);
}

std::vector<SeatCard> RemoteGame::seating(const void* settings) const {
  std::vector<NamedSeat> named;
  (void)read_json(named, kept_reply("seating", settings), Missing::keeps);
  std::vector<SeatCard> seats;
  for (NamedSeat& seat : named) seats.push_back({std::move(seat.name), std::move(seat.role)});
  return seats;
}

std::string RemoteGame::told(std::string_view what, const std::string& of,
                             const Scene& scene) const {
  JsonWriter names;
  names.open_list();
  for (const std::string_view name : scene.seats()) names.text(name);
  names.close_list();
  // The scene knows the settings' type only from the caller.
  const void* settings = &scene.settings<char>();
  return reply(
      what, write_json(*card_.game.settings, settings),
      of + member("names", names.take()) + member("reader", std::to_string(scene.reader())),
      scene.language());
}

namespace {

class InsideAgent final : public Agent {
 public:
  InsideAgent(Pool& pool, std::string game, std::string spec, bool answers_probes)
      : pool_(pool), game_(std::move(game)), spec_(std::move(spec)), probes_(answers_probes) {}

  void answer(Question& question) const override {
    if (UntypedTable::answer_inside(question, &pool_, spec_)) return;
    const std::string request = R"({"type":"request","what":"answer")" + described(question) + "}";
    pool_.in_process([&](Channel& channel) {
      channel.begin("answer");
      channel.send(request);
      try {
        const Message* message = channel.next();
        for (; message->type() == "check"; message = channel.next())
          channel.send(R"({"type":"checked","reason":)" + reason(question, *message) + "}");
        if (message->type() != "reply") throw BadMessage("'reply' is expected");
        read_answer(question, Message::part(message->need("value"), "answered"));
        channel.finish();
      } catch (const BadMessage& bad) {
        channel.refuse(bad.what());
      }
    });
  }
  [[nodiscard]] bool answers_probes() const override { return probes_; }

 private:
  /// What the game says of an answer that is tried, as JSON.
  static std::string reason(const Question& question, const Message& check) {
    Value answer(question.answer_type());
    read_said(answer, check.need("answer"), "the answer");
    return write_json(UntypedQuestion::reason_against(question, answer.get()));
  }
  /// The question with all that it consists of, for a process that does not know the game.
  [[nodiscard]] std::string described(Question& question) const {
    const Type& answer = question.answer_type();
    JsonWriter out;
    out.open_object().name("game").text(game_).name("stage").text(question.stage());
    out.name("probe").truth(question.is_probe()).name("seat").number(question.seat());
    out.name("answer").json(write_description(answer));
    if (const Type* view = question.view_type()) {
      out.name("shows").json(write_description(*view));
      out.name("view").json(write_json(*view, question.view()));
    }
    out.name("limits").json(write_limits(answer, question.limits()));
    out.name("fallback").json(write_json(answer, UntypedQuestion::place_of_answer(question)));
    out.name("spec").json(spec_).name("checks").truth(UntypedQuestion::has_check(question));
    put_dealt(out, question);
    std::string members = out.close_object().take();
    members.front() = ',';  // they go on what the request begins with
    members.pop_back();
    return members;
  }

  Pool& pool_;
  std::string game_;
  std::string spec_;
  bool probes_;
};

}  // namespace

RemoteAgent::RemoteAgent(const JsonNode& card, Pool& pool) : card_(card), pool_(pool) {
  card_.agent.make = {[](const void* self, const void* params, const AgentServices& services) {
                        return static_cast<const RemoteAgent*>(self)->make(params, services);
                      },
                      this};
}

void RemoteAgent::play(const Type& type) {
  settings_ = &type;
  if (card_.has_check)
    card_.agent.check = {[](const void* self, const void* settings) {
                           return static_cast<const RemoteAgent*>(self)->why_not(settings);
                         },
                         this};
}

std::string RemoteAgent::why_not(const void* settings) const {
  const AgentCard& card = card_.agent;
  const std::string rest = member("game", write_json(std::string(card.game))) +
                           member("agent", write_json(std::string(card.id))) +
                           member("settings", write_json(*settings_, settings));
  return pool_.ask(
      {.what = "agent-check", .members = rest, .where = "agent '" + std::string(card.id) + "'"},
      [](const Message& reply) { return text::shorten(reply.text("value"), kLongestProblem); });
}

std::unique_ptr<Agent> RemoteAgent::make(const void* params, const AgentServices& services) const {
  const AgentCard& card = card_.agent;
  const std::string game(services.game.empty() ? card.game : services.game);
  JsonWriter spec;
  spec.open_object().name("agent").text(card.id);
  spec.name("params").json(write_json(*card.params, params));
  const std::string made = spec.close_object().take();
  const bool probes =
      pool_.ask({.what = "agent",
                 .members = member("game", write_json(game)) + member("spec", made),
                 .kind = ErrorKind::invalid},
                [](const Message& reply) {
                  return Message::part(reply.need("value"), "agent").truth("answers_probes");
                });
  return std::make_unique<InsideAgent>(pool_, game, made, probes);
}

}  // namespace agon::remote
