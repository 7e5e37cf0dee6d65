#include "run/play/match_player.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "branch/branches.hpp"
#include "costs/costs.hpp"
#include "run/planned_match.hpp"
#include "run/play/crash.hpp"

namespace agon {
namespace {

/// How often a match is played whose game's process is killed, before the game is charged with it.
constexpr int kTriesOfKilled = 3;

bool waits(const MatchSetup& setup) {
  return !setup.strict_replay &&
         std::any_of(setup.seats.begin(), setup.seats.end(),
                     [](const SeatSetup& seat) { return seat.agent->waits(); });
}

bool has_people(const MatchSetup& setup) {
  return !setup.strict_replay &&
         std::any_of(setup.seats.begin(), setup.seats.end(),
                     [](const SeatSetup& seat) { return is_person(*seat.agent); });
}

double wall_ms(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

// A match that waits keeps its stack, and results are large. So what is rare has a frame of its
// own.

/// Plays a match again whose game was killed; what people and models had answered stays.
[[gnu::noinline]] void play_on(const MatchSetup& setup, MatchResult& result) {
  const std::string record = std::move(result.record);
  MatchSetup again = setup;
  if (setup.make_durable) {
    again.past = record;
    again.cut.reset();
  }
  result = play_match(again);
}

[[gnu::noinline]] void stop_people(PeopleAtTables& people, const archive::MatchId& match) {
  MatchResult stopped;
  stopped.end = End::stopped;
  people.stand_up(match, stopped);
}

}  // namespace

MatchPlayer::MatchPlayer(RunSetup& setup, RunTally& tally, const Attendant& attendant)
    : setup_(setup), tally_(tally), attendant_(attendant) {}

SequenceStep MatchPlayer::play(const OpenSequence& at, PlayingSlot* slot) {
  const Scenario& s = setup_.suite.scenarios[at.task.scenario];
  PlacedMatch match{at.task.scenario, s.plan->match(at.task.match), {}};
  if (setup_.archive) {
    match =
        setup_.archive->keys().place(at.task.scenario, s.plan->match(at.task.match), at.position);
    if (auto before = find_played(match)) return std::move(*before);
  }
  MatchSetup setup = set_up(match, at.position, at.carried);
  const bool is_waiting = waits(setup);
  const bool people = setup_.options.people != nullptr && has_people(setup);
  if (people && !seat_people(at, match, setup)) return {.end = End::stopped, .carried = {}};
  // People and models may take long: the first Ctrl-C stops them, their answers are safe.
  setup.cancel = is_waiting ? attendant_.asked() : attendant_.insisted();
  if (slot != nullptr) {
    slot->match = match.key.id;
    slot->scenario = at.task.scenario;
    slot->planned = at.task.match;
    slot->waits = is_waiting;
    setup.trace = &slot->trace;
  }
  MatchResult result = [&] {
    try {
      return is_waiting ? play_waiting(match, setup, slot) : play_at_once(match, setup, slot);
    } catch (...) {
      if (people) stop_people(*setup_.options.people, match.key.id);
      throw;
    }
  }();
  if (people) setup_.options.people->stand_up(match.key.id, result);
  tally_.note(match, setup, result);
  SequenceStep played{result.end, result.outage, {}};
  if (setup_.suite.stop && has_ended(result.end)) played.scores = scores_of(setup, result);
  played.carried = std::move(result.carried);
  return played;
}

std::optional<SequenceStep> MatchPlayer::find_played(const PlacedMatch& match) const {
  RunArchive& archive = *setup_.archive;
  const auto before = archive.before(match);
  if (before == RunArchive::Before::not_played) return std::nullopt;
  SequenceStep played;
  if (before == RunArchive::Before::game_fault)
    played.end = End::game_fault;
  else if (static_cast<std::uint64_t>(match.key.position) + 1 <
           setup_.suite.scenarios[match.scenario].sequence)
    played.carried = archive.carried(match.key.id, match.planned.agents.size());
  if (setup_.suite.stop) played.scores = archive.outcome(match.key.id);
  return played;
}

bool MatchPlayer::seat_people(const OpenSequence& at, const PlacedMatch& match, MatchSetup& setup) {
  const archive::MatchId first =
      setup_.archive->keys().place(at.task.scenario, match.planned, 0).key.id;
  return setup_.options.people->seat({setup_.suite.scenarios[at.task.scenario], match.planned.block,
                                      match.key.id, first, at.task.scenario, at.task.match},
                                     setup, attendant_.over());
}

MatchSetup MatchPlayer::set_up(const PlacedMatch& match, std::uint64_t position,
                               const std::vector<std::string>& carried) const {
  const Scenario& s = setup_.suite.scenarios[match.scenario];
  MatchSetup setup = match_setup(setup_.suite, s, match.planned, position, carried);
  if (setup_.archive) {
    setup.record = setup_.options.keep_records || waits(setup) || s.sequence > 1;
    setup.shapes = setup_.archive->shapes();
    setup.label = match.key.id.hex().substr(0, 8);
  } else {
    setup.record = waits(setup) || s.sequence > 1 || setup_.options.on_match != nullptr;
  }
  return setup;
}

MatchResult MatchPlayer::play_at_once(const PlacedMatch& match, const MatchSetup& setup,
                                      PlayingSlot* slot) {
  const Clock::time_point start = Clock::now();
  MatchResult result = play_noted(match, setup, slot);
  tally_.note_answers(match, setup, result);
  if (setup_.archive && has_ended(result.end))
    setup_.archive->store(match, setup, result, wall_ms(start), {});
  return result;
}

MatchResult MatchPlayer::play_waiting(const PlacedMatch& match, MatchSetup& setup,
                                      PlayingSlot* slot) {
  const auto calls = std::make_shared<MatchLedger>(setup_.ledger, match.key.id, setup.seats.size());
  setup.ledger = [&calls](int seat, std::uint32_t number, int attempt) {
    return calls->attempt(seat, number, attempt);
  };
  std::optional<RunArchive>& archive = setup_.archive;
  if (setup_.has_past_calls) archive->recall(match.key.id, *calls);
  if (match.planned.branch)
    setup_.suite.scenarios[match.scenario].branches->each_call(
        *match.planned.branch,
        [&](const archive::CallRow& row) { calls->add_past(row, MatchLedger::Paid::elsewhere); });
  std::optional<archive::PartialMatch> past;
  std::int64_t saves = 0;
  if (archive) {
    past = archive->partial(match.key.id);
    if (past) {
      setup.past = past->record;
      setup.cut.reset();
      saves = past->sequence + 1;
    }
    setup.make_durable = [&](const std::string& record) {
      archive->save(match, record, saves++, "");
    };
    setup.keep_timing = [&](const HumanTiming& timing) { archive->save(match, timing); };
  }
  const Clock::time_point start = Clock::now();
  MatchResult result = play_noted(match, setup, slot);
  tally_.note_answers(match, setup, result);
  if (!archive) return result;
  if (has_ended(result.end))
    archive->store(match, setup, result, wall_ms(start), calls->taken());
  else
    archive->save(match, result.record, saves, result.problem);
  return result;
}

MatchResult MatchPlayer::play_noted(const PlacedMatch& match, const MatchSetup& setup,
                                    PlayingSlot* slot) const {
  const PlayingNote note({setup_.suite.scenarios[match.scenario].name, setup.game->id,
                          setup_.plugin_files[match.scenario], setup.label,
                          static_cast<std::int64_t>(match.planned.block), slot});
  if (slot != nullptr) slot->trace.begin();
  MatchResult result = play_match(setup);
  // Who kills the process of a game is mostly not the game.
  const auto is_killed = [&] { return result.process_end == ProcessEnd::killed; };
  for (int tries = kTriesOfKilled; is_killed() && tries > 1 && !attendant_.is_over(); --tries)
    play_on(setup, result);
  if (slot != nullptr) slot->trace.end();
  return result;
}

std::unique_ptr<QuickMatches> MatchPlayer::take_quick() {
  const std::lock_guard lock(mutex_);
  if (quick_.empty())
    return std::make_unique<QuickMatches>(setup_.suite, *setup_.archive, setup_.plugin_files,
                                          attendant_.insisted());
  std::unique_ptr<QuickMatches> player = std::move(quick_.back());
  quick_.pop_back();
  return player;
}

void MatchPlayer::give_back(std::unique_ptr<QuickMatches> player) {
  player->store(false);
  tally_.update([&](RunSummary& summary) { summary.played += player->take_played(); });
  const std::lock_guard lock(mutex_);
  quick_.push_back(std::move(player));
}

void MatchPlayer::store_quick() {
  for (const auto& player : quick_) player->store(true);
}

bool MatchPlayer::add_whole(const Allocation::Task& task, std::deque<WholeTask>& tasks) const {
  if (!setup_.whole.any()) return false;
  const Scenario& s = setup_.suite.scenarios[task.scenario];
  PlacedMatch match{task.scenario, s.plan->match(task.match), {}};
  if (setup_.archive) {
    match = setup_.archive->keys().place(task.scenario, match.planned, 0);
    if (setup_.archive->before(match) != RunArchive::Before::not_played) return false;
  }
  MatchSetup setup = set_up(match, 0, std::vector<std::string>(match.planned.agents.size()));
  WholeTask& added = tasks.emplace_back(WholeTask{task, std::move(match), std::move(setup)});
  const auto whole = setup_.whole.whole(task.scenario, added.match.planned, added.setup);
  if (whole)
    added.whole = *whole;
  else
    tasks.pop_back();
  return whole.has_value();
}

std::vector<Allocation::Task> MatchPlayer::play_whole(
    const std::deque<WholeTask>& tasks,
    const std::function<void(const Allocation::Task&, SequenceStep)>& ended) {
  std::vector<Allocation::Task> rest;
  if (tasks.empty()) return rest;
  std::vector<remote::WholeMatch> matches;
  for (const WholeTask& task : tasks) matches.push_back(task.whole);
  const std::size_t scenario = tasks.front().match.scenario;
  std::unique_ptr<remote::BatchPlayer> player = setup_.whole.take(scenario);
  const auto left = player->play(
      matches,
      [&](std::size_t i, remote::BatchResult&& batch) {
        const WholeTask& task = tasks[i];
        MatchResult& result = batch.result;
        tally_.note_answers(task.match, task.setup, result);
        if (setup_.archive)
          setup_.archive->store(task.match, task.setup, result, batch.wall_ms, {});
        tally_.note(task.match, task.setup, result);
        SequenceStep played{result.end, false, {}};
        if (setup_.suite.stop) played.scores = scores_of(task.setup, result);
        ended(task.task, std::move(played));
      },
      [this] { return attendant_.is_over(); });
  setup_.whole.give_back(scenario, std::move(player));
  for (const std::size_t i : left) rest.push_back(tasks[i].task);
  return rest;
}

}  // namespace agon
