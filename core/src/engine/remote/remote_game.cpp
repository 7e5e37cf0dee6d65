#include "remote/remote_game.hpp"

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>

#include "describe/read.hpp"
#include "describe/value.hpp"
#include "hash/fnv.hpp"
#include "remote/remote_match.hpp"
#include "table/contract.hpp"
#include "table/pending.hpp"
#include "text/utf8.hpp"

namespace agon::remote {
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
                         const auto& [game, number] = *static_cast<const Told*>(self);
                         const StageCard& told = game->card_.stages[number];
                         return game->told("tell_view",
                                           member("stage", write_json(std::string(told.name))) +
                                               member("view", write_json(*told.view, view)),
                                           scene);
                       },
                       &stages_.back()};
    if (card_.stage_ends[i])
      stage.ends = {[](const void* self, const void* answer) {
                      const auto& [game, number] = *static_cast<const Told*>(self);
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
    card_.events[i].telling = {[](const void* self, const void* event, const Scene& scene) {
                                 const auto& [game, number] = *static_cast<const Told*>(self);
                                 const EventCard& told = game->card_.events[number];
                                 return game->told(
                                     "tell_event",
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
  // The scene knows the settings' type only from whoever asks for it.
  const void* settings = &scene.settings<char>();
  return reply(
      what, write_json(*card_.game.settings, settings),
      of + member("names", names.take()) + member("reader", std::to_string(scene.reader())),
      scene.language());
}

}  // namespace agon::remote
