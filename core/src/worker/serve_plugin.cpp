#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/json_writer.hpp>
#include <agon/language.hpp>
#include <agon/sdk_version.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "lock.hpp"
#include "plugin/catalogue.hpp"
#include "prepared_game.hpp"
#include "record/shape.hpp"
#include "relay_table.hpp"
#include "remote/batch.hpp"
#include "remote/card_json.hpp"
#include "table/contract.hpp"
#include "table/match.hpp"
#include "text/words.hpp"
#include "wire.hpp"
#include "worker.hpp"

namespace agon::worker {

namespace {

namespace bj = boost::json;
using Clock = std::chrono::steady_clock;

/// Plays whole matches whose agents all live here, at tables of this process: the same code as
/// the arena's own, so that their records are the same.
class Batches {
 public:
  Batches(Wire& wire, LoadedCatalogue& loaded) : wire_(wire), loaded_(loaded) {}

  /// A game with settings, and an agent, that matches will name by their numbers.
  void know_table(const bj::object& message) {
    TableSetup table;
    table.game = loaded_.game(text_of(message, "game"), json::write(message.at("settings")));
    for (std::string& name : names_of(message)) table.seats.push_back({std::move(name)});
    table.reasks = static_cast<int>(number_of(message, "reasks"));
    table.record = message.at("record").as_bool();
    tables_.insert_or_assign(static_cast<std::uint64_t>(number_of(message, "number")),
                             std::move(table));
  }
  void know_agent(const bj::object& message) {
    agents_.insert_or_assign(
        static_cast<std::uint64_t>(number_of(message, "number")),
        loaded_.agent(text_of(message, "game"), json::write(message.at("spec"))));
  }
  /// Nothing of them will be named again.
  void forget() {
    tables_.clear();
    agents_.clear();
  }

  /// Plays the matches of a message, and says results as they come.
  void play(const bj::object& message) {
    const auto size = static_cast<std::size_t>(number_of(message, "bytes"));
    const auto matches = remote::read_matches(wire_.hear_bytes(size));
    if (!matches) throw Error(ErrorKind::failure, "the arena's list of matches is none");
    Clock::time_point said = Clock::now();
    for (const remote::BatchMatch& match : *matches) {
      remote::write_result(results_, play(match));
      if (results_.size() < kMostHeld && Clock::now() - said < kLongestHeld) continue;
      say_results();
      said = Clock::now();
    }
    say_results();
    wire_.say(R"({"type":"batch-over"})");
  }

 private:
  /// What is lost when a match breaks the process is what it played in about this time.
  static constexpr std::chrono::milliseconds kLongestHeld{1};
  static constexpr std::size_t kMostHeld = std::size_t{64} << 10;

  struct TableSetup {
    std::shared_ptr<PreparedGame> game;
    std::vector<SeatCard> seats;
    int reasks = 0;
    bool record = true;
  };

  void say_results() {
    if (results_.empty()) return;
    JsonWriter out;
    out.open_object().name("type").text("played").name("bytes").number(results_.size());
    wire_.say(out.close_object().take());
    wire_.say_bytes(results_);
    wire_.flush();
    results_.clear();
  }

  remote::BatchResult play(const remote::BatchMatch& match) {
    const TableSetup& table = tables_.at(match.table);
    if (match.seats.size() != table.seats.size())
      throw std::logic_error("the arena's match has other seats than its table");
    MatchSetup setup = set_up_match(table.game->game(), table.game->settings(),
                                    table.game->prepared(), table.seats, match.stream_key);
    setup.turn = match.turn;
    setup.reasks = table.reasks;
    setup.record = table.record;
    setup.shapes = shapes_;
    for (const remote::BatchMatch::BatchSeat& seat : match.seats) {
      SeatSetup one;
      one.agent = agents_.at(seat.agent).get();
      one.dice_key = seat.dice_key;
      setup.seats.push_back(std::move(one));
    }
    remote::BatchResult played;
    const Clock::time_point start = Clock::now();
    played.result = play_match(setup);
    played.wall_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    played.shapes = shapes_->take_new();
    return played;
  }

  Wire& wire_;
  LoadedCatalogue& loaded_;
  std::map<std::uint64_t, TableSetup> tables_;
  std::map<std::uint64_t, std::shared_ptr<const Agent>> agents_;
  std::shared_ptr<record::Shapes> shapes_ = std::make_shared<record::Shapes>();
  std::string results_;  ///< that were not said yet
};

/// What the command line says: the files are plugins, the first is whose games are played.
Room read_room(const std::vector<std::string>& words) {
  Room room;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--memory" && i + 1 < words.size()) {
      room.memory = read_memory(words[++i]);
    } else {
      room.readable.push_back(words[i]);
    }
  }
  return room;
}

/// `problem`: what the game threw, or why the plugin cannot be loaded.
std::string fault(std::string_view problem, std::string_view hint = {}) {
  JsonWriter out;
  out.open_object().name("type").text("fault").name("problem").text(problem);
  if (!hint.empty()) out.name("hint").text(hint);
  return out.close_object().take();
}

/// Plays what the arena sends, with what was loaded.
class PluginServer {
 public:
  PluginServer(Wire& wire, const Catalogue& catalogue, const Catalogue& own)
      : wire_(wire), own_(own), loaded_(catalogue), batches_(wire, loaded_) {}

  [[noreturn]] void serve() {
    for (;;) {
      const bj::object message = wire_.hear();
      const std::string_view type = text_of(message, "type");
      if (type == "hello")
        wire_.say(hello());
      else if (type == "request")
        wire_.say(guarded([&] { return reply(message); }));
      else if (type == "play")
        wire_.say(guarded([&] { return play(message); }));
      else if (type == "language")
        learn(message);
      else if (type == "table")
        batches_.know_table(message);
      else if (type == "agent")
        batches_.know_agent(message);
      else if (type == "forget")
        batches_.forget();
      else if (type == "batch")
        batches_.play(message);
      else if (type == "stop")  // what it was meant for has ended meanwhile
        wire_.say(R"({"type":"stopped"})");
      else
        throw Error(ErrorKind::failure, "the arena said '" + std::string(type) + "'");
    }
  }

 private:
  [[nodiscard]] std::string hello() const {
    const PluginEntry& plugin = own_.plugins().front();
    JsonWriter out;
    out.open_object().name("type").text("hello").name("protocol").number(1);
    out.name("name").text(plugin.name).name("version").text(plugin.version);
    out.name("language").text("c++").name("games").open_list();
    for (const Game* game : own_.all<Game>()) out.json(remote::write_card(*game));
    out.close_list().name("agents").open_list();
    for (const AgentCard* agent : own_.all<AgentCard>()) out.json(remote::write_card(*agent));
    out.close_list().name("left_out").open_list();
    for (const std::string& what : left_out()) out.text(what);
    return out.close_list().close_object().take();
  }

  /// What the plugin brings that is of no use in a process of its own, counted: "2 parts".
  [[nodiscard]] std::vector<std::string> left_out() const {
    std::vector<std::string> out;
    const auto count = [&](std::size_t n, const char* one) {
      if (n > 0) out.push_back(text::counted(n, one));
    };
    count(own_.all<PartCard>().size(), "component");
    count(own_.all<ProviderCard>().size(), "provider");
    count(own_.all<PluginCommand>().size(), "command");
    count(own_.all<TableCard>().size(), "table");
    return out;
  }

  /// What game code throws is a fault of it, in the words that it has at a table of the arena's.
  template <class Work>
  std::string guarded(Work work) {
    try {
      return work();
    } catch (const Stop&) {
      return fault("a stop of its own");
    } catch (const std::exception& error) {
      return fault(error.what());
    } catch (...) {
      return fault("something that is no exception");
    }
  }

  std::string reply(const bj::object& message) {
    JsonWriter out;
    out.open_object().name("type").text("reply").name("value").json(answer(message));
    return out.close_object().take();
  }

  [[nodiscard]] std::string answer(const bj::object& message) {
    const std::string_view what = text_of(message, "what");
    if (what == "agent") {
      const auto agent = loaded_.agent(text_of(message, "game"), json::write(message.at("spec")));
      JsonWriter out;
      out.open_object().name("answers_probes").truth(agent->answers_probes());
      return out.close_object().take();
    }
    if (what == "answer")
      return RelayTable::answer_described(
          wire_, *loaded_.agent(text_of(message, "game"), json::write(message.at("spec"))),
          message);
    const auto prepared =
        loaded_.game(text_of(message, "game"), json::write(message.at("settings")));
    if (what == "agent-check") return why_not(message, *prepared);
    return hook(what, message, *prepared);
  }

  [[nodiscard]] std::string why_not(const bj::object& message, PreparedGame& prepared) const {
    const AgentCard& card = own_.agent(text_of(message, "agent"), prepared.game().id);
    return quoted(card.check == nullptr ? "" : card.check(prepared.settings()));
  }

  [[nodiscard]] static std::string quoted(std::string_view text) {
    std::string out;
    json::append_string(out, text);
    return out;
  }

  /// Keeps a game's sentences in a language.
  void learn(const bj::object& message) {
    Language::Sentences sentences;
    for (const auto& [english, said] : message.at("sentences").as_object())
      sentences.emplace(english, said.as_string());
    const std::string id(text_of(message, "language"));
    languages_[{std::string(text_of(message, "game")), id}] = Language(id, std::move(sentences));
  }

  /// What the reply is to be said in.
  [[nodiscard]] const Language& language_of(const bj::object& message) const {
    if (!message.contains("language")) return Language::english();
    return languages_.at(
        {std::string(text_of(message, "game")), std::string(text_of(message, "language"))});
  }

  [[nodiscard]] std::string hook(std::string_view what, const bj::object& message,
                                 PreparedGame& prepared) const {
    const Language& language = language_of(message);
    const GameCard& card = prepared.game().card;
    const void* settings = prepared.settings();
    if (what == "rules") return quoted(card.rules_for(settings, language));
    if (what == "seating") return seating(card.seating(settings));
    if (what == "check") return quoted(card.check(settings));
    if (what == "facts") return card.facts_for(settings, language);
    if (what == "persona")
      return quoted(
          card.persona_for(settings, static_cast<int>(number_of(message, "seat")), language));
    if (what == "tell_event") return tell_event(message, prepared);
    const StageCard& stage = stage_of(prepared.game(), text_of(message, "stage"));
    if (what == "tell_view") {
      const ReadValue view = view_of(*stage.view, message.at("view"));
      return told(message, settings,
                  [&](const Scene& scene) { return stage.telling(view.value.get(), scene); });
    }
    if (what == "ends") {
      const Value answer = value_of(*stage.answer, message.at("answer"));
      return stage.ends(answer.get()) ? "true" : "false";
    }
    throw Error(ErrorKind::failure, "the arena asks for '" + std::string(what) + "'");
  }

  [[nodiscard]] std::string tell_event(const bj::object& message, PreparedGame& prepared) const {
    const std::span<const EventCard> events = prepared.game().events;
    const EventCard& event = events[static_cast<std::size_t>(number_of(message, "number"))];
    const ReadValue said = view_of(*event.type, message.at("data"));
    return told(message, prepared.settings(),
                [&](const Scene& scene) { return event.telling(said.value.get(), scene); });
  }

  template <class Tell>
  [[nodiscard]] std::string told(const bj::object& message, const void* settings, Tell tell) const {
    const std::vector<std::string> names = names_of(message);
    const std::vector<std::string_view> seats(names.begin(), names.end());
    return quoted(tell(Scene(seats, settings, static_cast<int>(number_of(message, "reader")),
                             language_of(message))));
  }

  [[nodiscard]] static std::string seating(const std::vector<SeatCard>& seats) {
    JsonWriter out;
    out.open_list();
    for (const SeatCard& seat : seats)
      out.open_object().name("name").text(seat.name).name("role").text(seat.role).close_object();
    return out.close_list().take();
  }

  [[nodiscard]] static const StageCard& stage_of(const Game& game, std::string_view name) {
    for (const StageCard& stage : game.stages)
      if (stage.name == name) return stage;
    throw Error(ErrorKind::failure, "the game has no stage '" + std::string(name) + "'");
  }

  /// Metrics of other types than the card's cannot be said by it; all else the arena looks at.
  static void require_metrics(const GameCard& card, const Outcome& outcome) {
    const Outcome::MetricTypes& types = outcome.metric_types();
    const bool fits = types.same_seats &&
                      (types.seat == nullptr || types.seat == card.seat_metrics) &&
                      (types.match == nullptr || types.match == card.match_metrics);
    if (fits) return;
    Outcome ranked = outcome;
    rank_by_score(ranked);
    throw std::logic_error(problem_of_outcome(card, ranked));
  }

  /// Plays a match question by question. What it returns is the last message of the match.
  std::string play(const bj::object& message) {
    const std::string_view id = text_of(message, "game");
    const auto prepared = loaded_.game(id, json::write(message.at("settings")));
    RelayOrder order;
    order.names = names_of(message);
    order.listening = truth_of(message, "listening");
    order.luck = key_of(message.at("luck"));
    order.agent = [&](const bj::value& spec) { return loaded_.agent(id, json::write(spec)); };
    const Game& game = prepared->game();
    order.events = game.events;
    RelayTable table(wire_, order);
    try {
      const Outcome outcome = game.play(table, prepared->settings(), prepared->prepared());
      // Whatever a game makes of a stop, the match is over.
      if (!table.is_stopped()) {
        require_metrics(game.card, outcome);
        return outcome_json(game.card, outcome);
      }
    } catch (...) {
      if (!table.is_stopped()) throw;
    }
    return R"({"type":"stopped"})";
  }

  Wire& wire_;
  const Catalogue& own_;
  LoadedCatalogue loaded_;
  Batches batches_;
  std::map<std::pair<std::string, std::string>, Language> languages_;  ///< by game and name
};

/// Loads the files; `own` takes the first alone.
void load(const std::vector<std::string>& files, Catalogue& own, Catalogue& all) {
  own.load(files.front());
  for (const std::string& file : files) all.load(file);
}

}  // namespace

int serve_plugin(const std::vector<std::string>& words) try {
  const Room room = read_room(words);
  if (room.readable.empty()) {
    std::fputs("agon-worker plugin: which file?\n", stderr);
    return 2;
  }
  Wire wire;
  // Whose files may be loaded was decided by who started this.
  const LoadOptions options{.isolation = {Isolate::never, {}}, .trusts_others = true};
  Catalogue own(options), all(options);
  try {
    lock_for_loading(room);
    load(room.readable, own, all);
    lock_for_playing();
  } catch (const Error& error) {
    wire.hear();  // the arena's hello
    wire.say(fault(error.problem(), error.hint()));
    wire.flush();
    return 3;
  }
  PluginServer(wire, all, own).serve();
} catch (const std::exception& error) {
  std::fprintf(stderr, "agon-worker: %s\n", error.what());
  return 1;
}

}  // namespace agon::worker
