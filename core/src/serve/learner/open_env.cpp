#include "learner/open_env.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/random.hpp>
#include <agon/sdk_version.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <deque>
#include <optional>
#include <random>
#include <thread>
#include <utility>

#include "describe/schema.hpp"
#include "http/door.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "settings/settings.hpp"
#include "table/contract.hpp"
#include "text/utf8.hpp"

namespace agon::serve {

namespace bj = boost::json;

/// What is known of an episode from its beginning on.
struct OpenEnv::Facts {
  std::string id;
  std::uint64_t seed = 0;
  const Scenario* scenario = nullptr;
  int seat = 0;
  std::vector<SeatCard> cards{};
};

/// Where one client plays episodes, one after the other.
struct OpenEnv::Episode {
  std::mutex mutex;                    ///< of what follows, up to `used`
  std::shared_ptr<const Facts> facts;  ///< null: none was begun
  std::int64_t steps = 0;
  std::atomic<Clock::time_point> used{Clock::now()};
  LearnerMatches matches;
};

/// A client at a WebSocket. Used on the server's thread and on that of its matches.
struct OpenEnv::Client {
  std::shared_ptr<WebSocket> socket;
  std::shared_ptr<Episode> episode;  ///< null: there was no place
  std::mutex mutex;                  ///< of what follows
  std::deque<std::string> waiting;
  bool is_busy = false;
};

namespace {

/// Most messages of a client that wait for their turn.
constexpr std::size_t kMostMessages = 16;
constexpr std::size_t kLongestId = 255;  // bytes

constexpr std::string_view kInvalidJson = "INVALID_JSON";
constexpr std::string_view kUnknownType = "UNKNOWN_TYPE";
constexpr std::string_view kInvalid = "VALIDATION_ERROR";
constexpr std::string_view kNotNow = "EXECUTION_ERROR";
constexpr std::string_view kFull = "CAPACITY_REACHED";
constexpr std::string_view kUnknownEpisode = "SESSION_ERROR";

/// What is wrong with a request, as OpenEnv classes it.
class OpenEnvError : public std::runtime_error {
 public:
  OpenEnvError(std::string_view code, const std::string& problem)
      : std::runtime_error(problem), code_(code) {}
  [[nodiscard]] std::string_view code() const { return code_; }

 private:
  std::string_view code_;
};

int status_of(std::string_view code) {
  if (code == kInvalidJson) return 400;
  if (code == kInvalid) return 422;
  if (code == kNotNow) return 409;
  if (code == kUnknownEpisode) return 404;
  return 503;
}

std::string sentence(const Error& error) {
  std::string all = error.problem();
  if (!error.where().empty()) all += " (" + error.where() + ")";
  if (!error.hint().empty()) all += "; " + error.hint();
  return text::printable(all);
}

bj::object problem_of(const std::exception& error) {
  if (const auto* refusal = dynamic_cast<const OpenEnvError*>(&error))
    return {{"message", text::printable(refusal->what())}, {"code", refusal->code()}};
  if (const auto* told = dynamic_cast<const Error*>(&error))
    return {{"message", sentence(*told)},
            {"code", told->kind() == ErrorKind::budget    ? kFull
                     : told->kind() == ErrorKind::usage   ? kNotNow
                     : told->kind() == ErrorKind::failure ? kNotNow
                                                          : kInvalid}};
  return {{"message", "something broke that should not: " + text::printable(error.what())},
          {"code", kNotNow}};
}

/// As the framework of OpenEnv's servers words failures over HTTP, and with the class.
Response refused(const std::exception& error) {
  const bj::object problem = problem_of(error);
  const std::string_view code(problem.at("code").as_string());
  return json_response(status_of(code), {{"detail", problem.at("message")}, {"code", code}});
}

bj::object read_object(const std::string& text, std::string_view what) {
  bj::value value;
  try {
    value = json::parse(text, what);
  } catch (const Error& error) {
    throw OpenEnvError(kInvalidJson, sentence(error));
  }
  if (!value.is_object()) throw OpenEnvError(kInvalid, std::string(what) + " is no JSON object");
  return std::move(value.as_object());
}

const bj::value* member(const bj::object& object, std::string_view name) {
  const bj::value* found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string text_of(const bj::object& object, std::string_view name) {
  const bj::value* found = member(object, name);
  if (found == nullptr) return {};
  if (!found->is_string() || found->get_string().size() > kLongestId)
    throw OpenEnvError(kInvalid, "'" + std::string(name) + "' must be a text of at most " +
                                     std::to_string(kLongestId) + " bytes");
  return std::string(found->get_string());
}

/// What is asked for, or one that nobody has had. It is exact in any language's numbers.
std::uint64_t seed_of(const bj::object& asked) {
  if (const bj::value* seed = member(asked, "seed")) {
    if (seed->is_uint64()) return seed->get_uint64();
    if (!seed->is_int64() || seed->get_int64() < 0)
      throw OpenEnvError(kInvalid, "'seed' must be a whole number of at least 0");
    return static_cast<std::uint64_t>(seed->get_int64());
  }
  std::random_device system;
  return (std::uint64_t{system()} << 32U | system()) >> 11U;
}

bj::value number_or_null(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

/// What comes behind the learner's last own message; of all messages where there is none.
std::string text_of_news(const std::vector<ChatMessage>& messages) {
  std::size_t from = messages.size();
  while (from > 0 && messages[from - 1].role != "assistant") --from;
  std::string text;
  for (; from < messages.size(); ++from) text += (text.empty() ? "" : "\n\n") + messages[from].text;
  return text;
}

/// What the learner was told after its last answer, and its score, once the match is over.
std::string text_of_ending(const MatchEnding& ending) {
  std::string text;
  const auto add = [&](std::string_view line) {
    if (!line.empty()) text.append(text.empty() ? "" : "\n").append(line);
  };
  for (std::size_t i = ending.unseen_from; i < ending.history.size(); ++i) {
    const Delivery& d = ending.history[i];
    if (d.what != Delivery::What::event) continue;
    if (d.shown() == Delivery::Shown::sentences) add(d.told);
    if (d.shown() == Delivery::Shown::members) add(d.json);
  }
  add(ending.score_told);
  return text;
}

bj::object schema_of(bj::object properties) {
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

bj::object of_type(bj::value type, std::string_view doc) {
  return {{"type", std::move(type)}, {"description", doc}};
}

/// What a client may send and is sent.
bj::object schemas_of(const Suite& suite) {
  bj::array answers;
  std::vector<const Game*> games;
  for (const Scenario& s : suite.scenarios) {
    if (std::find(games.begin(), games.end(), s.game) != games.end()) continue;
    games.push_back(s.game);
    for (const StageCard& stage : s.game->stages)
      if (!stage.probe) answers.push_back(json::parse(schema_json(*stage.answer), "schema"));
  }
  const bj::array text_or_null{"string", "null"};
  const bj::array integer_or_null{"integer", "null"};
  const bj::array object_or_null{"object", "null"};
  const bj::array array_or_null{"array", "null"};
  return {
      {"action",
       {{"anyOf", std::move(answers)},
        {"description", "the answer to the open question, by its 'schema'"}}},
      {"observation",
       schema_of({{"episode_id", of_type("string", "name of the episode")},
                  {"scenario", of_type("string", "of the suite")},
                  {"game", of_type("string", "id of the game")},
                  {"seat", of_type("integer", "the learner's, from 0")},
                  {"seats", of_type("array", "name and role of each seat")},
                  {"text", of_type("string", "what a model is told after its last answer")},
                  {"messages", of_type("array", "the dialogue that a model is sent")},
                  {"stage", of_type(text_or_null, "what is asked; null at the end")},
                  {"question", of_type(integer_or_null, "number in the match, from 0")},
                  {"attempt", of_type(integer_or_null, "0; more where it is asked again")},
                  {"tries_left", of_type(integer_or_null, "attempts, this one counted")},
                  {"problem", of_type("string", "why the last action was rejected")},
                  {"view", {{"description", "what the seat sees, as JSON"}}},
                  {"schema", of_type(object_or_null, "JSON Schema of the action, with its limits")},
                  {"payoffs", of_type(array_or_null, "by seat, at the end")},
                  {"ranks", of_type(array_or_null, "by seat, at the end; 1 is best")},
                  {"metrics", of_type(object_or_null, "of the learner's seat, at the end")}})},
      {"state", schema_of({{"episode_id", of_type(text_or_null, "name of the episode")},
                           {"step_count", of_type("integer", "actions in the episode")},
                           {"seed", of_type("integer", "of the episode")},
                           {"scenario", of_type("string", "of the suite")},
                           {"game", of_type("string", "id of the game")},
                           {"seat", of_type("integer", "the learner's, from 0")},
                           {"done", of_type("boolean", "the match is over")}})}};
}

bj::object metadata_of(const Suite& suite) {
  std::string scenarios;
  for (const Scenario& s : suite.scenarios) scenarios += (scenarios.empty() ? "" : ", ") + s.name;
  return {{"name", suite.name},        {"description", "Matches of Agon; scenarios: " + scenarios},
          {"readme_content", nullptr}, {"version", AGON_SDK_VERSION_TEXT},
          {"author", nullptr},         {"documentation_url", nullptr}};
}

}  // namespace

OpenEnv::OpenEnv(const LearnerSeat& seat, const LearnerPrompts& prompts,
                 std::shared_ptr<RunLedger> ledger, const OpenEnvOptions& options)
    : seat_(seat), prompts_(prompts), ledger_(std::move(ledger)), options_(options) {}

OpenEnv::~OpenEnv() {
  close();
  // What a thread tells at its end may be the last to hold its matches: it must be over by then.
  while (!has_ended()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

void OpenEnv::add_routes(Router& router) {
  const auto guarded = [](void (OpenEnv::*does)(const Exchange&), OpenEnv* self) {
    return [does, self](const Exchange& exchange) {
      try {
        (self->*does)(exchange);
      } catch (const std::exception& error) {
        exchange.respond(refused(error));
      }
    };
  };
  router.post("/reset", guarded(&OpenEnv::reset_over_http, this));
  router.post("/step", guarded(&OpenEnv::step_over_http, this));
  router.get("/state", guarded(&OpenEnv::state_over_http, this));
  router.get("/ws", guarded(&OpenEnv::open_socket, this));
  router.get("/health", [](const Exchange& exchange) {
    exchange.respond(json_response(200, {{"status", "healthy"}}));
  });
  router.get("/schema", [this](const Exchange& exchange) {
    exchange.respond(json_response(200, schemas_of(seat_.suite())));
  });
  router.get("/metadata", [this](const Exchange& exchange) {
    exchange.respond(json_response(200, metadata_of(seat_.suite())));
  });
}

// ---- places ------------------------------------------------------------------------------------

std::size_t OpenEnv::in_use() {
  std::erase_if(given_up_, [](const auto& episode) { return episode->matches.has_ended(); });
  return over_http_.size() + clients_.size() + given_up_.size();
}

std::shared_ptr<OpenEnv::Episode> OpenEnv::make_episode() {
  if (closes_) throw OpenEnvError(kFull, "the server ends");
  if (in_use() >= options_.environments) {
    // Over HTTP nobody says that an episode is no longer wanted.
    auto oldest = over_http_.end();
    for (auto at = over_http_.begin(); at != over_http_.end(); ++at)
      if (at->second->matches.is_over() &&
          (oldest == over_http_.end() || at->second->used.load() < oldest->second->used.load()))
        oldest = at;
    if (oldest == over_http_.end())
      throw OpenEnvError(kFull,
                         "all " + std::to_string(options_.environments) +
                             " environments are in use; close one, or start the server with a "
                             "larger --environments");
    give_up(oldest->second);
    over_http_.erase(oldest);
    if (in_use() >= options_.environments)
      throw OpenEnvError(kFull, "an environment is about to be free; try again in a moment");
  }
  return std::make_shared<Episode>();
}

void OpenEnv::give_up(std::shared_ptr<Episode> episode) {
  episode->matches.end();
  given_up_.push_back(std::move(episode));
}

std::shared_ptr<OpenEnv::Episode> OpenEnv::find_episode(const std::string& id) {
  const auto found = over_http_.find(id.empty() ? unnamed_ : id);
  if (found != over_http_.end()) return found->second;
  if (id.empty() && unnamed_.empty())
    throw OpenEnvError(kNotNow, "no episode was begun; send a POST to /reset first");
  if (id.empty())
    throw OpenEnvError(
        kUnknownEpisode,
        "the episode was given up, as it was not used for long; send a POST to /reset");
  throw OpenEnvError(kUnknownEpisode,
                     "there is no episode '" + id +
                         "'; it was never begun, or given up as it was not used for "
                         "long");
}

void OpenEnv::tick() {
  const auto before = Clock::now() - options_.idle;
  const auto is_idle = [&](const Episode& episode) {
    return episode.used.load() < before && !episode.matches.is_busy();
  };
  std::vector<std::shared_ptr<Client>> idle;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = over_http_.begin(); at != over_http_.end();) {
      if (is_idle(*at->second)) {
        give_up(at->second);
        at = over_http_.erase(at);
      } else {
        ++at;
      }
    }
    for (const auto& client : clients_)
      if (is_idle(*client->episode)) idle.push_back(client);
    (void)in_use();
  }
  for (const auto& client : idle) client->socket->close();
}

void OpenEnv::close() {
  const std::lock_guard lock(mutex_);
  closes_ = true;
  for (const auto& [id, episode] : over_http_) episode->matches.end();
  for (const auto& client : clients_) client->episode->matches.end();
}

bool OpenEnv::has_ended() {
  const std::lock_guard lock(mutex_);
  const auto ended = [](const Episode& episode) { return episode.matches.has_ended(); };
  return std::all_of(over_http_.begin(), over_http_.end(),
                     [&](const auto& one) { return ended(*one.second); }) &&
         std::all_of(clients_.begin(), clients_.end(),
                     [&](const auto& client) { return ended(*client->episode); }) &&
         std::all_of(given_up_.begin(), given_up_.end(),
                     [&](const auto& episode) { return ended(*episode); });
}

// ---- matches -----------------------------------------------------------------------------------

void OpenEnv::reset(const std::shared_ptr<Episode>& episode, const bj::object& asked,
                    const Answered& answered) {
  LearnerSeat::Drawn drawn;
  try {
    drawn = seat_.draw(seed_of(asked), text_of(asked, "scenario"));
  } catch (const Error& error) {
    throw OpenEnvError(kInvalid, sentence(error));
  }
  drawn.setup.seats[static_cast<std::size_t>(drawn.seat)].prompts = prompts_.of(*drawn.scenario);
  const auto calls =
      std::make_shared<MatchLedger>(ledger_, archive::MatchId{}, drawn.setup.seats.size());
  drawn.setup.ledger = [calls](int seat, std::uint32_t number, int attempt) {
    return calls->attempt(seat, number, attempt);
  };
  const std::string id = text_of(asked, "episode_id");
  {
    const std::lock_guard lock(episode->mutex);
    episode->facts = std::make_shared<const Facts>(Facts{
        id.empty() ? random_key() : id, drawn.seed, drawn.scenario, drawn.seat, drawn.setup.cards});
    episode->steps = 0;
  }
  episode->used = Clock::now();
  episode->matches.begin(std::move(drawn), teller(episode, answered));
}

void OpenEnv::step(const std::shared_ptr<Episode>& episode, const bj::object& action,
                   const Answered& answered) {
  episode->used = Clock::now();
  bj::object answer = action;
  // Typed clients send it with every action; no answer of a game has a member of that name.
  if (const bj::value* metadata = answer.if_contains("metadata");
      metadata != nullptr && metadata->is_object())
    answer.erase("metadata");
  const auto count = [&](int steps) {
    const std::lock_guard lock(episode->mutex);
    episode->steps += steps;
  };
  count(1);
  try {
    episode->matches.answer(json::write(bj::value(std::move(answer))), teller(episode, answered));
  } catch (...) {
    count(-1);
    throw;
  }
}

LearnerMatches::Told OpenEnv::teller(const std::shared_ptr<Episode>& episode,
                                     const Answered& answered) const {
  std::shared_ptr<const Facts> facts;
  {
    const std::lock_guard lock(episode->mutex);
    facts = episode->facts;
  }
  // The matches are the episode's own: they must not keep it.
  return [this, at = std::weak_ptr(episode), facts, answered](const LearnerTurn& turn) {
    const auto told = at.lock();
    if (!told) return;
    told->used = Clock::now();
    bj::object said;
    try {
      if (!turn.question && !turn.problem.empty())
        throw OpenEnvError(kNotNow, "the match ended without a result: " + turn.problem +
                                        "; send a reset to begin another");
      said = observation(*facts, turn);
    } catch (const std::exception& error) {
      said = {{"error", problem_of(error)}};
    }
    answered(std::move(said));
  };
}

bj::object OpenEnv::observation(const Facts& facts, const LearnerTurn& turn) const {
  const Scenario& s = *facts.scenario;
  bj::array seats;
  for (const SeatCard& card : facts.cards)
    seats.push_back({{"name", card.name}, {"role", card.role}});
  bj::object seen{{"episode_id", facts.id},  {"scenario", s.name},        {"game", s.game->id},
                  {"seat", facts.seat},      {"seats", std::move(seats)}, {"text", ""},
                  {"messages", bj::array()}, {"stage", nullptr},          {"question", nullptr},
                  {"attempt", nullptr},      {"tries_left", nullptr},     {"problem", ""},
                  {"view", nullptr},         {"schema", nullptr},         {"payoffs", nullptr},
                  {"ranks", nullptr},        {"metrics", nullptr}};
  bj::value reward = 0;
  if (turn.question) {
    const OwnedQuestion& q = *turn.question;
    const std::vector<ChatMessage> messages = prompts_.messages(s, q);
    seen["text"] = text_of_news(messages);
    bj::array all;
    for (const ChatMessage& m : messages) all.push_back({{"role", m.role}, {"content", m.text}});
    seen["messages"] = std::move(all);
    seen["stage"] = q.stage;
    seen["question"] = q.number;
    seen["attempt"] = q.attempt;
    seen["tries_left"] = q.tries;
    seen["problem"] = q.complaint;
    seen["view"] = json::parse(q.view_json.empty() ? "null" : q.view_json, "view");
    seen["schema"] = answer_schema(*q.answer_type, q.limits.get());
  } else {
    seen["text"] = text_of_ending(turn.ending);
    bj::array payoffs, ranks;
    const double unit = std::pow(10.0, s.game->card.score_decimals);
    for (int i = 0; i < turn.outcome.seats(); ++i) {
      payoffs.push_back(number_or_null(turn.outcome[i].score / unit));
      ranks.push_back(turn.outcome[i].rank);
    }
    seen["payoffs"] = std::move(payoffs);
    seen["ranks"] = std::move(ranks);
    if (!turn.ending.metrics_json.empty())
      seen["metrics"] = json::parse(turn.ending.metrics_json, "metrics");
    reward = turn.ending.normalised ? number_or_null(*turn.ending.normalised) : bj::value(nullptr);
  }
  return {{"observation", std::move(seen)},
          {"reward", std::move(reward)},
          {"done", turn.question == nullptr}};
}

bj::object OpenEnv::state_of(const Episode& episode) {
  bj::object state{{"episode_id", nullptr}, {"step_count", episode.steps}};
  if (episode.facts == nullptr) return state;
  const Facts& facts = *episode.facts;
  state["episode_id"] = facts.id;
  state["seed"] = facts.seed;
  state["scenario"] = facts.scenario->name;
  state["game"] = facts.scenario->game->id;
  state["seat"] = facts.seat;
  state["done"] = episode.matches.is_over();
  return state;
}

// ---- HTTP --------------------------------------------------------------------------------------

namespace {

/// Answers a request once there is an observation.
std::function<void(bj::object)> answer_to(const Exchange& exchange) {
  return [exchange](bj::object said) {
    if (const bj::value* error = said.if_contains("error")) {
      const bj::object& problem = error->get_object();
      const std::string_view code(problem.at("code").as_string());
      return exchange.respond(json_response(code == kNotNow ? 500 : status_of(code),
                                            {{"detail", problem.at("message")}, {"code", code}}));
    }
    exchange.respond(json_response(200, std::move(said)));
  };
}

}  // namespace

void OpenEnv::reset_over_http(const Exchange& exchange) {
  const std::string& body = exchange.request.body;
  const bj::object asked = read_object(body.empty() ? "{}" : body, "the body");
  const std::string id = text_of(asked, "episode_id");
  std::shared_ptr<Episode> episode;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = over_http_.find(id.empty() ? unnamed_ : id); found != over_http_.end())
      episode = found->second;
    else
      episode = make_episode();
    if (closes_) throw OpenEnvError(kFull, "the server ends");
    // Where it is refused there is no episode of it.
    reset(episode, asked, answer_to(exchange));
    std::string known;
    {
      const std::lock_guard of_episode(episode->mutex);
      known = episode->facts->id;
    }
    if (id.empty()) {
      over_http_.erase(unnamed_);
      unnamed_ = known;
    }
    over_http_[known] = episode;
  }
}

void OpenEnv::step_over_http(const Exchange& exchange) {
  const bj::object asked = read_object(exchange.request.body, "the body");
  std::shared_ptr<Episode> episode;
  {
    const std::lock_guard lock(mutex_);
    episode = find_episode(text_of(asked, "episode_id"));
  }
  const bj::value* action = member(asked, "action");
  if (action == nullptr || !action->is_object())
    throw OpenEnvError(kInvalid, "'action' must be a JSON object, the answer to the open question");
  step(episode, action->get_object(), answer_to(exchange));
}

void OpenEnv::state_over_http(const Exchange& exchange) {
  const auto& query = exchange.request.query;
  const auto id = query.find("episode_id");
  bj::object state{{"episode_id", nullptr}, {"step_count", 0}};
  {
    const std::lock_guard lock(mutex_);
    if (id != query.end() || !unnamed_.empty()) {
      const auto episode = find_episode(id == query.end() ? "" : id->second);
      const std::lock_guard of_episode(episode->mutex);
      state = state_of(*episode);
    }
  }
  exchange.respond(json_response(200, std::move(state)));
}

// ---- WebSocket ---------------------------------------------------------------------------------

namespace {

std::string message(std::string_view type, bj::object data) {
  return json::write(bj::object{{"type", type}, {"data", std::move(data)}});
}

std::string error_message(const std::exception& error) {
  return message("error", problem_of(error));
}

}  // namespace

void OpenEnv::open_socket(const Exchange& exchange) {
  if (!exchange.request.upgrades) {
    Response refused = text_response(426, "this is a WebSocket");
    refused.headers.emplace_back("Upgrade", "websocket");
    return exchange.respond(std::move(refused));
  }
  const auto client = std::make_shared<Client>();
  const auto socket = exchange.web_socket({
      .message = [this, client](std::string text) { heard(client, std::move(text)); },
      .gone = [this, client] { gone(client); },
  });
  if (!socket) return;
  try {
    const std::lock_guard lock(mutex_);
    client->episode = make_episode();
    client->socket = socket;
    clients_.push_back(client);
  } catch (const std::exception& error) {
    socket->send(error_message(error));
    socket->close();
  }
}

void OpenEnv::gone(const std::shared_ptr<Client>& client) {
  const std::lock_guard lock(mutex_);
  if (client->episode) give_up(client->episode);
  std::erase(clients_, client);
}

void OpenEnv::heard(const std::shared_ptr<Client>& client, std::string text) {
  if (!client->episode) return;
  {
    const std::lock_guard lock(client->mutex);
    if (client->waiting.size() >= kMostMessages) {
      client->socket->send(error_message(
          OpenEnvError(kNotNow, "too many messages wait; wait for the answer to each")));
      return client->socket->close();
    }
    client->waiting.push_back(std::move(text));
    if (std::exchange(client->is_busy, true)) return;
  }
  handle_waiting(client);
}

void OpenEnv::handle_waiting(const std::shared_ptr<Client>& client) {
  for (;;) {
    std::string text;
    {
      const std::lock_guard lock(client->mutex);
      if (client->waiting.empty()) {
        client->is_busy = false;
        return;
      }
      text = std::move(client->waiting.front());
      client->waiting.pop_front();
    }
    std::string answer;
    try {
      answer = handle(client, text);
      if (answer.empty()) return;  // it comes from the match
    } catch (const std::exception& error) {
      answer = error_message(error);
    }
    client->socket->send(std::move(answer));
  }
}

std::string OpenEnv::handle(const std::shared_ptr<Client>& client, const std::string& text) {
  const bj::object asked = read_object(text, "the message");
  const bj::value* type = member(asked, "type");
  const std::string_view what =
      type != nullptr && type->is_string() ? std::string_view(type->get_string()) : "";
  const bj::value* data = member(asked, "data");
  const std::shared_ptr<Episode>& episode = client->episode;
  const bj::object none;
  const Answered answered = [this, client](bj::object said) {
    if (const bj::value* error = said.if_contains("error"))
      client->socket->send(message("error", error->get_object()));
    else
      client->socket->send(message("observation", std::move(said)));
    handle_waiting(client);
  };
  if (what == "reset") {
    if (data != nullptr && !data->is_object())
      throw OpenEnvError(kInvalid, "'data' of a reset must be a JSON object: {\"seed\": 1}");
    reset(episode, data == nullptr ? none : data->get_object(), answered);
    return {};
  }
  if (what == "step") {
    if (data == nullptr || !data->is_object())
      throw OpenEnvError(kInvalid, "'data' of a step must be the action, a JSON object");
    step(episode, data->get_object(), answered);
    return {};
  }
  if (what == "state") {
    const std::lock_guard lock(episode->mutex);
    return message("state", state_of(*episode));
  }
  if (what == "close") {
    client->socket->close();
    return {};
  }
  throw OpenEnvError(kUnknownType, "unknown message type '" + std::string(what) +
                                       "'; it is reset, step, state or close");
}

}  // namespace agon::serve
