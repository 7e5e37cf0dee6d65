#include "run/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "run/planned_match.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace agon {

Scheduler::Scheduler(RunSetup& setup, RunTally& tally, Attendant& attendant)
    : setup_(setup), tally_(tally), attendant_(attendant), player_(setup, tally, attendant) {
  const Suite& suite = setup.suite;
  if (suite.stop) {
    auto stop = std::make_unique<StopAllocation>(suite, static_cast<std::size_t>(jobs()));
    stop_ = stop.get();
    allocation_ = std::move(stop);
  } else if (setup.options.people != nullptr || (is_quick() && !setup.waits)) {
    allocation_ = std::make_unique<PlanInTurn>(suite);
  } else {
    allocation_ = std::make_unique<WholePlan>(suite);
  }
}

void Scheduler::play() {
  if (setup_.archive) setup_.playing.emplace(setup_.archive->path(), jobs());
  take_known();
  play_suspects();
  play_allocated();
}

void Scheduler::resume() {
  retry_outages();
  // What was tried again may be what a stop rule waited for.
  for (std::optional<std::uint64_t> looks; stop_ != nullptr && !stop_->done() &&
                                           !attendant_.is_over() &&
                                           looks != stop_->state().looks;) {
    looks = stop_->state().looks;
    play_allocated();
    retry_outages();
  }
}

std::optional<StopState> Scheduler::stop_state() const {
  if (stop_ == nullptr) return std::nullopt;
  return stop_->state();
}

int Scheduler::jobs() const {
  const RunOptions& options = setup_.options;
  int jobs = options.jobs > 0 ? options.jobs : setup_.suite.jobs;
  if (jobs <= 0)
    // A stopping rule would have all of them played ahead of its first look.
    jobs = setup_.batches && !setup_.suite.stop
               ? kBatchJobs
               : std::max(setup_.models ? kModelJobs : 1,
                          static_cast<int>(std::thread::hardware_concurrency()));
  // A match that waits for people, or for what they say, takes a sleeping thread: others go on.
  if (options.people != nullptr)
    jobs += static_cast<int>(std::min<std::size_t>(options.people->most_tables(), kMostJobs));
  return static_cast<int>(std::min<std::uint64_t>(
      static_cast<std::uint64_t>(jobs), std::max<std::uint64_t>(1, setup_.suite.matches())));
}

/// Whether matches of agents that answer at once go into columns. Anyone who wants to know of each
/// match is told by the usual way.
bool Scheduler::is_quick() const {
  const RunOptions& options = setup_.options;
  return !options.archive.empty() && !options.keep_records && !options.on_match &&
         !setup_.whole.any() && std::ranges::none_of(setup_.suite.scenarios, &Scenario::as_seated);
}

/// What a stop rule makes of the archive as it is: threads would play ahead of what they only read.
void Scheduler::take_known() {
  if (stop_ == nullptr || !setup_.archive) return;
  RunArchive& archive = *setup_.archive;
  stop_->take_known(
      [&](const Allocation::Task& task) -> std::optional<std::vector<archive::MatchRow>> {
        const Scenario& s = setup_.suite.scenarios[task.scenario];
        const design::PlannedMatch planned = s.plan->match(task.match);
        std::vector<archive::MatchRow> matches;
        for (std::uint64_t position = 0; position < s.sequence && !attendant_.is_over();
             ++position) {
          const PlacedMatch match = archive.keys().place(task.scenario, planned, position);
          const auto before = archive.before(match);
          if (before == RunArchive::Before::not_played) return std::nullopt;
          matches.push_back(archive.outcome(match.key.id));
          if (before == RunArchive::Before::game_fault) break;
        }
        if (attendant_.is_over()) return std::nullopt;
        return matches;
      });
}

/// What was played when an earlier run went down comes first and one by one, so that it is known
/// which match it was; what took two runs down is not played any more.
void Scheduler::play_suspects() {
  if (!setup_.playing || setup_.playing->suspects().empty()) return;
  std::vector<Suspect> tasks;
  for (const Suspect& suspect : setup_.playing->suspects()) {
    const auto place = place_of(suspect);
    if (!place || setup_.archive->before(*place) != RunArchive::Before::not_played) {
      setup_.playing->clear(suspect.match);
    } else if (suspect.times < 2) {
      tasks.push_back(suspect);
    } else {
      set_aside(*place, suspect);
    }
  }
  // Where its sequence is played, what came before is found or played, and this one is found.
  setup_.archive->writer().flush();
  if (!tasks.empty() && !setup_.options.quiet)
    text::say("an earlier run went down: {} played first, one by one\n",
              text::counted(tasks.size(), "match that it was at is", "matches that it was at are"));
  attendant_.play(1, [&](std::size_t number, PlayingSlot* slot) {
    if (number >= tasks.size()) return false;
    const Suspect& suspect = tasks[number];
    const Allocation::Task task{suspect.scenario, suspect.planned};
    if (!played_first_.insert(task).second) return true;
    play_sequence(task, slot);
    if (!attendant_.is_over()) setup_.playing->clear(suspect.match);
    return true;
  });
}

std::optional<PlacedMatch> Scheduler::place_of(const Suspect& suspect) const {
  if (suspect.scenario >= setup_.suite.scenarios.size()) return std::nullopt;
  const Scenario& s = setup_.suite.scenarios[suspect.scenario];
  if (suspect.planned >= s.plan->size()) return std::nullopt;
  for (std::uint64_t position = 0; position < s.sequence; ++position) {
    PlacedMatch match =
        setup_.archive->keys().place(suspect.scenario, s.plan->match(suspect.planned), position);
    if (match.key.id == suspect.match) return match;
  }
  return std::nullopt;
}

void Scheduler::set_aside(const PlacedMatch& match, const Suspect& suspect) {
  const MatchSetup setup =
      match_setup(setup_.suite, setup_.suite.scenarios[match.scenario], match.planned,
                  static_cast<std::uint64_t>(match.key.position),
                  std::vector<std::string>(match.planned.agents.size()));
  const std::string reason = "it took the run down twice, and was set aside: " + describe(suspect);
  setup_.archive->set_aside(match, setup, reason);
  setup_.playing->clear(suspect.match);
  tally_.note_set_aside(match, reason);
}

void Scheduler::play_allocated() {
  constexpr std::size_t kBatch = 16;
  constexpr std::size_t kWholeBatch = 64;  // what makes the way to another process short
  constexpr std::size_t kQuickBatch = 256;
  const bool quick = is_quick() && !allocation_->watches();
  const std::size_t batch = setup_.waits         ? 1
                            : setup_.whole.any() ? kWholeBatch
                            : quick              ? kQuickBatch
                                                 : kBatch;
  attendant_.play(jobs(), [&](std::size_t, PlayingSlot* slot) {
    const std::vector<Allocation::Task> tasks =
        allocation_->next(batch, [this] { return attendant_.is_over(); });
    std::unique_ptr<QuickMatches> player = quick ? player_.take_quick() : nullptr;
    const bool goes_on = play_tasks(tasks, player.get(), slot);
    if (player) player_.give_back(std::move(player));
    return goes_on && !tasks.empty();
  });
  player_.store_quick();
}

/// False: the run is over.
bool Scheduler::play_tasks(const std::vector<Allocation::Task>& tasks, QuickMatches* quick,
                           PlayingSlot* slot) {
  std::deque<MatchPlayer::WholeTask> whole;
  for (const Allocation::Task& task : tasks) {
    if (attendant_.is_over()) return false;
    if (played_first_.contains(task)) continue;
    if (quick != nullptr && quick->play(task, slot)) {
      allocation_->ended(task, true);
      continue;
    }
    if (!whole.empty() && whole.front().match.scenario != task.scenario)
      play_whole(std::exchange(whole, {}), slot);
    if (!player_.add_whole(task, whole)) play_sequence(task, slot);
  }
  play_whole(std::move(whole), slot);
  return true;
}

void Scheduler::play_whole(std::deque<MatchPlayer::WholeTask> tasks, PlayingSlot* slot) {
  const auto ended = [this](const Allocation::Task& task, SequenceStep played) {
    note(task, played);
    allocation_->ended(task, true);
  };
  for (const Allocation::Task& task : player_.play_whole(tasks, ended))
    if (!attendant_.is_over()) play_sequence(task, slot);
}

/// What an outage left is tried again, as long as that brings anything: it may be over.
void Scheduler::retry_outages() {
  if (!setup_.archive || setup_.people) return;
  for (std::uint64_t finished = 1; finished > 0 && !outages_.empty() && !attendant_.is_over();) {
    const std::vector<OpenSequence> tasks = std::exchange(outages_, {});
    const std::uint64_t before = tally_.summary().played;
    tally_.update([&](RunSummary& summary) { summary.unfinished -= tasks.size(); });
    if (!setup_.options.quiet)
      text::say("{} left unfinished by a failing service: tried again\n",
                text::counted(tasks.size(), "match was", "matches were"));
    setup_.has_past_calls = true;
    std::atomic<std::size_t> begun{0};
    attendant_.play(std::min<int>(jobs(), static_cast<int>(tasks.size())),
                    [&](std::size_t number, PlayingSlot* slot) {
                      if (number >= tasks.size()) return false;
                      ++begun;
                      play_from(tasks[number], slot);
                      return true;
                    });
    tally_.update([&](RunSummary& summary) { summary.unfinished += tasks.size() - begun; });
    finished = tally_.summary().played - before;
  }
}

void Scheduler::play_sequence(const Allocation::Task& task, PlayingSlot* slot) {
  const Scenario& s = setup_.suite.scenarios[task.scenario];
  play_from({task, 0, std::vector<std::string>(s.plan->match(task.match).agents.size())}, slot);
}

/// Plays a sequence until one of its matches is not finished: then it cannot go on.
void Scheduler::play_from(OpenSequence at, PlayingSlot* slot) {
  const std::uint64_t length = setup_.suite.scenarios[at.task.scenario].sequence;
  End end = End::finished;
  for (; at.position < length && end == End::finished; ++at.position) {
    SequenceStep played = player_.play(at, slot);
    note(at.task, played);
    if (played.outage) {
      const std::lock_guard lock(mutex_);
      outages_.push_back(at);
    }
    at.carried = std::move(played.carried);
    end = played.end;
  }
  allocation_->ended(at.task, has_ended(end));
}

void Scheduler::note(const Allocation::Task& task, SequenceStep& played) {
  if (played.scores) allocation_->played(task, std::move(*played.scores));
}

}  // namespace agon
