#include "run/runner.hpp"

#include <agon/conversion.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstdio>
#include <deque>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "allocation/allocation.hpp"
#include "allocation/stop_allocation.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/search_path.hpp"
#include "run/agent_checks.hpp"
#include "run/costs.hpp"
#include "run/crash.hpp"
#include "run/jobs.hpp"
#include "run/manifest.hpp"
#include "run/planned_match.hpp"
#include "run/quick_matches.hpp"
#include "run/run_archive.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

using Clock = std::chrono::steady_clock;

/// How long matches and calls in flight may take once somebody wants to stop.
constexpr std::chrono::milliseconds kPatience{1500};

/// How often a match is played whose game's process is killed, before the game is charged with it.
constexpr int kTriesOfKilled = 3;

/// The caps of the suite, and over them those of the command line.
Caps merged(Caps caps, const Caps& over) {
  if (over.cost) caps.cost = over.cost;
  if (over.tokens) caps.tokens = over.tokens;
  if (over.calls) caps.calls = over.calls;
  return caps;
}

/// Plays a suite with a pool of threads.
class Run {
 public:
  Run(const Suite& suite, const Catalogue& catalogue, const RunOptions& options)
      : suite_(suite), catalogue_(catalogue), options_(options), whole_(suite, catalogue) {
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
          models_ = models_ || in->agent->model_agent() != nullptr;
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
    play_all();
    play_again();
    // What was taken up again may be what a stop rule waited for.
    for (std::optional<std::uint64_t> looks;
         stop_ != nullptr && !stop_->done() && !is_over() && looks != stop_->state().looks;) {
      looks = stop_->state().looks;
      play_allocated();
      play_again();
    }
    if (stop_ != nullptr) {
      summary_.stop = stop_->state();
      if (stop_->done()) summary_.unfinished = 0;  // what was played ahead is not needed
      manifest_.stop = summary_.stop;
    }
    // What was not interrupted and played something tells how the models are now.
    if (drift_ && !interrupted() && !failed_ && summary_.halt == Halt::no &&
        summary_.played + summary_.unfinished > 0)
      ask_drift(drift::Phase::after);
    // Calls that are on their way are paid for: they are waited for, but not when somebody waits.
    const auto patience = Clock::now() + std::chrono::minutes(2);
    ledger_->drain([&] { return failed_ || is_out_of_patience() || Clock::now() > patience; });
    ledger_->close();
    summary_.calls = ledger_->budget().spent();
    if (summary_.halt != Halt::no)
      if (const std::string why = ledger_->budget().refusal(); !why.empty())
        summary_.halt_reason = why;
    // What was committed stays; the writer says what went wrong. What broke because the archive is
    // not what it was is told as that.
    if (archive_ && failure_ && !gone_) {
      Progress none(0, true);
      look_for_archive(none);
    }
    if (failure_ && !gone_) std::rethrow_exception(failure_);
    summary_.interrupted = interrupted();
    if (drift_ && !gone_) {
      summary_.drift = archive_->drift();
      manifest_.drift = drift_->manifest();
      manifest_.drift->results = summary_.drift;
    }
    if (archive_) {
      archive_->end(outcome(), final_manifest());
      archive_->close();
      summary_.rescued = archive_->writer().rescued().string();
    }
    playing_.reset();
    // What earlier runs asked is not known here.
    if (summary_.before == 0) summary_.unasked = unasked_.all();
    summary_.seconds = seconds();
    return summary_;
  }

 private:
  void open() {
    PriceList prices;
    const std::string& file = options_.prices.empty() ? suite_.prices : options_.prices;
    if (!file.empty()) prices = PriceList::read(file);
    archive::CallTotals before;
    if (suite_.stop) {
      auto stop = std::make_unique<StopAllocation>(suite_, static_cast<std::size_t>(jobs()));
      stop_ = stop.get();
      allocation_ = std::move(stop);
      manifest_.stop = stop_->state();
    } else if (options_.people != nullptr || (is_quick() && !somebody_waits_)) {
      allocation_ = std::make_unique<PlanInTurn>(suite_);
    } else {
      allocation_ = std::make_unique<WholePlan>(suite_);
    }
    if (!options_.archive.empty()) {
      archive_.emplace(suite_, options_.archive, options_.retry_set_aside);
      if (!options_.drift_questions.empty()) {
        drift_.emplace(options_.drift_questions, suite_);
        archive_->writer().store("drift", drift_->text());
        manifest_.drift = drift_->manifest();
      }
      archive_->begin(catalogue_, options_.command, write_json(manifest_));
      if (!options_.quiet) text::say("{}", describe_other_suite(*archive_, options_.archive));
      text::say("{}", describe_changed(archive_->changed_plugins(), archive_->changed_programs()));
      before = archive_->taken_before(prices);
      summary_.before = archive_->finished_before();
      summary_.game_faults = archive_->broken_before();
    }
    if (!options_.quiet) tell_suppliers();
    has_past_calls_ = before.calls > 0;
    ledger_ = std::make_shared<RunLedger>(
        archive_ ? &archive_->writer() : nullptr, archive_ ? archive_->run() : 0,
        merged(suite_.caps, options_.caps), std::move(prices), before);
  }

  /// Whose games are played, where they are not Agon's own.
  void tell_suppliers() const {
    std::set<std::string> games;
    for (const Scenario& s : suite_.scenarios) {
      const PluginEntry* plugin = catalogue_.plugin_of_game(s.game->id);
      if (plugin != nullptr && !plugin::comes_with_agon(plugin->path)) games.emplace(s.game->id);
    }
    if (games.empty()) return;
    const std::string words = describe_suppliers(plugins_at_hand(catalogue_), games);
    text::say("{}\n", text::printable(words));
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }

  [[nodiscard]] std::string_view outcome() const {
    if (gone_) return "moved";
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

  [[nodiscard]] std::string final_manifest() {
    add_calls(manifest_, *ledger_);
    return write_json(manifest_);
  }

  [[nodiscard]] bool interrupted() const {
    return options_.stop != nullptr && options_.stop->asked;
  }
  /// Somebody wants to stop, and has waited for long enough, or does not want to wait at all.
  [[nodiscard]] bool is_out_of_patience() {
    if (!interrupted()) return false;
    if (!asked_at_) asked_at_ = Clock::now();
    return options_.stop->insisted || Clock::now() - *asked_at_ > kPatience;
  }
  /// Nothing more is to be begun.
  [[nodiscard]] bool is_over() const { return interrupted() || failed_ || halted_ || gone_; }

  /// Called with the mutex held.
  void halt(Halt why, const std::string& reason) {
    if (why == Halt::no || summary_.halt != Halt::no) return;
    summary_.halt = why;
    summary_.halt_reason = reason;
    halted_ = true;
  }

  /// Waits for a pool, shows how far it is and heeds whoever wants to stop it.
  void attend(ThreadPool& pool, Progress& progress) {
    while (!pool.is_done_within(std::chrono::milliseconds(100))) {
      if (is_over()) over_.request_stop();
      if (interrupted()) stopping(progress);
      look_for_archive(progress);
      if (playing_) playing_->look();
      const std::lock_guard lock(mutex_);
      progress.show(summary_.before + summary_.played, summary_.before,
                    summary_.unfinished + summary_.game_faults);
    }
    try {
      pool.finish();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }

  /// An archive that was moved, removed, replaced, truncated or overwritten, or whose log was,
  /// takes no more matches; what it had is saved.
  void look_for_archive(Progress& progress) {
    if (!archive_ || gone_) return;
    using Fate = archive::Writer::Fate;
    const archive::Writer& writer = archive_->writer();
    if (writer.is_in_place() && writer.looks_whole()) return;
    // Now, and not only at the end: nothing but this process holds it any more.
    keeping_failure([&] { archive_->writer().flush(); });
    if (writer.fate() == Fate::whole) return;  // it was touched, and no more
    gone_ = true;
    progress.clear();
    text::say("{} was {}: no more matches are begun, and what was there is saved\n",
              text::printable(options_.archive),
              writer.fate() == Fate::gone ? "moved, removed or replaced"
                                          : "truncated or overwritten, or its log (-wal) was");
  }

  /// What goes wrong while matches are in flight is thrown when they have ended: who would throw it
  /// now waits for those that hang.
  template <class Work>
  void keeping_failure(Work work) {
    try {
      work();
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
  }

  /// Somebody asked to stop, and matches are still in flight.
  void stopping(Progress& progress) {
    asked_.request_stop();
    if (options_.stop->insisted) insisted_.request_stop();
    const bool is_out = is_out_of_patience();
    if (playing_) playing_->leave();
    if (!told_ && !options_.quiet) {
      progress.clear();
      text::say("stopping; what is in flight has {:.1f} s; Ctrl-C again: now\n",
                std::chrono::duration<double>(kPatience).count());
      std::fflush(stderr);
    }
    told_ = true;
    if (!options_.abandon || !is_out) return;
    RunSummary summary;
    {
      const std::lock_guard lock(mutex_);
      summary = summary_;
    }
    keeping_failure([&] {
      if (stop_ != nullptr) {
        summary.stop = stop_->state();
        manifest_.stop = summary.stop;
      }
      if (!archive_) return;
      archive_->end("interrupted", final_manifest());
      if (!gone_) return;
      archive_->close();
      summary.rescued = archive_->writer().rescued().string();
    });
    progress.clear();
    summary.interrupted = true;
    summary.seconds = seconds();
    options_.abandon(summary, failure_);
  }

  /// What one thread of a pool does. What it throws ends the run.
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
    ThreadPool pool(static_cast<int>(drift_->models()), [&](int) { ending_run(ask); });
    attend(pool, none);
  }

  [[nodiscard]] int jobs() const {
    // Models are waited for: a match takes a sleeping thread.
    constexpr unsigned kModelJobs = 64;
    int jobs = options_.jobs > 0 ? options_.jobs : suite_.jobs;
    if (jobs <= 0)
      jobs = static_cast<int>(
          std::max(models_ ? kModelJobs : 1U, std::thread::hardware_concurrency()));
    // A match that waits for people, or for what they say, takes a sleeping thread: beside them
    // others go on.
    if (options_.people != nullptr)
      jobs += static_cast<int>(std::min<std::size_t>(options_.people->most_tables(), kMostJobs));
    return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(jobs),
                                                    std::max<std::uint64_t>(1, summary_.total)));
  }

  /// Whether matches of agents that answer at once go into columns. Anyone who wants to know of
  /// each match is told by the usual way.
  [[nodiscard]] bool is_quick() const {
    return !options_.archive.empty() && !options_.keep_records && !options_.on_match &&
           !whole_.any() && !suite_.scenarios.front().as_seated;
  }

  void play_all() {
    if (archive_) playing_.emplace(archive_->path(), jobs());
    take_known();
    play_suspects();
    play_allocated();
  }

  /// What a stop rule makes of the archive as it is: threads would play ahead of what they only
  /// read.
  void take_known() {
    if (stop_ == nullptr || !archive_) return;
    stop_->take_known(
        [&](const Allocation::Task& task) -> std::optional<std::vector<archive::MatchRow>> {
          const Scenario& s = suite_.scenarios[task.scenario];
          const design::PlannedMatch planned = s.plan->match(task.match);
          std::vector<archive::MatchRow> matches;
          for (std::uint64_t position = 0; position < s.sequence && !is_over(); ++position) {
            const PlacedMatch match = archive_->place(task.scenario, planned, position);
            const auto before = archive_->before(match);
            if (before == RunArchive::Before::not_played) return std::nullopt;
            matches.push_back(archive_->outcome(match.key.id));
            if (before == RunArchive::Before::game_fault) break;
          }
          if (is_over()) return std::nullopt;
          return matches;
        });
  }

  void play_allocated() {
    constexpr std::size_t kBatch = 16;
    constexpr std::size_t kWholeBatch = 64;  // what makes the way to another process short
    constexpr std::size_t kQuickBatch = 256;
    const bool quick = is_quick() && !allocation_->watches();
    const std::size_t batch = somebody_waits_ ? 1
                              : whole_.any()  ? kWholeBatch
                              : quick         ? kQuickBatch
                                              : kBatch;
    with_threads(jobs(), [&](std::size_t, PlayingSlot* slot) {
      const std::vector<Allocation::Task> tasks =
          allocation_->next(batch, [this] { return is_over(); });
      std::unique_ptr<QuickMatches> player = quick ? take_quick() : nullptr;
      const bool goes_on = play_tasks(tasks, player.get(), slot);
      if (player) give_back(std::move(player));
      return goes_on && !tasks.empty();
    });
    for (const auto& player : quick_) player->store(true);
  }

  /// False: the run is over.
  bool play_tasks(const std::vector<Allocation::Task>& tasks, QuickMatches* player,
                  PlayingSlot* slot) {
    std::deque<WholeTask> elsewhere;
    for (const Allocation::Task& task : tasks) {
      if (is_over()) return false;
      if (played_first_.contains({task.scenario, task.match})) continue;
      if (player != nullptr && player->play(task, slot)) {
        allocation_->ended(task, true);
        continue;
      }
      if (!elsewhere.empty() && elsewhere.front().match.scenario != task.scenario)
        play_elsewhere(std::exchange(elsewhere, {}), slot);
      if (!add_whole(task, elsewhere)) play_sequence(task, slot);
    }
    play_elsewhere(std::move(elsewhere), slot);
    return true;
  }

  /// Who plays matches without records, for one thread at a time.
  std::unique_ptr<QuickMatches> take_quick() {
    const std::lock_guard lock(mutex_);
    if (quick_.empty())
      return std::make_unique<QuickMatches>(suite_, *archive_, plugin_files_,
                                            insisted_.get_token());
    std::unique_ptr<QuickMatches> player = std::move(quick_.back());
    quick_.pop_back();
    return player;
  }
  void give_back(std::unique_ptr<QuickMatches> player) {
    player->store(false);
    const std::lock_guard lock(mutex_);
    summary_.played += player->take_played();
    quick_.push_back(std::move(player));
  }

  /// A match that is played as a whole in the process of its game's plugin.
  struct WholeTask {
    Allocation::Task task;
    PlacedMatch match;
    MatchSetup setup;
    remote::WholeMatch whole{};
  };

  /// Adds a match that has to be played, and can be played so. False: it is not one.
  bool add_whole(const Allocation::Task& task, std::deque<WholeTask>& tasks) {
    if (!whole_.any()) return false;
    const Scenario& s = suite_.scenarios[task.scenario];
    PlacedMatch match{task.scenario, s.plan->match(task.match), {}};
    if (archive_) {
      match = archive_->place(task.scenario, match.planned, 0);
      if (archive_->before(match) != RunArchive::Before::not_played) return false;
    }
    MatchSetup setup = set_up(match, 0, std::vector<std::string>(match.planned.agents.size()));
    WholeTask& added = tasks.emplace_back(WholeTask{task, std::move(match), std::move(setup)});
    const auto whole = whole_.whole(task.scenario, added.match.planned, added.setup);
    if (whole)
      added.whole = *whole;
    else
      tasks.pop_back();
    return whole.has_value();
  }

  /// Plays matches of one scenario. Where the game or its process breaks, they are played again one
  /// by one and question by question, so that it is known which of them did that, and where.
  void play_elsewhere(std::deque<WholeTask> tasks, PlayingSlot* slot) {
    if (tasks.empty()) return;
    std::vector<remote::WholeMatch> matches;
    for (const WholeTask& task : tasks) matches.push_back(task.whole);
    const std::size_t scenario = tasks.front().match.scenario;
    std::unique_ptr<remote::BatchPlayer> player = whole_.take(scenario);
    const std::vector<std::size_t> rest = player->play(
        matches,
        [&](std::size_t i, remote::BatchResult&& played) {
          const WholeTask& task = tasks[i];
          MatchResult& result = played.result;
          note_answers(task.match, task.setup, result);
          if (archive_) archive_->store(task.match, task.setup, result, played.wall_ms, {});
          note(task.match, task.setup, result);
          if (allocation_->watches())
            allocation_->played(task.task, RunArchive::outcome(task.setup, result));
          allocation_->ended(task.task, true);
        },
        [this] { return is_over(); });
    whole_.give_back(scenario, std::move(player));
    for (const std::size_t i : rest)
      if (!is_over()) play_sequence(tasks[i].task, slot);
  }

  /// Does pieces of work, each by its number, on so many threads, until one says that there are no
  /// more or the run is over.
  void with_threads(int wanted,
                    const std::function<bool(std::size_t number, PlayingSlot*)>& piece) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      PlayingSlot* const slot = playing_ ? playing_->take() : nullptr;
      while (!is_over() && piece(next++, slot)) {
      }
      if (slot != nullptr) playing_->give_back(slot);
    };
    Progress progress(summary_.total, options_.quiet || people_);
    const CrashNotes crash_notes(archive_ ? &archive_->writer().progress() : nullptr);
    ThreadPool pool(wanted, [&](int) { ending_run(work); });
    if (pool.size() < wanted)  // the number changes no result
      text::say(
          "only {} of {} threads can be started; raise the limits on threads and memory "
          "(`ulimit -u`, `ulimit -v`) or play with fewer --jobs\n",
          pool.size(), wanted);
    attend(pool, progress);
  }

  /// What was played when an earlier run went down comes first and one by one, so that it is known
  /// which match it was; what took two runs down is not played any more.
  void play_suspects() {
    if (!playing_ || playing_->suspects().empty()) return;
    std::vector<Suspect> tasks;
    for (const Suspect& suspect : playing_->suspects()) {
      const auto place = place_of(suspect);
      if (!place || archive_->before(*place) != RunArchive::Before::not_played) {
        playing_->clear(suspect.match);
      } else if (suspect.times < 2) {
        tasks.push_back(suspect);
      } else {
        set_aside(*place, suspect);
      }
    }
    // Where its sequence is played, what came before is found or played, and this one is found.
    archive_->writer().flush();
    if (!tasks.empty() && !options_.quiet)
      text::say(
          "an earlier run went down: {} played first, one by one\n",
          text::counted(tasks.size(), "match that it was at is", "matches that it was at are"));
    with_threads(1, [&](std::size_t number, PlayingSlot* slot) {
      if (number >= tasks.size()) return false;
      const Suspect& suspect = tasks[number];
      if (!played_first_.insert({suspect.scenario, suspect.planned}).second) return true;
      play_sequence({suspect.scenario, suspect.planned}, slot);
      if (!is_over()) playing_->clear(suspect.match);
      return true;
    });
  }

  /// The suspect in this suite; nothing if the suite was changed and has it not, or elsewhere.
  [[nodiscard]] std::optional<PlacedMatch> place_of(const Suspect& suspect) const {
    if (suspect.scenario >= suite_.scenarios.size()) return std::nullopt;
    const Scenario& s = suite_.scenarios[suspect.scenario];
    if (suspect.planned >= s.plan->size()) return std::nullopt;
    for (std::uint64_t position = 0; position < s.sequence; ++position) {
      PlacedMatch match =
          archive_->place(suspect.scenario, s.plan->match(suspect.planned), position);
      if (match.key.id == suspect.match) return match;
    }
    return std::nullopt;
  }

  void set_aside(const PlacedMatch& match, const Suspect& suspect) {
    const Scenario& s = suite_.scenarios[match.scenario];
    const MatchSetup setup =
        match_setup(suite_, s, match.planned, static_cast<std::uint64_t>(match.key.position),
                    std::vector<std::string>(match.planned.agents.size()));
    const std::string reason =
        "it took the run down twice, and was set aside: " + describe(suspect);
    archive_->set_aside(match, setup, reason);
    playing_->clear(suspect.match);
    const std::lock_guard lock(mutex_);
    ++summary_.played;
    ++summary_.game_faults;
    ++summary_.set_aside;
    tell_first(match, match.key.id.hex().substr(0, 8), true, reason);
  }

  /// What an outage left is tried again, as long as that brings anything: the outage may be over.
  void play_again() {
    if (!archive_ || people_) return;
    for (std::uint64_t finished = 1; finished > 0 && !again_.empty() && !is_over();) {
      const std::vector<Again> tasks = std::exchange(again_, {});
      const std::uint64_t before = summary_.played;
      summary_.unfinished -= tasks.size();
      if (!options_.quiet)
        text::say("{} left unfinished by a failing service: tried again\n",
                  text::counted(tasks.size(), "match was", "matches were"));
      has_past_calls_ = true;
      std::atomic<std::size_t> begun{0};
      with_threads(std::min<int>(jobs(), static_cast<int>(tasks.size())),
                   [&](std::size_t number, PlayingSlot* slot) {
                     if (number >= tasks.size()) return false;
                     ++begun;
                     Again task = tasks[number];
                     play_from(task.task, task.position, std::move(task.carried), slot);
                     return true;
                   });
      summary_.unfinished += tasks.size() - begun;
      finished = summary_.played - before;
    }
  }

  void play_sequence(const Allocation::Task& task, PlayingSlot* slot) {
    const Scenario& s = suite_.scenarios[task.scenario];
    play_from(task, 0, std::vector<std::string>(s.plan->match(task.match).agents.size()), slot);
  }

  /// Plays the matches of a sequence from `position` on; `carried`: what its seats bring along.
  void play_from(const Allocation::Task& task, std::uint64_t position,
                 std::vector<std::string> carried, PlayingSlot* slot) {
    const Scenario& s = suite_.scenarios[task.scenario];
    End end = End::finished;
    for (; position < s.sequence && end == End::finished; ++position)
      end = play_one(task, s.plan->match(task.match), position, carried, slot);
    allocation_->ended(task, has_ended(end));
  }

  /// Plays one match of a sequence, or finds it played. Unless it is finished, the sequence cannot
  /// go on.
  End play_one(const Allocation::Task& task, const design::PlannedMatch& planned,
               std::uint64_t position, std::vector<std::string>& carried, PlayingSlot* slot) {
    const Scenario& s = suite_.scenarios[task.scenario];
    PlacedMatch match{task.scenario, planned, {}};
    if (archive_) {
      match = archive_->place(task.scenario, planned, position);
      if (const auto before = archive_->before(match); before != RunArchive::Before::not_played) {
        const bool broken = before == RunArchive::Before::game_fault;
        if (!broken && position + 1 < s.sequence)
          carried = archive_->carried(match.key.id, planned.agents.size());
        if (allocation_->watches()) allocation_->played(task, archive_->outcome(match.key.id));
        return broken ? End::game_fault : End::finished;
      }
    }
    MatchSetup setup = set_up(match, position, carried);
    const bool people = options_.people != nullptr &&
                        std::any_of(setup.seats.begin(), setup.seats.end(),
                                    [](const SeatSetup& seat) { return is_person(*seat.agent); });
    const bool waits = std::any_of(setup.seats.begin(), setup.seats.end(),
                                   [](const SeatSetup& seat) { return seat.agent->waits(); });
    if (people && !options_.people->seat({s, planned.block, match.key.id, first_of(task, planned),
                                          task.scenario, task.match},
                                         setup, over_.get_token()))
      return End::stopped;
    // People and models may take long: the first Ctrl-C stops them, their answers are safe.
    setup.cancel = (waits ? asked_ : insisted_).get_token();
    if (slot != nullptr) {
      slot->match = match.key.id;
      slot->scenario = task.scenario;
      slot->planned = task.match;
      slot->waits = waits;
      setup.trace = &slot->trace;
    }
    MatchResult result;
    try {
      result = waits ? play_waiting(match, setup, slot) : play_at_once(match, setup, slot);
    } catch (...) {
      result.end = End::stopped;
      if (people) options_.people->stand_up(match.key.id, result);
      throw;
    }
    if (people) options_.people->stand_up(match.key.id, result);
    note(match, setup, result);
    if (allocation_->watches() && has_ended(result.end))
      allocation_->played(task, RunArchive::outcome(setup, result));
    if (result.outage) {
      const std::lock_guard lock(mutex_);
      again_.push_back({task, position, carried});
    }
    carried = std::move(result.carried);
    return result.end;
  }

  /// A match of this run, as it is set up.
  [[nodiscard]] MatchSetup set_up(const PlacedMatch& match, std::uint64_t position,
                                  const std::vector<std::string>& carried) const {
    const Scenario& s = suite_.scenarios[match.scenario];
    MatchSetup setup = match_setup(suite_, s, match.planned, position, carried);
    const bool waits = std::any_of(setup.seats.begin(), setup.seats.end(),
                                   [](const SeatSetup& seat) { return seat.agent->waits(); });
    if (archive_) {
      setup.record = options_.keep_records || waits || s.sequence > 1;
      setup.shapes = archive_->shapes();
      setup.label = match.key.id.hex().substr(0, 8);
    } else {
      setup.record = waits || s.sequence > 1 || options_.on_match != nullptr;
    }
    return setup;
  }

  /// The first match of its sequence.
  archive::MatchId first_of(const Allocation::Task& task,
                            const design::PlannedMatch& planned) const {
    return archive_->place(task.scenario, planned, 0).key.id;
  }

  /// A match of agents that answer at once.
  MatchResult play_at_once(const PlacedMatch& match, const MatchSetup& setup, PlayingSlot* slot) {
    const Clock::time_point start = Clock::now();
    MatchResult result = play_noted(match, setup, slot);
    note_answers(match, setup, result);
    if (archive_ && has_ended(result.end))
      archive_->store(match, setup, result, wall_ms(start), {});
    return result;
  }

  /// A match with people or models: taken up where an earlier run left it, and saved as it goes.
  MatchResult play_waiting(const PlacedMatch& match, MatchSetup& setup, PlayingSlot* slot) {
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
    MatchResult result = play_noted(match, setup, slot);
    note_answers(match, setup, result);
    if (!archive_) return result;
    // First: what has ended is not looked at again.
    for (const HumanTiming& timing : result.timings) archive_->save(match, timing);
    if (has_ended(result.end))
      archive_->store(match, setup, result, wall_ms(start), calls->taken());
    else
      archive_->save(match, result.record, saves, result.problem);
    return result;
  }

  /// Plays the match; who broke what is told if a plugin takes the process with it.
  MatchResult play_noted(const PlacedMatch& match, const MatchSetup& setup,
                         PlayingSlot* slot) const {
    const PlayingNote note({suite_.scenarios[match.scenario].name, setup.game->id,
                            plugin_files_[match.scenario], setup.label,
                            static_cast<std::int64_t>(match.planned.block), slot});
    if (slot != nullptr) slot->trace.begin();
    MatchResult result = play_match(setup);
    // Who kills the process of a game is mostly not the game.
    const auto is_killed = [&] { return result.process_end == ProcessEnd::killed; };
    for (int tries = kTriesOfKilled; is_killed() && tries > 1 && !is_over(); --tries)
      result = play_on(setup, std::move(result));
    if (slot != nullptr) slot->trace.end();
    return result;
  }

  /// Plays a match again whose game was killed; what people and models had answered stays.
  static MatchResult play_on(const MatchSetup& setup, MatchResult killed) {
    MatchSetup again = setup;
    if (setup.make_durable) again.past = killed.record;
    MatchResult result = play_match(again);
    result.timings.insert(result.timings.begin(), std::make_move_iterator(killed.timings.begin()),
                          std::make_move_iterator(killed.timings.end()));
    return result;
  }

  static bool has_ended(End end) { return end == End::finished || end == End::game_fault; }
  static double wall_ms(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

  void note(const PlacedMatch& match, const MatchSetup& setup, const MatchResult& result) {
    const std::lock_guard lock(mutex_);
    if (has_ended(result.end)) ++summary_.played;
    if (result.end == End::game_fault) ++summary_.game_faults;
    if (result.end == End::unfinished) ++summary_.unfinished;
    halt(result.halt, result.problem);
    if (result.end != End::finished && result.end != End::stopped)
      tell_first(match, setup.label, result.end == End::game_fault, result.problem);
    const Scenario& s = suite_.scenarios[match.scenario];
    if (options_.on_match)
      options_.on_match(s, s.treatments[match.planned.treatment], match.planned.agents, result);
  }

  /// Counts the answers that were fallbacks, and notes what was asked, while the result still has
  /// its record.
  void note_answers(const PlacedMatch& match, const MatchSetup& setup, const MatchResult& result) {
    const bool is_forced =
        std::any_of(result.forced.begin(), result.forced.end(), [](auto n) { return n > 0; });
    if (!has_ended(result.end) || !(is_forced || unasked_.is_needed())) return;
    const std::lock_guard lock(mutex_);
    const Scenario& s = suite_.scenarios[match.scenario];
    const std::vector<int>& agents = match.planned.agents;
    for (std::size_t seat = 0; seat < agents.size(); ++seat)
      unasked_.note(suite_.agents[static_cast<std::size_t>(agents[seat])].name(), s.game->id,
                    result.record, static_cast<int>(seat));
    for (std::size_t seat = 0; seat < std::min(result.forced.size(), agents.size()); ++seat) {
      if (result.forced[seat] == 0) continue;
      const std::string& name = suite_.agents[static_cast<std::size_t>(agents[seat])].name();
      auto& all = summary_.fallbacks;
      auto found = std::find_if(all.begin(), all.end(), [&](const RunSummary::Fallbacks& one) {
        return one.agent == name && one.game == s.game->id;
      });
      if (found == all.end()) {
        found = all.insert(all.end(), {name, std::string(s.game->id), 0, 0, {}});
        if (!result.record.empty())
          found->first = (setup.label.empty() ? "" : "match " + setup.label + ", ") +
                         record::first_fallback(result.record, static_cast<int>(seat));
      }
      found->answers += result.forced[seat];
      ++found->matches;
    }
  }

  /// Keeps the first trouble for the summary. Called with the mutex held.
  void tell_first(const PlacedMatch& match, const std::string& label, bool game_broke,
                  const std::string& problem) {
    if (!summary_.first_trouble.empty()) return;
    const Scenario& s = suite_.scenarios[match.scenario];
    const std::string& plugin = plugin_files_[match.scenario];
    summary_.first_trouble = s.name + (label.empty() ? "" : ", match " + label) +
                             (game_broke && !plugin.empty()
                                  ? " (game '" + std::string(s.game->id) + "' of " + plugin + ")"
                                  : "") +
                             ": " + problem;
  }

  /// A match that an outage left unfinished, and what its seats brought along.
  struct Again {
    Allocation::Task task;
    std::uint64_t position = 0;
    std::vector<std::string> carried;
  };

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
  Manifest manifest_ = planned_manifest(suite_);
  WholeMatches whole_;  // before the archive: it keeps types that shapes are of

  std::optional<RunArchive> archive_;
  std::shared_ptr<RunLedger> ledger_;
  std::optional<DriftCheck> drift_;
  std::unique_ptr<Allocation> allocation_;
  StopAllocation* stop_ = nullptr;  // allocation_, if the suite has a stop rule
  std::optional<PlayingFile> playing_;
  std::set<std::pair<std::size_t, std::uint64_t>> played_first_;  // scenario and number of its plan
  std::optional<Clock::time_point> asked_at_;                     // when somebody wanted to stop
  // A signal can set a flag and no more: who attends a pool passes it on to matches that sleep.
  std::stop_source asked_;
  std::stop_source insisted_;
  std::stop_source over_;  // nothing more is begun: whoever waits for people need not

  std::mutex mutex_;  // of the four that follow
  std::vector<std::unique_ptr<QuickMatches>> quick_;
  RunSummary summary_;
  UnaskedStages unasked_{suite_};
  std::vector<Again> again_;
  std::atomic<bool> failed_{false};
  std::atomic<bool> halted_{false};
  std::atomic<bool> gone_{false};  // the archive, from its place
  std::exception_ptr failure_;
};

}  // namespace

RunSummary run_suite(const Suite& suite, const Catalogue& catalogue, const RunOptions& options) {
  return Run(suite, catalogue, options).go();
}

}  // namespace agon
