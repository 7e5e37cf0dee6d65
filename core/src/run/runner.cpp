#include "run/runner.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "run/crash_note.hpp"
#include "run/crew.hpp"
#include "run/drift_check.hpp"
#include "run/keys.hpp"
#include "run/manifest.hpp"
#include "run/match_order.hpp"
#include "run/progress.hpp"
#include "run/run_archive.hpp"
#include "run/run_ledger.hpp"
#include "text/say.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

using Clock = std::chrono::steady_clock;

/// The caps of the suite, and over them those of the command line.
Caps merged(Caps caps, const Caps& over) {
  if (over.cost) caps.cost = over.cost;
  if (over.tokens) caps.tokens = over.tokens;
  if (over.calls) caps.calls = over.calls;
  return caps;
}

/// Plays a suite with a crew of threads.
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
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    // Agents may hold on to the ledger: what they keep from now on must not reach the archive.
    if (ledger_) ledger_->close();
  }

  RunSummary go() {
    open();
    if (drift_) ask_drift(drift::Phase::before);
    order_.emplace(suite_);
    play_all();
    // What was not interrupted and played something tells how the models are now.
    if (drift_ && !interrupted() && !failed_ && summary_.halt == Halt::no &&
        summary_.played + summary_.unfinished > 0)
      ask_drift(drift::Phase::after);
    // Calls that are on their way are paid for: they are waited for, until a second Ctrl-C.
    const auto patience = Clock::now() + std::chrono::minutes(2);
    ledger_->drain([&] {
      return failed_ || (options_.interrupt != nullptr && options_.interrupt->insisted()) ||
             Clock::now() > patience;
    });
    ledger_->close();
    summary_.calls = ledger_->budget().spent();
    if (summary_.halt != Halt::no)
      if (const std::string why = ledger_->budget().refusal(); !why.empty())
        summary_.halt_reason = why;
    // What was committed stays; the writer says what went wrong.
    if (failure_) std::rethrow_exception(failure_);
    summary_.interrupted = interrupted();
    if (drift_) {
      summary_.drift = archive_->drift();
      add_to_manifest(drift_->manifest(summary_.drift));
    }
    if (archive_) {
      archive_->end(outcome(), run_manifest(suite_, manifest_, ledger_.get()));
      archive_->close();
    }
    summary_.seconds = seconds();
    return summary_;
  }

 private:
  void open() {
    Prices prices;
    const std::string& file = options_.prices.empty() ? suite_.prices : options_.prices;
    if (!file.empty()) prices = Prices::read(file);
    archive::CallTotals before;
    if (!options_.archive.empty()) {
      archive_.emplace(suite_, options_.archive);
      if (!options_.drift_questions.empty()) {
        drift_.emplace(options_.drift_questions, suite_);
        archive_->writer().store("drift", drift_->text());
        add_to_manifest(drift_->manifest());
      }
      archive_->begin(catalogue_, options_.command, run_manifest(suite_, manifest_, nullptr));
      before = archive_->taken_before(prices);
    }
    has_past_calls_ = before.calls > 0;
    ledger_ = std::make_shared<RunLedger>(
        archive_ ? &archive_->writer() : nullptr, archive_ ? archive_->run() : 0,
        merged(suite_.caps, options_.caps), std::move(prices), before);
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  [[nodiscard]] std::string_view outcome() const {
    if (summary_.interrupted) return "interrupted";
    switch (summary_.halt) {
      case Halt::budget:
        return "budget";
      case Halt::out_of_money:
        return "out-of-money";
      case Halt::configuration:
        return "configuration";
      case Halt::no:
        break;
    }
    return summary_.unfinished > 0 ? "unfinished" : "done";
  }

  void add_to_manifest(bj::object drift) {
    bj::object manifest = json::parse(manifest_, "manifest").as_object();
    manifest["drift"] = std::move(drift);
    manifest_ = json::write(bj::value(std::move(manifest)));
  }

  [[nodiscard]] bool interrupted() const {
    return options_.interrupt != nullptr && options_.interrupt->asked();
  }
  /// Nothing more is to be begun.
  [[nodiscard]] bool is_over() const { return interrupted() || failed_ || halted_; }

  /// Called with the mutex held.
  void halt(Halt why, const std::string& reason) {
    if (why == Halt::no || summary_.halt != Halt::no) return;
    summary_.halt = why;
    summary_.halt_reason = reason;
    halted_ = true;
  }

  /// Waits for a crew, shows how far it is and heeds whoever wants to stop it.
  void attend(Crew& crew, Progress& progress) {
    while (!crew.is_done_within(std::chrono::milliseconds(100))) {
      if (interrupted()) stopping(progress);
      const std::lock_guard lock(mutex_);
      progress.show(summary_.before + summary_.played, summary_.before,
                    summary_.unfinished + summary_.game_faults);
    }
    try {
      crew.finish();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }

  /// Somebody asked to stop, and matches are still in flight.
  void stopping(Progress& progress) {
    if (!told_ && !options_.quiet) {
      progress.clear();
      text::say("stopping when the matches in flight are finished; Ctrl-C again: now\n");
      std::fflush(stderr);
    }
    told_ = true;
    if (!options_.abandon || !options_.interrupt->insisted()) return;
    RunSummary summary;
    {
      const std::lock_guard lock(mutex_);
      summary = summary_;
    }
    if (archive_) archive_->end("interrupted");
    progress.clear();
    summary.interrupted = true;
    summary.seconds = seconds();
    options_.abandon(summary);
  }

  /// What one thread of a crew does. What it throws ends the run.
  template <class Work>
  void ending_run(Work work) {
    try {
      work();
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  /// Puts all questions to all models at the same time. The calls belong to no match.
  void ask_drift(drift::Phase phase) {
    const auto calls = std::make_shared<MatchLedger>(ledger_, archive::MatchId{}, drift_->models());
    std::atomic<std::size_t> next{0};
    const auto ask = [&] {
      for (std::size_t i = next++; i < drift_->models(); i = next++) {
        const std::optional<Reply> last =
            drift_->ask(i, phase, *calls, [this] { return is_over(); });
        // After the matches, all that was to be played is.
        if (!last || phase == drift::Phase::after) continue;
        const std::lock_guard lock(mutex_);
        halt(last->halt, last->problem);
      }
    };
    if (drift_->models() == 0) return;
    Progress none(0, true);
    Crew crew(static_cast<int>(drift_->models()), [&](int) { ending_run(ask); });
    attend(crew, none);
  }

  [[nodiscard]] int jobs() const {
    // Models are waited for: a match takes a sleeping thread.
    constexpr unsigned kModelJobs = 64;
    int jobs = options_.jobs > 0 ? options_.jobs : suite_.jobs;
    if (jobs <= 0)
      jobs = static_cast<int>(
          std::max(models_ ? kModelJobs : 1U, std::thread::hardware_concurrency()));
    return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(jobs),
                                                    std::max<std::uint64_t>(1, summary_.total)));
  }

  void play_all() {
    constexpr std::size_t kBatch = 16;
    const std::size_t batch = somebody_waits_ ? 1 : kBatch;
    const auto play = [&] {
      while (!is_over()) {
        const std::vector<MatchOrder::Task> tasks = order_->next(batch);
        if (tasks.empty()) return;
        for (const MatchOrder::Task& task : tasks) {
          if (is_over()) return;
          play_sequence(task);
        }
      }
    };
    Progress progress(summary_.total, options_.quiet || people_);
    const CrashNotes crash_notes;
    const int wanted = jobs();
    Crew crew(wanted, [&](int) { ending_run(play); });
    if (crew.size() < wanted)  // the number changes no result
      text::say(
          "only {} of {} threads can be started; raise the limits on threads and memory "
          "(`ulimit -u`, `ulimit -v`) or play with fewer --jobs\n",
          crew.size(), wanted);
    attend(crew, progress);
  }

  void play_sequence(const MatchOrder::Task& task) {
    const Scenario& s = suite_.scenarios[task.scenario];
    const design::PlannedMatch planned = s.plan->match(task.match);
    std::vector<std::string> carried(planned.agents.size());
    for (std::uint64_t position = 0; position < s.sequence; ++position)
      if (!play_one(task.scenario, planned, position, carried)) return;
  }

  [[nodiscard]] MatchSetup set_up(const Scenario& s, const design::PlannedMatch& planned,
                                  std::uint64_t position,
                                  const std::vector<std::string>& carried) const {
    const Treatment& t = s.treatments[planned.treatment];
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
    for (std::size_t i = 0; i < planned.agents.size(); ++i) {
      const AgentInGame* in =
          suite_.agents[static_cast<std::size_t>(planned.agents[i])].in(s.game->id);
      setup.seats.push_back(
          {in->agent.get(), dice_key(setup.luck_key, planned.repeat, in->digest, i), carried[i]});
    }
    return setup;
  }

  /// Plays one match of a sequence, or finds it played. False if the sequence cannot go on.
  bool play_one(std::size_t scenario, const design::PlannedMatch& planned, std::uint64_t position,
                std::vector<std::string>& carried) {
    const Scenario& s = suite_.scenarios[scenario];
    PlacedMatch match{scenario, planned, {}};
    if (archive_) {
      match = archive_->place(scenario, planned, position);
      if (const auto before = archive_->before(match.key.id);
          before != RunArchive::Before::not_played) {
        const bool broken = before == RunArchive::Before::game_fault;
        if (!broken && position + 1 < s.sequence)
          carried = archive_->carried(match.key.id, planned.agents.size());
        const std::lock_guard lock(mutex_);
        ++summary_.before;
        if (broken) ++summary_.game_faults;
        return !broken;
      }
    }
    MatchSetup setup = set_up(s, planned, position, carried);
    const bool waits = std::any_of(setup.seats.begin(), setup.seats.end(),
                                   [](const SeatSetup& seat) { return seat.agent->waits(); });
    if (archive_) {
      setup.shapes = archive_->shapes();
      setup.label = match.key.id.hex().substr(0, 8);
    } else {
      setup.record = waits || s.sequence > 1 || options_.on_match != nullptr;
    }
    // People and models may take long: the first Ctrl-C stops them, their answers are safe.
    if (options_.interrupt != nullptr)
      setup.cancel = waits ? &options_.interrupt->asked() : &options_.interrupt->insisted();
    MatchResult result = waits ? play_waiting(match, setup) : play_at_once(match, setup);
    note(match, setup, result);
    carried = std::move(result.carried);
    return result.end == End::finished;
  }

  /// A match of agents that answer at once.
  MatchResult play_at_once(const PlacedMatch& match, const MatchSetup& setup) {
    const Clock::time_point start = Clock::now();
    MatchResult result = play_noted(match, setup);
    if (archive_ && has_ended(result)) archive_->store(match, setup, result, wall_ms(start), {});
    return result;
  }

  /// A match with people or models: taken up where an earlier run left it, and saved as it goes.
  MatchResult play_waiting(const PlacedMatch& match, MatchSetup& setup) {
    const auto calls = std::make_shared<MatchLedger>(ledger_, match.key.id, setup.seats.size());
    setup.ledger = [&calls](int seat, std::uint32_t number, int attempt) {
      return calls->attempt(seat, number, attempt);
    };
    if (has_past_calls_) archive_->recall(match.key.id, *calls);
    std::optional<archive::PartialMatch> past;
    std::int64_t saves = 0;
    if (archive_) {
      past = archive_->partial(match.key.id);
      if (past) {
        setup.past = past->record;
        saves = past->sequence + 1;
      }
      setup.make_durable = [&](const std::string& record) {
        archive_->save(match, record, saves++, "");
      };
    }
    const Clock::time_point start = Clock::now();
    MatchResult result = play_noted(match, setup);
    if (!archive_) return result;
    if (has_ended(result))
      archive_->store(match, setup, result, wall_ms(start), calls->taken());
    else
      archive_->save(match, result.record, saves, result.problem);
    for (const HumanTiming& timing : result.timings) archive_->save(match, timing);
    return result;
  }

  /// Plays the match; who broke what is told if a plugin takes the process with it.
  MatchResult play_noted(const PlacedMatch& match, const MatchSetup& setup) const {
    const PlayingNote note({suite_.scenarios[match.scenario].name, setup.game->id,
                            plugin_files_[match.scenario], setup.label,
                            static_cast<std::int64_t>(match.planned.block)});
    return play_match(setup);
  }

  static bool has_ended(const MatchResult& result) {
    return result.end == End::finished || result.end == End::game_fault;
  }
  static double wall_ms(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  void note(const PlacedMatch& match, const MatchSetup& setup, const MatchResult& result) {
    const Scenario& s = suite_.scenarios[match.scenario];
    const std::string& plugin = plugin_files_[match.scenario];
    const std::lock_guard lock(mutex_);
    if (has_ended(result)) ++summary_.played;
    if (result.end == End::game_fault) ++summary_.game_faults;
    if (result.end == End::unfinished) ++summary_.unfinished;
    halt(result.halt, result.problem);
    if (result.end != End::finished && result.end != End::stopped && summary_.first_trouble.empty())
      summary_.first_trouble = s.name + (setup.label.empty() ? "" : ", match " + setup.label) +
                               (result.end == End::game_fault && !plugin.empty()
                                    ? " (game '" + std::string(s.game->id) + "' of " + plugin + ")"
                                    : "") +
                               ": " + result.problem;
    if (options_.on_match)
      options_.on_match(s, s.treatments[match.planned.treatment], match.planned.agents, result);
  }

  const Suite& suite_;
  const Catalogue& catalogue_;
  const RunOptions& options_;
  std::vector<std::string> plugin_files_;  // by scenario
  bool somebody_waits_ = false;
  bool people_ = false;
  bool models_ = false;
  bool has_past_calls_ = false;
  bool told_ = false;  // that the run is stopping
  const Clock::time_point start_ = Clock::now();
  std::string manifest_ = options_.manifest;

  std::optional<RunArchive> archive_;
  std::shared_ptr<RunLedger> ledger_;
  std::optional<DriftCheck> drift_;
  std::optional<MatchOrder> order_;

  std::mutex mutex_;  // of the summary
  RunSummary summary_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> halted_{false};
  std::exception_ptr failure_;
};

}  // namespace

RunSummary run_suite(const Suite& suite, const Catalogue& catalogue, const RunOptions& options) {
  return Run(suite, catalogue, options).go();
}

}  // namespace agon
