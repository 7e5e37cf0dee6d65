#include "viewer/run_state.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <utility>

#include "describe/read.hpp"
#include "results/scope.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::serve {

OwnRun::~OwnRun() {
  end();
}

void OwnRun::end() {
  stop();
  if (!is_over_within(std::chrono::seconds(2))) flags_.insisted = true;
  if (thread_.joinable()) thread_.join();
}

void OwnRun::begin(Play play) {
  const std::lock_guard lock(mutex_);
  play_ = std::move(play);
  start();
}

void OwnRun::start() {
  if (thread_.joinable()) thread_.join();  // it has ended
  flags_.asked = false;
  flags_.insisted = false;
  now_ = {RunPhase::playing, {}, {}};
  thread_ = std::thread([this] {
    RunStatus then{RunPhase::ended, {}, {}};
    try {
      then.summary = play_(flags_);
    } catch (const std::exception& error) {
      then.failure = error.what();
    }
    const std::lock_guard lock(mutex_);
    now_ = std::move(then);
    over_.notify_all();
  });
}

void OwnRun::stop() {
  const std::lock_guard lock(mutex_);
  if (now_.state != RunPhase::playing) return;
  flags_.asked = true;
  now_.state = RunPhase::stopping;
}

void OwnRun::go_on() {
  const std::lock_guard lock(mutex_);
  if (now_.state == RunPhase::playing) return;
  if (now_.state == RunPhase::stopping)
    throw Error(ErrorKind::usage, "the run is still stopping", {}, "try again in a moment");
  if (!play_) throw Error(ErrorKind::usage, "there is no run to take up");
  start();
}

OwnRun::RunStatus OwnRun::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

bool OwnRun::is_over_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return over_.wait_for(
      lock, time, [this] { return now_.state == RunPhase::idle || now_.state == RunPhase::ended; });
}

namespace {

constexpr std::size_t kMostOpen = 50;

// What is wanted of a run's manifest.
struct PlannedScenario {
  std::string scenario;
  std::string game;
  std::int64_t matches = 0;
};
AGON_DESCRIBE(PlannedScenario, (scenario, "its name"), (game, "that it plays"),
              (matches, "to be played"))
struct PlannedRun {
  std::string suite;
  std::int64_t matches = 0;
  std::vector<PlannedScenario> plan;
};
AGON_DESCRIBE(PlannedRun, (suite, "its name"), (matches, "to be played"), (plan, "by scenario"))

/// How an own run stands, over what the archive says of it.
void add_own(RunState& state, const OwnRun& own) {
  const OwnRun::RunStatus now = own.now();
  state.own = now.state != OwnRun::RunPhase::idle;
  if (!state.own) return;
  state.may_stop = now.state == OwnRun::RunPhase::playing;
  if (now.state == OwnRun::RunPhase::playing) {
    state.state = "playing";
  } else if (now.state == OwnRun::RunPhase::stopping) {
    state.state = "stopping";
  } else if (!now.failure.empty()) {
    state.state = "stopped";
    state.words = text::printable(now.failure);
  } else if (now.summary) {
    const RunSummary& summary = *now.summary;
    state.state = summary.interrupted || summary.halt != Halt::no || summary.unfinished > 0
                      ? "stopped"
                      : "done";
    state.words = text::printable(summary.halt_reason);
    if (!summary.rescued.empty())
      state.words =
          "the archive or its log was moved, removed, replaced or overwritten; what it held was "
          "saved in " +
          text::printable(summary.rescued);
    if (state.words.empty() && !summary.first_trouble.empty())
      state.words = "the first trouble: " + text::printable(summary.first_trouble);
  }
  state.may_go_on = state.state == "stopped";
  // There is a button for it.
  state.command.clear();
}

void add_plan(RunState& state, const archive::Archive& archive, const archive::RunRow& run,
              const ArchiveRows& rows, const MatchIndex& index) {
  const auto plan = read_recorded<PlannedRun>(run.manifest);
  if (!plan) return;
  state.suite = text::printable(plan->suite);
  state.total = plan->matches;
  std::optional<archive::MatchNumbers> among;
  if (run.suite_number) among = archive.asked_by(*run.suite_number).matches;
  std::map<std::pair<std::string, std::string>, ScenarioCounts> counts;  // by game and name
  for (const auto& [number, of] : index.scenario_counts(among ? &*among : nullptr)) {
    const archive::ScenarioRow& row = archive.row(rows.scenarios, number);
    ScenarioCounts& sum = counts[{archive.row(rows.games, row.game).name, row.name}];
    sum.finished += of.finished;
    sum.broken += of.broken;
    state.done += of.finished + of.broken;
  }
  for (const PlannedScenario& planned : plan->plan) {
    const ScenarioCounts& of = counts[{planned.game, planned.scenario}];
    state.scenarios.push_back({text::printable(planned.scenario), text::printable(planned.game),
                               of.finished + of.broken, planned.matches, of.broken});
  }
}

void add_open(RunState& state, const archive::Archive& archive, const ArchiveRows& rows) {
  archive.matches().partials([&](const archive::PartialMatch& partial) {
    if (++state.unfinished > static_cast<std::int64_t>(kMostOpen)) return;
    OpenMatch& open = state.open.emplace_back();
    open.scenario = text::printable(archive.row(rows.scenarios, partial.key.scenario).name);
    open.block = partial.key.block;
    for (const std::int64_t agent : partial.agents)
      open.agents.push_back(text::printable(archive.row(rows.agents, agent).name));
    open.saved = partial.saved;
    open.reason = text::printable(partial.reason);
  });
}

}  // namespace

std::string cost_words(std::int64_t calls, std::int64_t cost, std::int64_t unpriced) {
  if (calls == 0) return {};
  if (unpriced > 0)
    return "not known: " + text::counted(unpriced, "call has no price", "calls have no price");
  return fmt::format("{:.4f} USD", static_cast<double>(cost) / 1e9);
}

RunState run_state(const archive::Archive& archive, const ArchiveRows& rows,
                   const MatchIndex& index, const OwnRun* own, bool written) {
  RunState state;
  state.file = text::printable(archive.path().string());
  state.read = static_cast<std::int64_t>(index.size());
  if (!rows.runs.empty()) {
    const archive::RunRow& run = rows.runs.back();
    add_plan(state, archive, run, rows, index);
    if (!run.status && written) {
      state.state = "playing";
    } else {
      const report::OpenRun open = report::open_run(archive, archive.path().string());
      state.state = open.open() ? "stopped" : "done";
      state.words = text::printable(open.what);
      state.command = text::printable(open.resume);
    }
    if (const auto rule = report::last_stop(archive))
      state.stop_rule = text::printable(rule->words) +
                        (run.status ? ": " + text::printable(rule->verdict) : std::string());
  }
  add_open(state, archive, rows);
  const archive::CallTotals calls = archive.calls().totals();
  state.calls = calls.calls;
  state.tokens = calls.tokens;
  state.cost = cost_words(calls.calls, calls.cost, calls.unpriced);
  if (own != nullptr) add_own(state, *own);
  return state;
}

}  // namespace agon::serve
