#include "run/runner.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/sdk_version.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/version.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>

#include "archive/archive.hpp"
#include "archive/writer.hpp"
#include "design/order.hpp"
#include "drift/models.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/crash_note.hpp"
#include "run/keys.hpp"
#include "run/manifest.hpp"
#include "run/match_identity.hpp"
#include "run/progress.hpp"
#include "run/run_ledger.hpp"
#include "suite/prompts.hpp"
#include "text/say.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// What an archive knows of a scenario under one treatment.
struct StoredTreatment {
  hash::Digest settings{};
  std::int64_t row = 0;
};

std::vector<archive::Metric> metrics_of(const Type* type) {
  std::vector<archive::Metric> metrics;
  if (type == nullptr) return metrics;
  for (const Field& f : type->fields) {
    const Type* value = f.type->kind == Kind::optional ? f.type->element : f.type;
    metrics.push_back({std::string(f.name), std::string(f.unit),
                       f.better == Better::higher  ? "higher"
                       : f.better == Better::lower ? "lower"
                                                   : "",
                       std::max(f.decimals, value->decimals)});
  }
  return metrics;
}

/// A pool of threads that plays a suite.
class Run {
 public:
  Run(const Suite& suite, const Catalogue& catalogue, const RunOptions& options)
      : suite_(suite), catalogue_(catalogue), options_(options) {
    summary_.total = suite.matches();
    for (const Scenario& s : suite.scenarios) {
      const PluginEntry* plugin = catalogue.plugin_of_game(s.game->id);
      plugin_files_.push_back(plugin == nullptr ? "" : plugin->path);
    }
    for (const Scenario& s : suite.scenarios)
      for (const AgentSpec& agent : suite.agents)
        if (const AgentInGame* in = agent.in(s.game->id); in != nullptr) {
          somebody_waits_ = somebody_waits_ || in->agent->waits();
          people_ = people_ || in->agent->is_costly();
          models_ = models_ || in->agent->calls_models();
        }
  }

  RunSummary go() {
    Prices prices;
    const std::string& file = options_.prices.empty() ? suite_.prices : options_.prices;
    if (!file.empty()) prices = Prices::read(file);
    if (!options_.archive.empty()) open_archive();
    Caps caps = suite_.caps;
    if (options_.caps.cost) caps.cost = options_.caps.cost;
    if (options_.caps.tokens) caps.tokens = options_.caps.tokens;
    if (options_.caps.calls) caps.calls = options_.caps.calls;
    archive::CallTotals before;
    if (reader_) before = taken_before(*reader_, prices);
    has_past_calls_ = before.calls > 0;
    ledger_ = std::make_shared<RunLedger>(writer_ ? &*writer_ : nullptr, run_, caps,
                                          std::move(prices), before);
    if (drift_) ask_drift(drift::Phase::before);
    make_order();
    int jobs = options_.jobs > 0 ? options_.jobs : suite_.jobs;
    // Models are waited for: a match takes a sleeping thread.
    constexpr unsigned kModelJobs = 64;
    if (jobs <= 0)
      jobs = static_cast<int>(
          std::max(models_ ? kModelJobs : 1U, std::thread::hardware_concurrency()));
    jobs = static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(jobs),
                                                    std::max<std::uint64_t>(1, summary_.total)));
    {
      Progress progress(summary_.total, options_.quiet || people_);
      std::vector<std::jthread> threads;
      std::unique_lock lock(mutex_);
      working_ = jobs;
      const CrashNotes crash_notes;
      start_threads(threads, jobs, progress);
      while (working_ > 0) {
        changed_.wait_for(lock, std::chrono::milliseconds(100));
        progress.show(summary_.before + summary_.played, summary_.before,
                      summary_.unfinished + summary_.game_faults);
        if (working_ > 0 && interrupted()) stopping(progress, lock);
      }
    }
    // What was not interrupted and played something tells how the models are now.
    if (drift_ && !interrupted() && !failed_ && summary_.halt == Halt::no &&
        summary_.played + summary_.unfinished > 0)
      ask_drift(drift::Phase::after);
    // Calls that are on their way are paid for: they are waited for, until a second Ctrl-C.
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    ledger_->drain([&] {
      return failed_ || (options_.interrupt != nullptr && options_.interrupt->insisted()) ||
             std::chrono::steady_clock::now() > patience;
    });
    ledger_->close();
    summary_.calls = ledger_->budget().spent();
    if (summary_.halt != Halt::no)
      if (const std::string why = ledger_->budget().refusal(); !why.empty())
        summary_.halt_reason = why;
    if (failure_) {
      // What was committed stays; the writer says what went wrong.
      std::rethrow_exception(failure_);
    }
    summary_.interrupted = interrupted();
    if (drift_) tell_drift();
    if (writer_) {
      writer_->end_run(run_,
                       summary_.interrupted                   ? "interrupted"
                       : summary_.halt == Halt::budget        ? "budget"
                       : summary_.halt == Halt::out_of_money  ? "out-of-money"
                       : summary_.halt == Halt::configuration ? "configuration"
                       : summary_.unfinished > 0              ? "unfinished"
                                                              : "done",
                       run_manifest(suite_, manifest_, ledger_.get()));
      writer_->close();
    }
    summary_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return summary_;
  }

 private:
  struct Task {
    std::size_t scenario = 0;
    std::uint64_t match = 0;
  };

  /// Starts the threads that play. A machine that gives fewer than were asked for plays with
  /// those: the number changes no result.
  void start_threads(std::vector<std::jthread>& threads, int jobs, Progress& progress) {
    for (int i = 0; i < jobs; ++i) {
      try {
        threads.emplace_back([this] { work(); });
      } catch (const std::system_error& error) {
        working_ = i;
        const std::string mend =
            "raise the limits on threads and memory (`ulimit -u`, `ulimit -v`)"
            " or play with fewer --jobs";
        if (i == 0)
          throw Error(ErrorKind::failure, "no thread can be started: " + error.code().message(), "",
                      mend);
        progress.clear();
        fmt::print(stderr, "only {} of {} threads can be started ({}); {}\n", i, jobs,
                   error.code().message(), mend);
        return;
      }
    }
  }

  [[nodiscard]] bool interrupted() const {
    return options_.interrupt != nullptr && options_.interrupt->asked();
  }

  /// Somebody asked to stop, and matches are still in flight.
  void stopping(Progress& progress, std::unique_lock<std::mutex>& lock) {
    if (!told_ && !options_.quiet) {
      progress.clear();
      text::say("stopping when the matches in flight are finished; Ctrl-C again: now\n");
      std::fflush(stderr);
    }
    told_ = true;
    if (!options_.abandon || !options_.interrupt->insisted()) return;
    RunSummary summary = summary_;
    lock.unlock();  // for the matches that are just being finished
    if (writer_) writer_->end_run(run_, "interrupted");  // after all that was handed in before
    progress.clear();
    summary.interrupted = true;
    summary.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    options_.abandon(summary);
    lock.lock();
  }

  void open_archive() {
    writer_.emplace(options_.archive);
    reader_.emplace(archive::Archive::open(options_.archive));
    if (reader_->finished() > 0) {
      reader_->finished_ids([&](const archive::MatchId& id) { done_.insert(id); });
      reader_->broken_ids([&](const archive::MatchId& id) { broken_.insert(id); });
    }

    archive::RunRow run;
    run.started = archive::now();
    run.suite = writer_->store("suite", suite_.text);
    run.seed = suite_.seed;
    run.command = options_.command;
    run.versions = json::write(bj::value(bj::object{
        {"agon", AGON_SDK_VERSION_TEXT}, {"compiler", __VERSION__}, {"boost", BOOST_LIB_VERSION}}));
    bj::array plugins;
    for (const PluginEntry& p : catalogue_.plugins())
      if (p.status == PluginEntry::Status::loaded)
        plugins.push_back(bj::object{{"name", p.name},
                                     {"version", p.version},
                                     {"path", p.path},
                                     {"sha256", hash::hex(hash::sha256(json::read_file(p.path)))}});
    run.plugins = json::write(bj::value(std::move(plugins)));
    if (!options_.drift_questions.empty()) {
      drift_.emplace(
          Drift{drift::Questions::read(options_.drift_questions), drift::models_of(suite_)});
      writer_->store("drift", drift_->questions.text);
      add_to_manifest(drift::manifest_of(drift_->questions, drift_->models));
    }
    run.manifest = run_manifest(suite_, manifest_, nullptr);
    run_ = writer_->begin_run(run);

    std::int64_t place = 0;
    stored_.resize(suite_.scenarios.size());
    agent_rows_.resize(suite_.scenarios.size());
    for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
      const Scenario& s = suite_.scenarios[i];
      archive::GameRow game;
      game.name = s.game->id;
      game.version = s.game->card.version;
      if (const PluginEntry* plugin = catalogue_.plugin_of_game(s.game->id))
        game.plugin = plugin->name;
      game.plugin_version = s.plugin_version;
      game.score_decimals = s.game->card.score_decimals;
      game.seat_metrics = metrics_of(s.game->card.seat_metrics);
      game.match_metrics = metrics_of(s.game->card.match_metrics);
      const std::int64_t game_row = writer_->game(game);
      for (const Treatment& t : s.treatments) {
        for (const auto& [digest, data] : t.settings->data()) writer_->store("data", data);
        archive::ScenarioRow row;
        row.place = place++;
        row.name = s.name;
        row.game = game_row;
        row.preset = t.settings->preset();
        row.treatment = t.values;
        row.settings = writer_->store("settings", settings_document(s, t));
        stored_[i].push_back({row.settings, writer_->scenario(row)});
      }
      for (const AgentSpec& agent : suite_.agents) {
        const AgentInGame* in = agent.in(s.game->id);
        if (in == nullptr) {
          agent_rows_[i].push_back(0);
          continue;
        }
        archive::AgentRow row{agent_identity(*in, s.prompts.get()),
                              agent.name(),
                              in->spec,
                              agent.base(),
                              agent.factors(),
                              {}};
        if (in->agent->reads_prompts() && s.prompts != nullptr)
          row.prompts = writer_->store("prompts", prompts_document(*s.prompts));
        agent_rows_[i].push_back(writer_->agent(row));
      }
    }
    // Rows must be on the disk before anybody reads them by number.
    writer_->flush();
  }

  /// The drift check: what is asked, and whom.
  struct Drift {
    drift::Questions questions;
    std::vector<drift::SuiteModel> models;
  };

  void add_to_manifest(bj::object drift) {
    bj::object manifest = json::parse(manifest_, "manifest").as_object();
    manifest["drift"] = std::move(drift);
    manifest_ = json::write(bj::value(std::move(manifest)));
  }

  /// Puts all questions to all models, each model's one after the other. The calls belong to no
  /// match: its id is zero, their seat is the model, the question the question, the attempt the
  /// phase.
  void ask_drift(drift::Phase phase) {
    const auto calls =
        std::make_shared<MatchLedger>(ledger_, archive::MatchId{}, drift_->models.size());
    Progress none(0, true);
    std::vector<std::jthread> threads;
    std::unique_lock lock(mutex_);
    working_ = static_cast<int>(drift_->models.size());
    for (std::size_t i = 0; i < drift_->models.size(); ++i)
      threads.emplace_back([this, i, phase, calls] {
        try {
          ask_model(i, phase, *calls);
        } catch (...) {
          const std::lock_guard held(mutex_);
          if (!failure_) failure_ = std::current_exception();
          failed_ = true;
        }
        const std::lock_guard held(mutex_);
        --working_;
        changed_.notify_all();
      });
    while (working_ > 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      if (working_ > 0 && interrupted()) stopping(none, lock);
    }
    lock.unlock();
  }

  void ask_model(std::size_t model, drift::Phase phase, MatchLedger& calls) {
    const std::vector<drift::Question>& all = drift_->questions.all;
    int failed = 0;
    for (std::size_t q = 0; q < all.size(); ++q) {
      if (interrupted() || failed_ || halted_) return;
      const auto ledger = calls.attempt(static_cast<int>(model), static_cast<std::uint32_t>(q),
                                        static_cast<int>(phase));
      const std::optional<Reply> reply =
          drift_->models[model].agent->probe_model(all[q].probe, *ledger);
      if (!reply) return;  // the agent's models cannot be asked
      if (reply->halt == Halt::no) {
        failed = reply->status == Fault::ok ? 0 : failed + 1;
        if (failed == 2) return;  // each has taken all its tries: the next would too
        continue;
      }
      if (phase == drift::Phase::before) {
        const std::lock_guard lock(mutex_);
        if (summary_.halt != Halt::no) return;
        summary_.halt = reply->halt;
        summary_.halt_reason = reply->problem;
        halted_ = true;
      }
      return;  // after the matches: all that was to be played is
    }
  }

  /// Reads from the archive what the check came to.
  void tell_drift() {
    writer_->flush();
    const std::lock_guard lock(reader_mutex_);
    summary_.drift = drift::read(*reader_);
    std::erase_if(summary_.drift, [&](const drift::Row& row) { return row.run != run_; });
    bj::object told = drift::manifest_of(drift_->questions, drift_->models);
    told["results"] = drift::to_json(summary_.drift);
    add_to_manifest(std::move(told));
  }

  void make_order() {
    std::vector<std::uint64_t> rounds;
    for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
      const Scenario& s = suite_.scenarios[i];
      if (s.as_seated) {
        single_ = true;
        continue;
      }
      orders_.emplace_back(*s.plan, combine(mix(suite_.seed), i));
      rounds.push_back(orders_.back().rounds());
    }
    if (!single_) turns_ = design::riffled(rounds, mix(suite_.seed));
  }

  /// The next tasks, at most a batch; none when there are no more or the run is to stop.
  std::vector<Task> next() {
    constexpr std::size_t kBatch = 16;
    const std::lock_guard lock(order_mutex_);
    std::vector<Task> tasks;
    if (interrupted() || failed_ || halted_) return tasks;
    if (single_) {
      if (turn_++ == 0) tasks.push_back({0, 0});
      return tasks;
    }
    const std::size_t batch = somebody_waits_ ? 1 : kBatch;
    while (tasks.size() < batch) {
      if (round_at_ == round_.size()) {
        if (turn_ == turns_.size()) break;
        const design::Turn turn = turns_[turn_++];
        round_scenario_ = turn.list;
        round_ = orders_[turn.list].round(turn.item);
        round_at_ = 0;
        continue;
      }
      tasks.push_back({round_scenario_, round_[round_at_++]});
    }
    return tasks;
  }

  void work() {
    try {
      for (;;) {
        const std::vector<Task> tasks = next();
        if (tasks.empty()) break;
        for (const Task& task : tasks) {
          if (interrupted() || failed_ || halted_) break;
          play_sequence(task);
        }
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
    const std::lock_guard lock(mutex_);
    --working_;
    changed_.notify_all();
  }

  void play_sequence(const Task& task) {
    const Scenario& s = suite_.scenarios[task.scenario];
    const design::PlannedMatch planned = s.plan->match(task.match);
    std::vector<std::string> carried(planned.agents.size());
    for (std::uint64_t position = 0; position < s.sequence; ++position)
      if (!play_one(task.scenario, planned, position, carried)) return;
  }

  /// Plays one match of a sequence, or finds it played. False if the sequence cannot go on.
  bool play_one(std::size_t scenario, const design::PlannedMatch& planned, std::uint64_t position,
                std::vector<std::string>& carried) {
    const Scenario& s = suite_.scenarios[scenario];
    const Treatment& t = s.treatments[planned.treatment];
    const std::size_t seats = planned.agents.size();

    MatchSetup setup;
    setup.game = s.game;
    setup.settings = t.settings->get();
    setup.prepared = t.settings->prepared();
    setup.cards = t.settings->seating();
    setup.rules = t.settings->rules();
    setup.facts = t.settings->facts();
    setup.prompts = s.prompts;
    setup.luck_key = luck_key(suite_.seed, s.name, planned.block, position);
    setup.turn = planned.block + position;
    setup.reasks = s.reasks;
    setup.answer_limit = suite_.answer_limit;
    setup.shapes = shapes_;
    bool waits = false;
    for (std::size_t i = 0; i < seats; ++i) {
      const AgentInGame* in =
          suite_.agents[static_cast<std::size_t>(planned.agents[i])].in(s.game->id);
      setup.seats.push_back(
          {in->agent.get(), dice_key(setup.luck_key, planned.repeat, in->digest, i), carried[i]});
      waits = waits || in->agent->waits();
    }
    // People and models may take long: the first Ctrl-C stops them, their answers are safe.
    if (options_.interrupt != nullptr)
      setup.cancel = waits ? &options_.interrupt->asked() : &options_.interrupt->insisted();

    archive::MatchKey key;
    if (writer_) {
      const archive::MatchParts parts =
          match_parts(suite_, s, stored_[scenario][planned.treatment].settings, planned, position);
      key.id = archive::match_id(parts);
      key.scenario = stored_[scenario][planned.treatment].row;
      key.block = parts.block;
      key.repeat = parts.repeat;
      key.position = parts.position;
      key.line_up = line_up_label(s.plan->line_ups()[planned.line_up]);
      key.assignment = static_cast<std::int64_t>(planned.assignment);
      setup.label = key.id.hex().substr(0, 8);
      if (done_.contains(key.id)) {
        const bool broken = broken_.contains(key.id);
        if (!broken && position + 1 < s.sequence) carried = carried_by(key.id, seats);
        const std::lock_guard lock(mutex_);
        ++summary_.before;
        if (broken) ++summary_.game_faults;
        return !broken;
      }
    } else {
      setup.record = waits || s.sequence > 1 || options_.on_match != nullptr;
    }

    std::shared_ptr<MatchLedger> calls;
    if (waits) {
      calls = std::make_shared<MatchLedger>(ledger_, key.id, seats);
      setup.ledger = [&calls](int seat, std::uint32_t number, int attempt) {
        return calls->attempt(seat, number, attempt);
      };
      if (has_past_calls_) {
        const std::lock_guard lock(reader_mutex_);
        reader_->calls(&key.id, [&](const archive::CallRow& row) { calls->add_past(row); });
      }
    }
    std::optional<archive::PartialMatch> past;
    std::int64_t saves = 0;
    if (writer_ && waits) {
      {
        const std::lock_guard lock(reader_mutex_);
        past = reader_->partial(key.id);
      }
      if (past) {
        setup.past = past->record;
        saves = past->sequence + 1;
      }
      setup.make_durable = [&](const std::string& record) {
        store_new_shapes();
        writer_->save_partial(partial(scenario, planned, key, record, saves++, ""));
      };
    }

    const auto start = std::chrono::steady_clock::now();
    MatchResult result = [&] {
      const PlayingNote note({s.name, s.game->id, plugin_files_[scenario], setup.label,
                              static_cast<std::int64_t>(planned.block)});
      return play_match(setup);
    }();
    const double wall =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();

    const bool ended = result.end == End::finished || result.end == End::game_fault;
    if (writer_) {
      store_new_shapes();
      if (ended) {
        archive::MatchRow finished = row(scenario, planned, key, setup, result, wall);
        if (calls != nullptr) add_calls(finished, calls->taken());
        writer_->write_finished(std::move(finished));
      } else if (waits) {
        writer_->save_partial(
            partial(scenario, planned, key, result.record, saves, result.problem));
      }
      for (const HumanTiming& t2 : result.timings) save_timing(scenario, planned, key, t2);
    }
    const std::lock_guard lock(mutex_);
    if (ended) ++summary_.played;
    if (result.end == End::game_fault) ++summary_.game_faults;
    if (result.end == End::unfinished) ++summary_.unfinished;
    if (result.halt != Halt::no && summary_.halt == Halt::no) {
      summary_.halt = result.halt;
      summary_.halt_reason = result.problem;
      halted_ = true;
    }
    if (result.end != End::finished && result.end != End::stopped && summary_.first_trouble.empty())
      summary_.first_trouble =
          s.name + (setup.label.empty() ? "" : ", match " + setup.label) +
          (result.end == End::game_fault && !plugin_files_[scenario].empty()
               ? " (game '" + std::string(s.game->id) + "' of " + plugin_files_[scenario] + ")"
               : "") +
          ": " + result.problem;
    if (options_.on_match) options_.on_match(s, t, planned.agents, result);
    carried = std::move(result.carried);
    return result.end == End::finished;
  }

  std::string line_up_label(const design::Seating& seating) const {
    const std::vector<int> agents = seating.assignment(0);
    std::string label;
    for (const int a : agents)
      label += (label.empty() ? "" : " + ") + suite_.agents[static_cast<std::size_t>(a)].name();
    return label;
  }

  archive::PartialMatch partial(std::size_t scenario, const design::PlannedMatch& planned,
                                const archive::MatchKey& key, const std::string& record,
                                std::int64_t sequence, const std::string& reason) {
    archive::PartialMatch p;
    p.key = key;
    for (const int a : planned.agents)
      p.agents.push_back(agent_rows_[scenario][static_cast<std::size_t>(a)]);
    p.sequence = sequence;
    p.reason = reason;
    p.record = record;
    return p;
  }

  archive::MatchRow row(std::size_t scenario, const design::PlannedMatch& planned,
                        const archive::MatchKey& key, const MatchSetup& setup, MatchResult& result,
                        double wall) {
    const Scenario& s = suite_.scenarios[scenario];
    archive::MatchRow m;
    m.key = key;
    if (planned.focal >= 0)
      m.focal = agent_rows_[scenario][static_cast<std::size_t>(planned.focal)];
    m.luck = setup.luck_key;
    m.ended = result.end == End::finished ? "finished" : "game-fault";
    if (result.end == End::game_fault) m.fault = result.problem;
    const auto& match_metrics = std::as_const(result.outcome).match_metrics();
    m.metrics.assign(match_metrics.begin(), match_metrics.end());
    m.questions = static_cast<std::int64_t>(result.questions);
    m.wall_ms = wall;
    if (const Type* type = s.game->card.match_metrics;
        type != nullptr && !s.game->card.cluster.empty())
      for (std::size_t i = 0; i < type->fields.size() && i < m.metrics.size(); ++i)
        if (type->fields[i].name == s.game->card.cluster)
          json::append_number(m.cluster, static_cast<std::int64_t>(m.metrics[i]));
    for (std::size_t i = 0; i < planned.agents.size(); ++i) {
      archive::SeatRow seat;
      seat.name = setup.cards[i].name;
      seat.role = setup.cards[i].role;
      seat.agent = agent_rows_[scenario][static_cast<std::size_t>(planned.agents[i])];
      if (result.end == End::finished) {
        const SeatOutcome& o = std::as_const(result.outcome)[static_cast<int>(i)];
        seat.score = o.score;
        seat.zero = o.zero;
        seat.one = o.one;
        seat.rank = o.rank;
        seat.metrics.assign(o.metrics.begin(), o.metrics.end());
      }
      seat.forced = result.forced[i];
      for (std::size_t f = 0; f < kFaults; ++f) seat.attempts[f] = result.faults[i][f];
      seat.waiting_ms = result.waiting_ms[i];
      m.waiting_ms += seat.waiting_ms;
      m.seats.push_back(std::move(seat));
    }
    m.record = std::move(result.record);
    return m;
  }

  static void add_calls(archive::MatchRow& match, const std::vector<SeatCalls>& taken) {
    for (std::size_t i = 0; i < match.seats.size(); ++i) {
      archive::SeatRow& seat = match.seats[i];
      seat.calls = taken[i].calls;
      seat.tokens_in = taken[i].input;
      seat.tokens_out = taken[i].output;
      seat.tokens_cached = taken[i].cached;
      seat.tokens_thought = taken[i].thought;
      seat.cost = taken[i].cost;
      seat.unpriced = taken[i].unpriced;
    }
  }

  void store_new_shapes() {
    for (const std::string& notation : shapes_->take_new()) writer_->store("shape", notation);
  }

  void save_timing(std::size_t scenario, const design::PlannedMatch& planned,
                   const archive::MatchKey& key, const HumanTiming& timing) {
    const auto seat = static_cast<std::size_t>(timing.seat);
    const AgentSpec& agent = suite_.agents[static_cast<std::size_t>(planned.agents[seat])];
    const AgentInGame* in = agent.in(suite_.scenarios[scenario].game->id);
    const bj::value spec = json::parse(in->spec, "agent");
    const auto text = [&](const char* name) {
      const bj::value* v = spec.at("params").as_object().if_contains(name);
      return v != nullptr && v->is_string() ? std::string(v->get_string()) : std::string();
    };
    archive::PersonRow person;
    person.pseudonym = text("pseudonym").empty() ? agent.name() : text("pseudonym");
    person.session =
        text("session").empty() ? person.pseudonym + "-" + std::to_string(run_) : text("session");
    if (const auto consent = hash::read_hex(text("consent"))) {
      person.consent = consent;
      person.consented = timing.timing.shown;
    }
    person.told = text("told").empty() ? "the names of the seats" : text("told");
    {
      const std::lock_guard lock(mutex_);
      if (sessions_.insert(person.session).second) writer_->person(person);
    }
    archive::PersonAnswer answer;
    answer.session = person.session;
    answer.match = key.id;
    answer.seat = timing.seat;
    answer.question = timing.number;
    answer.attempt = timing.attempt;
    answer.shown = timing.timing.shown;
    if (timing.timing.first_input != 0) answer.first_input = timing.timing.first_input;
    if (timing.timing.answered != 0) answer.answered = timing.timing.answered;
    writer_->person_answer(answer);
  }

  /// What the seats of a finished match hand on, from its record.
  std::vector<std::string> carried_by(const archive::MatchId& id, std::size_t seats) {
    std::vector<std::string> carried(seats);
    const std::lock_guard lock(reader_mutex_);
    const auto number = reader_->number(id);
    if (!number) return carried;
    const archive::MatchRow match = reader_->match(*number);
    for (const record::Entry& e : record::read(match.record).entries) {
      if (e.what != record::Entry::What::carry) continue;
      const std::optional<std::string> shape = reader_->content(e.shape);
      const auto json = shape ? record::to_json(*shape, e.payload) : std::nullopt;
      if (json) carried[static_cast<std::size_t>(e.seat)] = *json;
    }
    return carried;
  }

  const Suite& suite_;
  const Catalogue& catalogue_;
  const RunOptions& options_;
  RunSummary summary_;
  bool somebody_waits_ = false;
  bool people_ = false;
  bool models_ = false;
  bool has_past_calls_ = false;
  bool single_ = false;
  bool told_ = false;  // that the run is stopping
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();

  std::optional<archive::Writer> writer_;
  std::optional<archive::Archive> reader_;
  std::shared_ptr<RunLedger> ledger_;
  std::optional<Drift> drift_;
  std::string manifest_ = options_.manifest;
  std::mutex reader_mutex_;
  std::set<archive::MatchId> done_;
  std::set<archive::MatchId> broken_;  // of done_
  std::int64_t run_ = 0;
  std::vector<std::vector<StoredTreatment>> stored_;   // by scenario and treatment
  std::vector<std::vector<std::int64_t>> agent_rows_;  // by scenario and agent
  std::vector<std::string> plugin_files_;              // by scenario
  std::shared_ptr<record::Shapes> shapes_ = std::make_shared<record::Shapes>();
  std::set<std::string> sessions_;

  std::mutex order_mutex_;
  std::vector<design::ExecutionOrder> orders_;
  std::vector<design::Turn> turns_;
  std::size_t turn_ = 0;
  std::vector<std::uint64_t> round_;
  std::size_t round_at_ = 0;
  std::size_t round_scenario_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  int working_ = 0;
  std::atomic<bool> failed_{false};
  std::atomic<bool> halted_{false};
  std::exception_ptr failure_;
};

}  // namespace

RunSummary run_suite(const Suite& suite, const Catalogue& catalogue, const RunOptions& options) {
  return Run(suite, catalogue, options).go();
}

}  // namespace agon
