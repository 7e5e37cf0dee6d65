// agon.h: games, tables and vectors of them; the handles, and the checks of what callers give.
#include <agon/agon.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <atomic>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "c_interface/error.hpp"
#include "describe/file_text.hpp"
#include "describe/schema.hpp"
#include "describe/value.hpp"
#include "environment.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "open_game.hpp"
#include "plugin/catalogue.hpp"
#include "table/contract.hpp"
#include "table/untyped_table.hpp"
#include "vector_environment.hpp"

using namespace agon;
using namespace agon::c_interface;
namespace bj = boost::json;

namespace {

struct CatalogueOptions {
  std::vector<std::string> plugins;
  bool trust = false;
};
AGON_DESCRIBE(CatalogueOptions, (plugins, "plugins of others beside the shipped ones"),
              (trust, "they may do what they ask for"))

/// One handle serves one thread at a time, in the process that made it.
class Handle {
 public:
  class HandleUse {
   public:
    explicit HandleUse(Handle& handle) : handle_(handle) {
      if (handle.process_ != getpid())
        throw misuse("it was made before this process was forked", "make another one here");
      if (handle.is_used_.test_and_set(std::memory_order_acquire))
        throw misuse("another thread is using it", "give each thread one of its own");
    }
    ~HandleUse() { handle_.is_used_.clear(std::memory_order_release); }
    HandleUse(const HandleUse&) = delete;
    HandleUse& operator=(const HandleUse&) = delete;

   private:
    Handle& handle_;
  };

  /// Text that is valid until the next call.
  const char* keep(std::string text) {
    text_ = std::move(text);
    return text_.c_str();
  }
  [[nodiscard]] bool is_of_this_process() const { return process_ == getpid(); }

 private:
  std::atomic_flag is_used_ = ATOMIC_FLAG_INIT;
  pid_t process_ = getpid();
  std::string text_;
};

}  // namespace

struct agon_catalogue : Handle {
  explicit agon_catalogue(LoadOptions options) : catalogue(std::move(options)) {}
  Catalogue catalogue;
};

struct agon_game : Handle {
  agon_game(const Catalogue& catalogue, const std::string& id, const std::string& preset,
            const std::string& settings)
      : game(catalogue, id, preset, settings) {}
  OpenGame game;
};

struct agon_env : Handle {
  agon_env(const OpenGame& game, const EnvironmentOptions& options)
      : stages(game.game(), game.entries(options.entries)),
        agents(game, options.agents),
        environment(game, stages, agents, options, Environment::Asks::together) {}
  FlatStages stages;
  SeatedAgents agents;
  Environment environment;
  bool was_reset = false;
  /// Flat answers are copied: the caller's row may be gone by the next step.
  std::vector<std::vector<double>> rows{};
};

struct agon_vec : Handle {
  agon_vec(const OpenGame& game, const EnvironmentOptions& options, int n,
           const agon_vec_buffers& buffers)
      : vector(game, options, n, buffers) {}
  VectorEnvironment vector;
  bool was_reset = false;
};

namespace {

/// Runs `f` on what the handle stands for.
template <class H, class F>
int with(H* handle, const char* what, F&& f) noexcept {
  return guarded([&] {
    H& h = given(handle, what);
    const Handle::HandleUse use(h);
    f(h);
  });
}

template <class T>
T options_of(const char* text) {
  const FileText file(text == nullptr || *text == '\0' ? "{}" : text, "options",
                      "see agon.h, or docs/environments.md");
  T options = file.read<T>();
  file.check(options);
  return options;
}

std::string text_or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

void require_begun(const agon_env& env) {
  if (!env.was_reset) throw misuse("no match was begun", "call agon_env_reset() first");
}

Environment::Open& open_question(agon_env& env, int question) {
  require_begun(env);
  const std::span<Environment::Open> open = env.environment.open();
  if (question < 0 || static_cast<std::size_t>(question) >= open.size())
    throw misuse(open.empty() ? "the match is over"
                              : "there is no open question " + std::to_string(question) + " of " +
                                    std::to_string(open.size()),
                 open.empty() ? "call agon_env_reset()" : "they are numbered from 0");
  return open[static_cast<std::size_t>(question)];
}

const FlatStages::FlatStage& stage_of(agon_env& env, const Environment::Open& open) {
  return env.stages.all()[static_cast<std::size_t>(open.stage)];
}

void require_over(agon_env& env) {
  if (!env.was_reset || !env.environment.is_over())
    throw misuse("the match is not over", "answer its open questions first");
}

int seat_given(agon_env& env, int seat) {
  if (seat < 0 || seat >= env.environment.game().seats())
    throw misuse("there is no seat " + std::to_string(seat), "they are numbered from 0");
  if (!env.environment.is_outside(seat))
    throw misuse("seat " + std::to_string(seat) + " is played by an agent",
                 "ask for a seat that is played from outside");
  return seat;
}

Scene scene_of(agon_env& env, int reader) {
  return {env.environment.names(), env.environment.game().settings().get(), reader};
}

/// What happened since the seat answered last.
bj::array told_json(agon_env& env, int seat) {
  if (!env.environment.options().events)
    throw misuse("what seats are told is not kept", R"(make it with "events": true)");
  bj::array all;
  const Environment::Heard heard = env.environment.heard(seat);
  for (std::size_t i = heard.unseen_from; i < heard.all->size(); ++i) {
    const Delivery& event = (*heard.all)[i];
    all.push_back({{"event", event.name},
                   {"data", json::parse(event.json, "event")},
                   {"text", event.shown() == Delivery::Shown::members ? event.json : event.told}});
  }
  return all;
}

/// What a person would be told at a question.
std::string rendered(agon_env& env, const Environment::Open& open) {
  Question& question = *open.question;
  const StageCard& card = *stage_of(env, open).card;
  std::string text;
  const auto add = [&](std::string_view line) {
    if (line.empty()) return;
    text += line;
    if (text.back() != '\n') text += '\n';
  };
  if (env.environment.options().events)
    for (const bj::value& event : told_json(env, question.seat()))
      add(event.at("text").as_string());
  if (question.view_type() != nullptr)
    add(card.telling != nullptr ? card.telling(question.view(), scene_of(env, question.seat()))
                                : write_json(*question.view_type(), question.view()));
  add(env.environment.names()[static_cast<std::size_t>(question.seat())]);
  text.back() = ':';
  add(" " + std::string(card.doc));
  add(question.complaint());
  return text;
}

void answer(agon_env& env, int question, OutsideAnswer answer) {
  open_question(env, question).answer = std::move(answer);
}

}  // namespace

extern "C" {

int agon_version(void) {
  return AGON_C_VERSION;
}

int agon_open(const char* options, agon_catalogue** catalogue) {
  return guarded([&] {
    given(catalogue, "the place of the catalogue");
    const auto asked = options_of<CatalogueOptions>(options);
    auto made = std::make_unique<agon_catalogue>(LoadOptions{.trusts_others = asked.trust});
    made->catalogue.load_all(asked.plugins);
    *catalogue = made.release();
  });
}

void agon_close(agon_catalogue* catalogue) {
  delete catalogue;
}

int agon_list(agon_catalogue* catalogue, const char** json) {
  return with(catalogue, "the catalogue", [&](agon_catalogue& c) {
    bj::array games, agents;
    for (const Game* game : c.catalogue.all<Game>())
      games.push_back({{"id", game->id}, {"title", game->card.title}});
    for (const AgentCard* agent : c.catalogue.all<AgentCard>())
      agents.push_back({{"id", agent->id}, {"game", agent->game}, {"doc", agent->doc}});
    given(json, "the place of the text") =
        c.keep(json::write(bj::object{{"games", std::move(games)}, {"agents", std::move(agents)}}));
  });
}

int agon_game_open(agon_catalogue* catalogue, const char* id, const char* preset,
                   const char* settings, agon_game** game) {
  return with(catalogue, "the catalogue", [&](agon_catalogue& c) {
    given(game, "the place of the game") =
        std::make_unique<agon_game>(c.catalogue, text_or_empty(id), text_or_empty(preset),
                                    text_or_empty(settings))
            .release();
  });
}

void agon_game_close(agon_game* game) {
  delete game;
}

int agon_game_describe(agon_game* game, int entries, const char** json) {
  return with(game, "the game", [&](agon_game& g) {
    given(json, "the place of the text") = g.keep(g.game.describe(entries));
  });
}

int agon_env_make(agon_game* game, const char* options, agon_env** env) {
  return with(game, "the game", [&](agon_game& g) {
    given(env, "the place of the environment") =
        std::make_unique<agon_env>(g.game, options_of<EnvironmentOptions>(options)).release();
  });
}

void agon_env_free(agon_env* env) {
  // A match that a forked process has a copy of is not its to end.
  if (env != nullptr && env->is_of_this_process()) delete env;
}

int agon_env_reset(agon_env* env, uint64_t seed, uint64_t block) {
  return with(env, "the environment", [&](agon_env& e) {
    e.was_reset = true;
    e.environment.reset(seed, block);
    if (e.environment.is_over()) (void)e.environment.outcome();
  });
}

int agon_env_open(agon_env* env, agon_question* questions, int most) {
  int n = 0;
  const int code = with(env, "the environment", [&](agon_env& e) {
    require_begun(e);
    const std::span<Environment::Open> open = e.environment.open();
    if (most > 0) given(questions, "the place of the questions");
    n = static_cast<int>(open.size());
    for (int i = 0; i < std::min(n, most); ++i) {
      const Environment::Open& one = open[static_cast<std::size_t>(i)];
      questions[i] = {one.question->seat(), one.stage, one.question->attempt(), n};
    }
  });
  return code == AGON_OK ? n : -code;
}

int agon_env_view(agon_env* env, int question, double* columns) {
  return with(env, "the environment", [&](agon_env& e) {
    const Environment::Open& open = open_question(e, question);
    const FlatStages::FlatStage& stage = stage_of(e, open);
    given(columns, "the place of the columns");
    if (!stage.view) return;
    if (open.question->view_type() != nullptr)
      stage.view->write(open.question->view(), e.environment.names(), columns);
    else
      std::fill_n(columns, stage.view->width(), 0.0);
  });
}

int agon_env_bounds(agon_env* env, int question, double* low, double* high, uint64_t* mask) {
  return with(env, "the environment", [&](agon_env& e) {
    const Environment::Open& open = open_question(e, question);
    stage_of(e, open).answer.bounds(open.question->limits(), &given(low, "the place of low"),
                                    &given(high, "the place of high"),
                                    &given(mask, "the place of the masks"));
  });
}

int agon_env_actions(agon_env* env, int question, uint8_t* legal) {
  return with(env, "the environment", [&](agon_env& e) {
    const Environment::Open& open = open_question(e, question);
    const FlatStages::FlatStage& stage = stage_of(e, open);
    const std::optional<std::int64_t> n = stage.answer.actions();
    if (!n)
      throw misuse("the answers of stage '" + std::string(stage.card->name) + "' are not finite",
                   "use agon_env_bounds()");
    given(legal, "the place of the actions");
    Value scratch(*stage.card->answer);
    for (std::int64_t i = 0; i < *n; ++i) {
      stage.answer.act(i, scratch.get());
      legal[i] =
          UntypedTable::is_legal(*stage.card->answer, scratch.get(), open.question->limits()) &&
                  (!UntypedQuestion::has_check(*open.question) ||
                   UntypedQuestion::reason_against(*open.question, scratch.get()).empty())
              ? 1
              : 0;
    }
  });
}

int agon_env_question(agon_env* env, int question, const char** json) {
  return with(env, "the environment", [&](agon_env& e) {
    const Environment::Open& open = open_question(e, question);
    Question& q = *open.question;
    const bj::object all{{"seat", q.seat()},
                         {"stage", q.stage()},
                         {"attempt", q.attempt()},
                         {"complaint", q.complaint()},
                         {"view", q.view_type() == nullptr ? bj::value(nullptr)
                                                           : json_value(*q.view_type(), q.view())},
                         {"schema", answer_schema(q.answer_type(), q.limits())},
                         {"text", rendered(e, open)}};
    given(json, "the place of the text") = e.keep(json::write(all));
  });
}

int agon_env_answer(agon_env* env, int question, const double* places) {
  return with(env, "the environment", [&](agon_env& e) {
    const Environment::Open& open = open_question(e, question);
    if (places == nullptr) return answer(e, question, {OutsideAnswer::ReplyForm::drawn});
    const auto at = static_cast<std::size_t>(question);
    if (e.rows.size() <= at) e.rows.resize(at + 1);
    e.rows[at].assign(places, places + stage_of(e, open).answer.width());
    answer(e, question, {OutsideAnswer::ReplyForm::places, e.rows[at].data()});
  });
}

int agon_env_answer_json(agon_env* env, int question, const char* json) {
  return with(env, "the environment", [&](agon_env& e) {
    if (json == nullptr)
      answer(e, question, {OutsideAnswer::ReplyForm::declined});
    else
      answer(e, question, {OutsideAnswer::ReplyForm::json, nullptr, 0, json});
  });
}

int agon_env_answer_action(agon_env* env, int question, int64_t action) {
  return with(env, "the environment", [&](agon_env& e) {
    const FlatStages::FlatStage& stage = stage_of(e, open_question(e, question));
    const std::int64_t n = stage.answer.actions().value_or(0);
    if (action < 0 || action >= n)
      throw Error(ErrorKind::invalid,
                  n == 0 ? "the answers are not finite"
                         : "action " + std::to_string(action) + " is not one of 0 to " +
                               std::to_string(n - 1),
                  "stage '" + std::string(stage.card->name) + "'",
                  n == 0 ? "answer with places or JSON" : "");
    answer(e, question, {OutsideAnswer::ReplyForm::action, nullptr, action});
  });
}

int agon_env_step(agon_env* env) {
  return with(env, "the environment", [&](agon_env& e) {
    (void)open_question(e, 0);
    for (const Environment::Open& open : e.environment.open())
      if (open.answer.form == OutsideAnswer::ReplyForm::none)
        throw misuse(
            "the question to seat " + std::to_string(open.question->seat()) + " has no answer yet",
            "answer all open questions before agon_env_step()");
    e.environment.step();
    if (e.environment.is_over()) (void)e.environment.outcome();
  });
}

int agon_env_outcome(agon_env* env, agon_seat_outcome* seats, const char** metrics) {
  return with(env, "the environment", [&](agon_env& e) {
    require_over(e);
    given(seats, "the place of the seats");
    const Outcome& outcome = e.environment.outcome();
    const GameCard& card = e.environment.game().game().card;
    bj::array of_seats;
    for (int i = 0; i < outcome.seats(); ++i) {
      const SeatOutcome& own = outcome[i];
      seats[i] = {own.score, normalized(own), own.rank,
                  static_cast<std::int32_t>(e.environment.fallbacks(i))};
      of_seats.push_back(metrics_json(card.seat_metrics, own.metrics));
    }
    if (metrics != nullptr)
      *metrics = e.keep(json::write(
          bj::object{{"match", metrics_json(card.match_metrics, outcome.match_metrics())},
                     {"seats", std::move(of_seats)}}));
  });
}

int agon_env_fallbacks(agon_env* env, int32_t* by_seat) {
  return with(env, "the environment", [&](agon_env& e) {
    require_begun(e);
    given(by_seat, "the place of the numbers");
    for (int i = 0; i < e.environment.game().seats(); ++i)
      by_seat[i] = static_cast<std::int32_t>(e.environment.fallbacks(i));
  });
}

int agon_env_told(agon_env* env, int seat, const char** json) {
  return with(env, "the environment", [&](agon_env& e) {
    require_begun(e);
    given(json, "the place of the text") = e.keep(json::write(told_json(e, seat_given(e, seat))));
  });
}

int agon_env_record(agon_env* env, const char** json) {
  return with(env, "the environment", [&](agon_env& e) {
    require_over(e);
    if (!e.environment.options().record)
      throw misuse("records are not kept", R"(make the environment with "record": true)");
    given(json, "the place of the text") = e.keep(e.environment.record_json());
  });
}

int agon_vec_make(agon_game* game, const char* options, int n, const agon_vec_buffers* buffers,
                  agon_vec** vec) {
  return with(game, "the game", [&](agon_game& g) {
    given(vec, "the place of the vector") =
        std::make_unique<agon_vec>(g.game, options_of<EnvironmentOptions>(options), n,
                                   given(buffers, "the buffers"))
            .release();
  });
}

void agon_vec_free(agon_vec* vec) {
  if (vec != nullptr && vec->is_of_this_process()) delete vec;
}

int agon_vec_reset(agon_vec* vec, uint64_t seed) {
  return with(vec, "the vector", [&](agon_vec& v) {
    v.was_reset = false;  // until all have begun
    v.vector.reset(seed);
    v.was_reset = true;
  });
}

int agon_vec_step(agon_vec* vec, const double* places) {
  return with(vec, "the vector", [&](agon_vec& v) {
    if (!std::exchange(v.was_reset, false))
      throw misuse("no match was begun, or a game broke", "call agon_vec_reset() first");
    v.vector.step(places);
    v.was_reset = true;
  });
}

}  // extern "C"
