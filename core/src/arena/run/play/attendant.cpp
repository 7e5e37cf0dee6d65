#include "run/play/attendant.hpp"

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <cstdio>

#include "describe/read.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "suite/agents/agent_spec.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon {
namespace {

/// How long matches and calls in flight may take once somebody wants to stop.
constexpr std::chrono::milliseconds kPatience{1500};

// What is wanted of a spec: a parameter named `stages` goes by the names of stages.
struct ParamsByStage {
  std::map<std::string, std::vector<std::string>> stages;
};
AGON_DESCRIBE(ParamsByStage, (stages, "answers by stage"))
struct SpecByStage {
  ParamsByStage params;
};
AGON_DESCRIBE(SpecByStage, (params, "of the agent"))

/// The stages of the game that an agent has answers for; none where it does not go by stages.
std::set<std::string, std::less<>> stages_of(const AgentSpec& agent, const Game& game) {
  std::set<std::string, std::less<>> named;
  const AgentInGame* in = agent.in(game.id);
  const auto spec = in == nullptr ? std::nullopt : read_recorded<SpecByStage>(in->spec);
  if (!spec) return named;
  for (const StageCard& stage : game.stages)
    if (const auto said = spec->params.stages.find(std::string(stage.name));
        said != spec->params.stages.end() && !said->second.empty())
      named.emplace(stage.name);
  return named;
}

/// Whether the seat itself gave a legal answer: where one alone is legal nobody is asked.
bool has_answered(const MatchResult& result, std::size_t seat) {
  std::uint32_t answers = 0;
  for (const Fault fault : {Fault::ok, Fault::repaired, Fault::in_words})
    answers += result.faults[seat][static_cast<std::size_t>(fault)];
  if (answers > 0 && !result.record.empty())
    record::each_entry(result.record, [&](const record::Entry& entry) {
      if (entry.by_rules && entry.seat == static_cast<int>(seat)) --answers;
      return answers > 0;
    });
  return answers > 0;
}

}  // namespace

RunSetup::RunSetup(const Suite& of, const Catalogue& catalogue, const RunOptions& how)
    : suite(of), options(how), whole(of, catalogue) {
  for (const Scenario& s : suite.scenarios) {
    const PluginEntry* plugin = catalogue.plugin_of_game(s.game->id);
    plugin_files.push_back(plugin == nullptr ? "" : plugin->path);
    for (const AgentSpec& agent : suite.agents)
      if (const AgentInGame* in = agent.in(s.game->id); in != nullptr) {
        waits = waits || in->agent->waits();
        people = people || in->agent->is_costly();
        models = models || in->agent->model_agent() != nullptr;
        batches = batches || calls_in_batches(*in->agent);
      }
  }
}

RunSetup::~RunSetup() {
  if (ledger) ledger->close();
}

UnaskedStages::UnaskedStages(const Suite& suite) {
  for (const AgentSpec& agent : suite.agents)
    for (const Scenario& scenario : suite.scenarios)
      if (auto stages = stages_of(agent, *scenario.game); !stages.empty())
        left_[{agent.name(), std::string(scenario.game->id)}].stages = std::move(stages);
}

void UnaskedStages::note(const std::string& agent, std::string_view game, std::string_view record,
                         int seat) {
  const auto found = left_.find({agent, std::string(game)});
  if (found == left_.end() || record.empty()) return;
  Left& left = found->second;
  left.has_played = true;
  if (left.stages.empty()) return;
  record::each_entry(record, [&](const record::Entry& entry) {
    if (entry.what == record::Entry::What::question && entry.seat == seat)
      if (const auto asked = left.stages.find(entry.name); asked != left.stages.end())
        left.stages.erase(asked);
    return !left.stages.empty();
  });
}

std::vector<UnaskedStage> UnaskedStages::all() const {
  std::vector<UnaskedStage> all;
  for (const auto& [who, left] : left_)
    if (left.has_played)
      for (const std::string& stage : left.stages) all.push_back({who.first, who.second, stage});
  return all;
}

RunTally::RunTally(const RunSetup& setup) : setup_(setup), unasked_(setup.suite) {
  summary_.total = setup.suite.matches();
}

void RunTally::note(const PlacedMatch& match, const MatchSetup& setup, const MatchResult& result) {
  const std::lock_guard lock(mutex_);
  if (has_ended(result.end)) ++summary_.played;
  if (result.end == End::game_fault) ++summary_.game_faults;
  if (result.end == End::unfinished) ++summary_.unfinished;
  stop_for(result.halt, result.problem);
  if (result.end != End::finished && result.end != End::stopped)
    keep_first_trouble(match, setup.label, result.end == End::game_fault, result.problem);
  const Scenario& s = setup_.suite.scenarios[match.scenario];
  if (setup_.options.on_match)
    setup_.options.on_match(s, s.treatments[match.planned.treatment], match.planned.agents, result);
}

void RunTally::note_answers(const PlacedMatch& match, const MatchSetup& setup,
                            const MatchResult& result) {
  const bool is_forced =
      std::any_of(result.forced.begin(), result.forced.end(), [](auto n) { return n > 0; });
  if (!has_ended(result.end)) return;
  if (setup_.models) {
    const std::lock_guard lock(mutex_);
    note_heard(match, result);
  }
  if (!is_forced && !unasked_.is_needed()) return;
  const std::lock_guard lock(mutex_);
  const Scenario& s = setup_.suite.scenarios[match.scenario];
  const std::vector<int>& agents = match.planned.agents;
  for (std::size_t seat = 0; seat < agents.size(); ++seat)
    unasked_.note(setup_.suite.agents[static_cast<std::size_t>(agents[seat])].name(), s.game->id,
                  result.record, static_cast<int>(seat));
  count_fallbacks(match, setup, result);
  stop_if_silent();
}

void RunTally::note_heard(const PlacedMatch& match, const MatchResult& result) {
  const std::vector<int>& agents = match.planned.agents;
  for (std::size_t seat = 0; seat < std::min(result.faults.size(), agents.size()); ++seat) {
    const std::string& name = setup_.suite.agents[static_cast<std::size_t>(agents[seat])].name();
    if (!heard_.contains(name) && has_answered(result, seat)) heard_.insert(name);
  }
}

/// Calls of a model that gives no legal answer are paid for and tell nothing.
void RunTally::stop_if_silent() {
  const auto most = static_cast<std::uint64_t>(setup_.suite.stop_after);
  const bool is_last = summary_.before + summary_.played + 1 >= summary_.total;
  if (most == 0 || setup_.people || is_last) return;
  for (const RunSummary::Fallbacks& one : summary_.fallbacks) {
    if (one.answers < most || heard_.contains(one.agent)) continue;
    const auto agent = std::find_if(setup_.suite.agents.begin(), setup_.suite.agents.end(),
                                    [&](const AgentSpec& a) { return a.name() == one.agent; });
    const ModelAgent* model = agent->in(one.game)->agent->model_agent();
    if (model == nullptr || model->model().is_mock) continue;
    stop_for(Halt::configuration,
             "agent '" + one.agent + "' gave no legal answer so far, and its " +
                 std::to_string(one.answers) + " answers were fallbacks; the first: " + one.first +
                 ". The suite's \"faults\": {\"stop_after\": 0} plays on all the same");
  }
}

void RunTally::count_fallbacks(const PlacedMatch& match, const MatchSetup& setup,
                               const MatchResult& result) {
  const Scenario& s = setup_.suite.scenarios[match.scenario];
  const std::vector<int>& agents = match.planned.agents;
  for (std::size_t seat = 0; seat < std::min(result.forced.size(), agents.size()); ++seat) {
    if (result.forced[seat] == 0) continue;
    const std::string& name = setup_.suite.agents[static_cast<std::size_t>(agents[seat])].name();
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

void RunTally::note_set_aside(const PlacedMatch& match, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  ++summary_.played;
  ++summary_.game_faults;
  ++summary_.set_aside;
  keep_first_trouble(match, match.key.id.hex().substr(0, 8), true, reason);
}

void RunTally::keep_first_trouble(const PlacedMatch& match, const std::string& label,
                                  bool game_broke, const std::string& problem) {
  if (!summary_.first_trouble.empty()) return;
  const Scenario& s = setup_.suite.scenarios[match.scenario];
  const std::string& plugin = setup_.plugin_files[match.scenario];
  summary_.first_trouble =
      s.name + (label.empty() ? "" : ", match " + label) +
      (game_broke && !plugin.empty() ? " (game '" + std::string(s.game->id) + "' of " + plugin + ")"
                                     : "") +
      ": " + problem;
}

void RunTally::halt(Halt why, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  stop_for(why, reason);
}

void RunTally::stop_for(Halt why, const std::string& reason) {
  if (why == Halt::no || summary_.halt != Halt::no) return;
  summary_.halt = why;
  summary_.halt_reason = reason;
  halted_ = true;
}

void RunTally::update(const std::function<void(RunSummary&)>& change) {
  const std::lock_guard lock(mutex_);
  change(summary_);
}

RunSummary RunTally::summary() const {
  const std::lock_guard lock(mutex_);
  return summary_;
}

std::vector<UnaskedStage> RunTally::unasked() const {
  const std::lock_guard lock(mutex_);
  return unasked_.all();
}

Attendant::Attendant(RunSetup& setup, RunTally& tally, std::function<void()> give_up)
    : setup_(setup), tally_(tally), give_up_(std::move(give_up)) {}

void Attendant::play(int jobs, const std::function<bool(std::size_t number, PlayingSlot*)>& piece) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    PlayingSlot* const slot = setup_.playing ? setup_.playing->take() : nullptr;
    while (!is_over() && piece(next++, slot)) {
    }
    if (slot != nullptr) setup_.playing->give_back(slot);
  };
  Progress progress(setup_.suite.matches(), setup_.options.quiet || setup_.people);
  const CrashNotes crash_notes(setup_.archive ? &setup_.archive->writer().progress() : nullptr);
  Jobs pool(
      jobs, [&](int) { end_run_on_failure(work); },
      setup_.waits && !setup_.options.asking_takes_long ? Jobs::On::coroutine : Jobs::On::thread);
  if (pool.size() < jobs)  // the number changes no result
    text::say(
        "only {} of {} jobs can be started; raise the limits on threads and memory "
        "(`ulimit -u`, `ulimit -v`, vm.max_map_count) or play with fewer --jobs\n",
        pool.size(), jobs);
  attend(pool, progress);
}

void Attendant::ask(int threads, const std::function<void()>& work) {
  Progress none(0, true);
  Jobs pool(threads, [&](int) { end_run_on_failure(work); });
  attend(pool, none);
}

void Attendant::end_run_on_failure(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    failed_ = true;
    throw;
  }
}

void Attendant::keep_failure(const std::function<void()>& work) {
  try {
    work();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    failed_ = true;
  }
}

void Attendant::attend(Jobs& pool, Progress& progress) {
  while (!pool.is_done_within(std::chrono::milliseconds(100))) {
    if (is_over()) over_.request_stop();
    if (is_interrupted()) stop(progress);
    look_for_archive(progress);
    // A batch may take a day, and its answers could not be kept.
    if ((failed_ || gone_) && setup_.ledger) setup_.ledger->leave_batches();
    if (setup_.playing) setup_.playing->look();
    tally_.update([&](const RunSummary& summary) {
      progress.show(summary.before + summary.played, summary.before,
                    summary.unfinished + summary.game_faults);
    });
  }
  try {
    pool.finish();
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
  }
}

bool Attendant::is_out_of_patience() {
  if (!is_interrupted()) return false;
  if (!asked_at_) asked_at_ = Clock::now();
  return setup_.options.stop->insisted || Clock::now() - *asked_at_ > kPatience;
}

/// Somebody asked to stop, and matches are still in flight.
void Attendant::stop(Progress& progress) {
  asked_.request_stop();
  if (setup_.options.stop->insisted) insisted_.request_stop();
  const bool is_out = is_out_of_patience();
  if (setup_.playing) setup_.playing->leave();
  if (!told_ && !setup_.options.quiet) {
    progress.clear();
    text::say("stopping; what is in flight has {:.1f} s; Ctrl-C again: now\n",
              std::chrono::duration<double>(kPatience).count());
    std::fflush(stderr);
  }
  told_ = true;
  if (!setup_.options.abandon || !is_out) return;
  progress.clear();
  give_up_();
}

void Attendant::look_for_archive() {
  Progress none(0, true);
  look_for_archive(none);
}

void Attendant::look_for_archive(Progress& progress) {
  if (!setup_.archive || gone_) return;
  using Fate = archive::Writer::Fate;
  archive::Writer& writer = setup_.archive->writer();
  if (writer.is_in_place() && writer.looks_whole()) return;
  // Now, and not only at the end: nothing but this process holds it any more.
  keep_failure([&] { writer.flush(); });
  if (writer.fate() == Fate::whole) return;  // it was touched, and no more
  gone_ = true;
  progress.clear();
  text::say("{} was {}: no more matches are begun, and what was there is saved\n",
            text::printable(setup_.options.archive),
            writer.fate() == Fate::gone ? "moved, removed or replaced"
                                        : "truncated or overwritten, or its log (-wal) was");
}

}  // namespace agon
