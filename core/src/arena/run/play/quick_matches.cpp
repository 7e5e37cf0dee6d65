#include "run/play/quick_matches.hpp"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "json/parse.hpp"
#include "plugin/catalogue.hpp"
#include "run/planned_match.hpp"
#include "run/play/crash.hpp"

namespace agon {
namespace {

/// How long results wait for others: as long as those of other matches wait for a commit.
constexpr std::chrono::milliseconds kLongestWait{200};
/// How many line-ups are kept ready to play.
constexpr std::size_t kMostSeated = 4096;

std::size_t metrics_in(const Type* type) {
  return type == nullptr ? 0 : type->fields.size();
}

}  // namespace

QuickMatches::QuickMatches(const Suite& suite, RunArchive& archive,
                           const std::vector<std::string>& plugin_files, std::stop_token cancel)
    : suite_(suite),
      archive_(archive),
      plugin_files_(plugin_files),
      cancel_(std::move(cancel)),
      last_(Clock::now()) {}

bool QuickMatches::can_play(const Scenario& s, const design::PlannedMatch& planned) const {
  return s.sequence == 1 && !s.as_seated && !planned.branch &&
         std::none_of(planned.agents.begin(), planned.agents.end(), [&](int number) {
           const Agent& agent =
               *suite_.agents[static_cast<std::size_t>(number)].in(s.game->id)->agent;
           return agent.waits() || agent.is_costly() ||
                  agent.in_block(s.name, planned.block) != nullptr;
         });
}

QuickMatches::Columns& QuickMatches::columns_of(const PlacedMatch& match, const MatchSetup& setup) {
  const auto [at, added] = columns_.try_emplace(match.key.scenario);
  archive::ResultColumns& columns = at->second.columns;
  if (!added) return at->second;
  const GameCard& card = setup.game->card;
  columns.scenario = match.key.scenario;
  for (const SeatCard& seat : setup.cards) columns.seats.emplace_back(seat.name, seat.role);
  columns.match_metrics = metrics_in(card.match_metrics);
  columns.seat_metrics = metrics_in(card.seat_metrics);
  for (std::size_t i = 0; i < columns.match_metrics && !card.cluster.empty(); ++i)
    if (card.match_metrics->fields[i].name == card.cluster) columns.cluster = i;
  columns.make_columns();
  return at->second;
}

QuickMatches::QuickTable& QuickMatches::seated(std::size_t scenario,
                                               const design::PlannedMatch& planned) {
  const std::tuple key(scenario, planned.treatment, planned.line_up, planned.assignment);
  if (const auto known = seated_.find(key); known != seated_.end()) return known->second;
  if (seated_.size() >= kMostSeated) seated_.clear();
  const Scenario& s = suite_.scenarios[scenario];
  const PlacedMatch match = archive_.keys().place(scenario, planned, 0);
  const archive::MatchIds ids = archive_.keys().ids(scenario, planned);
  QuickTable& made =
      seated_
          .emplace(key, QuickTable{match_setup(suite_, s, planned, 0,
                                               std::vector<std::string>(planned.agents.size())),
                                   nullptr,
                                   ids,
                                   archive_.earlier().in_columns(ids),
                                   {},
                                   {},
                                   {}})
          .first->second;
  made.setup.record = false;
  made.setup.cancel = cancel_;
  made.table = std::make_unique<MatchTable>(made.setup);
  made.dice.resize(planned.agents.size());
  made.row.line_up = match.key.line_up;
  made.row.assignment = match.key.assignment;
  for (const int agent : planned.agents) {
    made.agents.push_back(suite_.agents[static_cast<std::size_t>(agent)].in(s.game->id));
    made.row.agents.push_back(archive_.keys().agent_row(scenario, agent));
  }
  if (planned.focal >= 0) made.row.focal = archive_.keys().agent_row(scenario, planned.focal);
  made.into = &columns_of(match, made.setup);
  return made;
}

bool QuickMatches::play(const Allocation::Task& task, PlayingSlot* slot) {
  const Scenario& s = suite_.scenarios[task.scenario];
  const design::PlannedMatch planned = s.plan->match(task.match);
  if (!can_play(s, planned)) return false;
  QuickTable& here = seated(task.scenario, planned);
  const auto block = static_cast<std::int64_t>(planned.block);
  const auto repeat = static_cast<std::int64_t>(planned.repeat);
  if (here.done != nullptr && here.done->number(block, repeat)) return true;
  const archive::MatchId id = here.ids(block, 0, repeat);
  if (archive_.earlier().before_in_rows(id) != RunArchive::Before::not_played) return true;
  MatchSetup& setup = here.setup;
  setup.stream_key = stream_key(suite_.seed, s.draws(), planned.block, 0);
  setup.turn = planned.block;
  for (std::size_t i = 0; i < here.dice.size(); ++i)
    here.dice[i] = dice_key(setup.stream_key, planned.repeat, here.agents[i]->digest, i);
  setup.trace = slot == nullptr ? nullptr : &slot->trace;
  if (slot != nullptr) {
    slot->match = id;
    slot->scenario = task.scenario;
    slot->planned = task.match;
    slot->waits = false;
    slot->trace.begin();
  }
  std::array<char, 8> label{};
  for (std::size_t i = 0; i < label.size(); ++i)
    label[i] = "0123456789abcdef"[id.bytes[i / 2] >> (i % 2 == 0 ? 4U : 0U) & 15U];
  const MatchResult* result = nullptr;
  {
    const PlayingNote note({s.name,
                            s.game->id,
                            plugin_files_[task.scenario],
                            {label.data(), label.size()},
                            static_cast<std::int64_t>(planned.block),
                            slot});
    result = &here.table->play_next(setup.stream_key, here.dice);
  }
  if (slot != nullptr) slot->trace.end();
  if (result->end == End::finished && add(here, planned, *result, Clock::now())) return true;
  // It may have left the table anyhow.
  seated_.erase({task.scenario, planned.treatment, planned.line_up, planned.assignment});
  return false;
}

bool QuickMatches::add(QuickTable& here, const design::PlannedMatch& planned,
                       const MatchResult& result, Clock::time_point now) {
  using archive::ResultColumns;
  Columns& into = *here.into;
  ResultColumns& columns = into.columns;
  const Outcome& outcome = result.outcome;
  bool fits = outcome.match_metrics().size() == columns.match_metrics;
  for (int i = 0; i < outcome.seats(); ++i)
    fits = fits && outcome[i].metrics.size() == columns.seat_metrics;
  if (!fits) return false;
  if (columns.matches == 0) into.begun = now;
  if (here.generation != into.generation) {
    here.generation = into.generation;
    here.number = columns.seated.size();
    columns.seated.push_back(here.row);
  }
  const auto microseconds =
      std::chrono::duration_cast<std::chrono::microseconds>(now - last_).count();
  last_ = now;
  auto& integers = columns.integers;
  integers[ResultColumns::block].push_back(static_cast<std::int64_t>(planned.block));
  integers[ResultColumns::repeat].push_back(static_cast<std::int64_t>(planned.repeat));
  integers[ResultColumns::seated_as].push_back(static_cast<std::int64_t>(here.number));
  integers[ResultColumns::questions].push_back(static_cast<std::int64_t>(result.questions));
  integers[ResultColumns::microseconds].push_back(
      std::min<std::int64_t>(microseconds, archive::kMostCount));
  auto* whole = &integers[ResultColumns::of_match];
  auto* number = columns.numbers.data();
  for (const double metric : outcome.match_metrics()) (number++)->push_back(metric);
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    const auto place = static_cast<std::size_t>(i);
    (whole++)->push_back(seat.rank);
    (whole++)->push_back(result.forced[place]);
    for (const std::uint32_t attempts : result.faults[place]) (whole++)->push_back(attempts);
    for (const double value : {seat.score, seat.disagreement, seat.ideal})
      (number++)->push_back(value);
    for (const double metric : seat.metrics) (number++)->push_back(metric);
  }
  ++played_;
  if (++columns.matches == archive::kMostInColumns) hand_over(into);
  return true;
}

void QuickMatches::hand_over(Columns& into) {
  archive::ResultColumns& columns = into.columns;
  columns.created = archive::now();
  archive_.writer().write_columns(columns);
  columns.matches = 0;
  columns.seated.clear();
  for (auto& column : columns.integers) column.clear();
  for (auto& column : columns.numbers) column.clear();
  ++into.generation;
}

void QuickMatches::store(bool all) {
  last_ = Clock::now();
  for (auto& [scenario, columns] : columns_)
    if (columns.columns.matches > 0 && (all || last_ - columns.begun >= kLongestWait))
      hand_over(columns);
}

WholeMatches::BatchPlugin& WholeMatches::plugin_of(const remote::RemotePlugin& process) {
  for (BatchPlugin& plugin : plugins_)
    if (plugin.process == &process) return plugin;
  return plugins_.emplace_back(BatchPlugin{&process, {}, {}});
}

bool WholeMatches::lives_in(BatchPlugin& plugin, const Catalogue& catalogue, const AgentInGame& in,
                            std::string_view game) {
  if (in.agent->waits() || in.agent->is_costly()) return false;
  const boost::json::value spec = json::parse(in.spec, "agent");
  const auto* agent = catalogue.find_agent(std::string_view(spec.at("agent").as_string()), game);
  const PluginEntry* from = agent == nullptr ? nullptr : agent->plugin;
  if (from == nullptr) return false;
  if (from->path == plugin.process->launch().file) return true;
  // What is trusted here may be there too; strangers are kept apart from each other.
  if (from->isolated) return false;
  if (std::find(plugin.files.begin(), plugin.files.end(), from->path) == plugin.files.end())
    plugin.files.push_back(from->path);
  return true;
}

WholeMatches::WholeMatches(const Suite& suite, const Catalogue& catalogue) : suite_(suite) {
  for (const Scenario& scenario : suite.scenarios) {
    Home& home = homes_.emplace_back();
    const auto* game = catalogue.find<Game>(scenario.game->id);
    const remote::RemotePlugin* process = game == nullptr ? nullptr : game->process;
    // What seats take along to the next match is asked of them one by one, as is what the suite
    // asks.
    if (process == nullptr || !process->launch().is_worker || scenario.sequence != 1 ||
        scenario.probes != nullptr)
      continue;
    home.plugin = &plugin_of(*process);
    for (const AgentSpec& agent : suite.agents) {
      const AgentInGame* in = agent.in(scenario.game->id);
      const bool inside =
          in != nullptr && lives_in(*home.plugin, catalogue, *in, scenario.game->id);
      home.specs.push_back(inside ? &in->spec : nullptr);
      any_ = any_ || inside;
    }
  }
}

std::optional<remote::WholeMatch> WholeMatches::whole(std::size_t scenario,
                                                      const design::PlannedMatch& planned,
                                                      const MatchSetup& setup) const {
  const Home& home = homes_[scenario];
  if (home.plugin == nullptr || planned.branch) return std::nullopt;
  remote::WholeMatch match;
  match.setup = &setup;
  match.settings = &suite_.scenarios[scenario].treatments[planned.treatment].settings->json();
  for (std::size_t seat = 0; seat < planned.agents.size(); ++seat) {
    const std::string* spec = home.specs[static_cast<std::size_t>(planned.agents[seat])];
    // An agent of this block alone is not the one that its spec makes.
    if (spec == nullptr || setup.seats[seat].own != nullptr) return std::nullopt;
    match.agents.push_back(spec);
  }
  return match;
}

std::unique_ptr<remote::BatchPlayer> WholeMatches::take(std::size_t scenario) {
  BatchPlugin& plugin = *homes_[scenario].plugin;
  const std::lock_guard lock(mutex_);
  if (plugin.idle.empty())
    return std::make_unique<remote::BatchPlayer>(*plugin.process, plugin.files);
  auto player = std::move(plugin.idle.back());
  plugin.idle.pop_back();
  return player;
}

void WholeMatches::give_back(std::size_t scenario, std::unique_ptr<remote::BatchPlayer> player) {
  const std::lock_guard lock(mutex_);
  homes_[scenario].plugin->idle.push_back(std::move(player));
}

}  // namespace agon
