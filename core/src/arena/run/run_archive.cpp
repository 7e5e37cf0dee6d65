#include "run/run_archive.hpp"

#include <fmt/format.h>

#include <agon/secrets.hpp>
#include <algorithm>
#include <cmath>
#include <utility>

#include "archive/matches/result_columns.hpp"
#include "archive/rows.hpp"
#include "branch/branches.hpp"
#include "describe/read.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/manifest.hpp"
#include "run/planned_match.hpp"
#include "suite/agents/prompts.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

archive::SeatRow seat_row(const SeatCard& card, const MatchResult& result, std::size_t seat) {
  archive::SeatRow row;
  row.name = card.name;
  row.role = card.role;
  if (result.end == End::finished) {
    const SeatOutcome& o = result.outcome[static_cast<int>(seat)];
    row.payoff = o.score;
    row.disagreement = o.disagreement;
    row.ideal = o.ideal;
    row.rank = o.rank;
    row.metrics.assign(o.metrics.begin(), o.metrics.end());
  }
  row.fallbacks = result.forced[seat];
  for (std::size_t f = 0; f < kFaults; ++f) row.attempts[f] = result.faults[seat][f];
  row.waiting_ms = result.waiting_ms[seat];
  return row;
}

void add_calls(archive::SeatRow& seat, const SeatCalls& taken) {
  seat.calls = taken.calls;
  seat.input_tokens = taken.input;
  seat.output_tokens = taken.output;
  seat.cached_tokens = taken.cached;
  seat.reasoning_tokens = taken.thought;
  seat.cost = taken.cost;
  seat.unpriced = taken.unpriced;
}

/// The match metric that says what blocks may share, as text; empty if the match has none.
std::string cluster_of(const GameCard& card, const std::vector<double>& metrics) {
  if (card.match_metrics == nullptr || card.cluster.empty()) return {};
  std::string cluster;
  const auto& fields = card.match_metrics->fields;
  for (std::size_t i = 0; i < fields.size() && i < metrics.size(); ++i)
    if (fields[i].name == card.cluster) cluster += archive::cluster_text(metrics[i]);
  return cluster;
}

/// The archive, which the writer has made, as earlier runs left it.
archive::Archive open_reader(archive::Writer& writer, const std::string& path,
                             bool retry_set_aside) {
  if (retry_set_aside) writer.forget_set_aside();
  return archive::Archive::open(path);
}

}  // namespace

EarlierMatches::EarlierMatches(const archive::Archive& archive)
    : archive_(archive), in_columns_(archive) {
  archive.matches().row_ids(
      [&](const archive::MatchId& id, std::int64_t number) { rows_.emplace(id, number); });
  archive.matches().broken_ids([&](const archive::MatchId& id) { broken_.insert(id); });
}

EarlierMatches::Before EarlierMatches::before_in_rows(const archive::MatchId& id) const {
  if (broken_.contains(id)) return Before::game_fault;
  return rows_.contains(id) ? Before::finished : Before::not_played;
}

archive::Selection EarlierMatches::find_other(std::int64_t suite) {
  const auto runs = archive_.runs();
  if (runs.empty() || runs.back().suite_number == suite) return {};
  other_.emplace();
  if (!runs.back().suite_number) return archive_.asked_by_nobody();
  const auto suites = archive_.suites();
  other_->number = *runs.back().suite_number;
  other_->row = archive_.row(suites, other_->number);
  return archive_.asked_by(other_->number);
}

void EarlierMatches::count(bool is_broken) {
  ++finished_;
  if (is_broken) ++broken_count_;
}

archive::Selection EarlierMatches::compare(const SuiteKeys& keys, std::int64_t suite) {
  const archive::Selection known = archive_.asked_by(suite);
  const archive::Selection last = find_other(suite);
  std::set<archive::MatchId> open;
  archive_.matches().partials([&](const archive::PartialMatch& partial) {
    has_open_ = true;
    if (!known.partials.contains(partial.key.id)) open.insert(partial.key.id);
  });
  const auto look = [&](std::int64_t number, bool is_broken) {
    const bool is_known = known.matches.has(number);
    if (is_known) count(is_broken);
    if (!other_ || !last.matches.has(number)) return;
    ++other_->matches;
    if (is_known) ++other_->shared;
  };
  for (const auto& [id, number] : rows_) look(number, broken_.contains(id));
  for (const auto& [first, table] : in_columns_.tables())
    for (const archive::DoneMatch& match : table.all()) look(match.number, false);
  archive::Selection found;
  // All plays by hand are known as one suite, of which this is one match.
  const bool by_hand = std::ranges::any_of(keys.suite().scenarios, &Scenario::as_seated);
  if (finished_ < rows_.size() + in_columns_.size() || !open.empty() || by_hand)
    count_planned(keys, open, known, last, found);
  // An older version did not note what a suite asked for: taking it up again is nothing new.
  if (other_ &&
      (other_->matches == 0 || (!other_->row.digest && other_->matches == other_->shared)))
    other_.reset();
  return found;
}

/// Counts by the ids of all matches of the plan.
void EarlierMatches::count_planned(const SuiteKeys& keys, const std::set<archive::MatchId>& open,
                                   const archive::Selection& known, const archive::Selection& last,
                                   archive::Selection& found) {
  if (other_) other_->shared = 0;
  finished_ = broken_count_ = 0;
  std::vector<archive::NumberRange> ranges;
  const std::int64_t last_block = archive_.matches().last_block();
  keys.each_match(last_block, [&](const Scenario& s, const archive::MatchIds& ids,
                                  const design::PlannedMatch& planned) {
    const auto block = static_cast<std::int64_t>(planned.block);
    const auto repeat = static_cast<std::int64_t>(planned.repeat);
    const auto* in_columns = s.sequence == 1 ? in_columns_.find(ids) : nullptr;
    for (std::uint64_t position = 0; position < s.sequence; ++position) {
      const archive::MatchId id = ids(block, static_cast<std::int64_t>(position), repeat);
      if (open.contains(id)) found.partials.insert(id);
      std::optional<std::int64_t> number;
      if (const auto at = rows_.find(id); at != rows_.end())
        number = at->second;
      else if (in_columns != nullptr)
        number = in_columns->number(block, repeat);
      if (!number) continue;
      count(broken_.contains(id));
      if (other_ && last.matches.has(*number)) ++other_->shared;
      if (!known.matches.has(*number)) ranges.push_back({*number, *number});
    }
  });
  found.matches = archive::MatchNumbers(std::move(ranges));
}

RunArchive::RunArchive(const Suite& suite, const std::string& path, bool retry_set_aside,
                       std::shared_ptr<record::Shapes> shapes, const std::atomic<bool>* lost)
    : suite_(suite),
      lost_(lost),
      writer_(path, {.lost = lost}),
      reader_(open_reader(writer_, path, retry_set_aside)),
      keys_(suite),
      earlier_(reader_),
      shapes_(shapes != nullptr ? std::move(shapes) : std::make_shared<record::Shapes>()) {}

RunArchive::~RunArchive() {
  try {
    close();
  } catch (const std::exception&) {  // close() is for those who want to know
  }
}

void RunArchive::close() {
  const auto leave = [&] {
    if (!writer_.rescued().empty() || (lost_ != nullptr && *lost_)) reader_.leave_file();
  };
  try {
    writer_.close();
  } catch (...) {
    leave();
    throw;
  }
  leave();
}

void RunArchive::begin(const Catalogue& catalogue, const std::string& command,
                       const std::string& manifest) {
  archive::RunRow run;
  run.started = archive::now();
  run.suite_file = writer_.store("suite", secrets::cut(suite_.text));
  run.seed = suite_.seed;
  run.command = secrets::cut(command);
  run.versions = versions_at_hand();
  const std::vector<archive::PluginOfRun> plugins = plugins_at_hand(catalogue);
  run.plugins = write_json(plugins);
  run.manifest = secrets::cut(manifest);
  keys_.enter(writer_, catalogue);
  run.suite_number = writer_.suite({keys_.digest(), suite_.name, suite_.seed});
  const archive::Selection found = earlier_.compare(keys_, *run.suite_number);
  has_open_ = earlier_.has_open();
  if (earlier_.finished() > 0) {
    std::vector<const Game*> games;
    for (const Scenario& s : suite_.scenarios) games.push_back(s.game);
    const auto runs = reader_.runs();
    const auto now = read_recorded<Manifest>(manifest);
    changes_ = describe_changed(changed_plugins(runs, catalogue, plugins, games),
                                now ? changed_programs(runs, *now) : std::vector<std::string>());
  }
  run_ = writer_.begin_run(run, found);
  // Rows must be on the disk before anybody reads them by number.
  writer_.flush();
}

void RunArchive::end(std::string_view outcome, std::string_view manifest) {
  writer_.end_run(run_, outcome, secrets::cut(std::string(manifest)));
}

archive::CallTotals RunArchive::taken_before(const PriceList& prices) {
  const std::lock_guard lock(reading_);
  return agon::taken_before(reader_, prices);
}

std::vector<CappedPart> RunArchive::taken_before(const PriceList& prices,
                                                 const std::vector<PartCaps>& parts) {
  const std::lock_guard lock(reading_);
  return agon::taken_before(&reader_, prices, parts);
}

void RunArchive::recall(RunLedger& ledger) {
  const std::lock_guard lock(reading_);
  reader_.calls().batch_notes([&](std::string note) { ledger.add_past_batch(std::move(note)); });
}

std::vector<drift::ModelDrift> RunArchive::drift() {
  writer_.flush();
  const std::lock_guard lock(reading_);
  std::vector<drift::ModelDrift> rows = drift::read(reader_);
  std::erase_if(rows, [&](const drift::ModelDrift& row) { return row.run != run_; });
  return rows;
}

RunArchive::Before RunArchive::before(const PlacedMatch& match) const {
  const Before before = earlier_.before_in_rows(match.key.id);
  if (before != Before::not_played || !earlier_.has_columns() || match.key.position > 0)
    return before;
  const auto* table = earlier_.in_columns(keys_.ids(match.scenario, match.planned));
  return table != nullptr && table->number(match.key.block, match.key.repeat) ? Before::finished
                                                                              : before;
}

archive::MatchRow RunArchive::outcome(const archive::MatchId& id) {
  const std::lock_guard lock(reading_);
  const auto number = reader_.matches().number(id);
  archive::MatchRow match;
  if (number) match = reader_.matches().at(*number);
  match.record.clear();
  return match;
}

std::vector<std::string> RunArchive::carried(const archive::MatchId& id, std::size_t seats) {
  std::vector<std::string> carried(seats);
  const std::lock_guard lock(reading_);
  const auto number = reader_.matches().number(id);
  if (!number) return carried;
  const archive::MatchRow match = reader_.matches().at(*number);
  const record::RecordedTypes recorded(
      [this](const hash::Digest& shape) { return reader_.content(shape); });
  record::each_entry(match.record, [&](const record::Entry& e) {
    if (e.what != record::Entry::What::carry || static_cast<std::size_t>(e.seat) >= seats)
      return true;
    const auto json = recorded.json(e.shape, e.payload);
    if (json) carried[static_cast<std::size_t>(e.seat)] = *json;
    return true;
  });
  return carried;
}

std::optional<archive::PartialMatch> RunArchive::partial(const archive::MatchId& id) {
  if (!has_open_) return std::nullopt;
  const std::lock_guard lock(reading_);
  return reader_.matches().partial(id);
}

void RunArchive::recall(const archive::MatchId& id, MatchLedger& calls) {
  const std::lock_guard lock(reading_);
  reader_.calls().each(&id, [&](const archive::CallRow& row) { calls.add_past(row); });
}

void RunArchive::store_new_shapes() {
  for (const std::string& notation : shapes_->take_new()) writer_.store("shape", notation);
}

void RunArchive::store(const PlacedMatch& match, const MatchSetup& setup, MatchResult& result,
                       double wall_ms, const std::vector<SeatCalls>& calls) {
  store_new_shapes();
  archive::MatchRow row = match_row(match, setup, result, calls);
  row.wall_ms = wall_ms;
  row.record = std::move(result.record);
  writer_.write_finished(std::move(row));
}

void RunArchive::set_aside(const PlacedMatch& match, const MatchSetup& setup,
                           const std::string& reason) {
  MatchResult result;
  result.end = End::game_fault;
  result.problem = reason;
  result.faults.resize(setup.seats.size());
  result.forced.resize(setup.seats.size());
  result.waiting_ms.resize(setup.seats.size());
  archive::MatchRow row = match_row(match, setup, result, {});
  row.status = archive::MatchStatus::quarantined;
  row.record = record::Recorder(0, *shapes_).take();
  writer_.write_finished(std::move(row));
  earlier_.set_aside(match.key.id);
}

namespace {

/// From which match of the archive this one was branched, and how.
std::shared_ptr<const archive::BranchRow> branch_row(const Scenario& scenario,
                                                     const SuiteKeys& keys,
                                                     const PlacedMatch& match) {
  archive::BranchRow row = scenario.branches->row(*match.planned.branch);
  row.match = match.key.id;
  const auto unchanged = scenario.plan->match(scenario.branches->unchanged(*match.planned.branch));
  row.unchanged = keys.place(match.scenario, unchanged, 0).key.id;
  return std::make_shared<const archive::BranchRow>(std::move(row));
}

}  // namespace

archive::MatchRow RunArchive::match_row(const PlacedMatch& match, const MatchSetup& setup,
                                        const MatchResult& result,
                                        const std::vector<SeatCalls>& calls) const {
  archive::MatchRow row;
  row.key = match.key;
  if (match.planned.focal >= 0) row.focal = keys_.agent_row(match.scenario, match.planned.focal);
  row.rng_key = setup.stream_key;
  if (match.planned.branch) row.branch = branch_row(suite_.scenarios[match.scenario], keys_, match);
  row.status = result.end == End::finished ? archive::MatchStatus::finished
                                           : archive::MatchStatus::game_error;
  if (result.end == End::game_fault) row.fault = result.problem;
  const auto& metrics = result.outcome.match_metrics();
  row.metrics.assign(metrics.begin(), metrics.end());
  row.questions = static_cast<std::int64_t>(result.questions);
  row.cluster = cluster_of(setup.game->card, row.metrics);
  for (std::size_t i = 0; i < match.planned.agents.size(); ++i) {
    archive::SeatRow seat = seat_row(setup.cards[i], result, i);
    seat.agent = keys_.agent_row(match.scenario, match.planned.agents[i]);
    if (!calls.empty()) add_calls(seat, calls[i]);
    row.waiting_ms += seat.waiting_ms;
    row.seats.push_back(std::move(seat));
  }
  return row;
}

void RunArchive::save(const PlacedMatch& match, const std::string& record, std::int64_t sequence,
                      const std::string& reason) {
  store_new_shapes();
  archive::PartialMatch partial;
  partial.key = match.key;
  for (const int agent : match.planned.agents)
    partial.agents.push_back(keys_.agent_row(match.scenario, agent));
  if (match.planned.focal >= 0)
    partial.focal = keys_.agent_row(match.scenario, match.planned.focal);
  partial.sequence = sequence;
  partial.reason = reason;
  partial.record = record;
  has_open_ = true;
  writer_.save_partial(std::move(partial));
}

void RunArchive::save(const PlacedMatch& match, const HumanTiming& timing) {
  const auto seat = static_cast<std::size_t>(timing.seat);
  const AgentSpec& agent = suite_.agents[static_cast<std::size_t>(match.planned.agents[seat])];
  const Person who = timing.person == nullptr ? Person() : *timing.person;
  archive::PersonRow person;
  person.pseudonym = who.pseudonym.empty() ? agent.name() : who.pseudonym;
  person.session =
      who.session.empty() ? person.pseudonym + "-" + std::to_string(run_) : who.session;
  if (const auto consent = hash::read_hex(who.consent)) {
    person.consent = consent;
    person.consented = who.consented != 0 ? who.consented : timing.timing.shown;
  }
  person.disclosure = who.told.empty() ? "the names of the seats" : who.told;
  std::unique_lock lock(sessions_mutex_);
  if (!sessions_.contains(person.session)) {
    lock.unlock();
    writer_.person(person);
    lock.lock();
    sessions_.insert(person.session);
  }
  lock.unlock();
  archive::PersonAnswer answer;
  answer.session = person.session;
  answer.match = match.key.id;
  answer.seat = timing.seat;
  answer.question = timing.number;
  answer.attempt = timing.attempt;
  answer.shown = timing.timing.shown;
  if (timing.timing.first_input != 0) answer.first_input = timing.timing.first_input;
  if (timing.timing.answered != 0) answer.answered = timing.timing.answered;
  writer_.person_answer(answer);
}

archive::MatchRow scores_of(const MatchSetup& setup, const MatchResult& result) {
  archive::MatchRow row;
  row.status = result.end == End::finished ? archive::MatchStatus::finished
                                           : archive::MatchStatus::game_error;
  const auto& metrics = result.outcome.match_metrics();
  row.metrics.assign(metrics.begin(), metrics.end());
  row.cluster = cluster_of(setup.game->card, row.metrics);
  for (std::size_t seat = 0; seat < setup.seats.size(); ++seat)
    row.seats.push_back(seat_row(setup.cards[seat], result, seat));
  return row;
}

std::string describe_other_suite(const RunArchive& archive, const std::string& path) {
  const EarlierMatches& earlier = archive.earlier();
  if (!earlier.other()) return {};
  const OtherSuite& other = *earlier.other();
  const Suite& suite = archive.keys().suite();
  std::string what = "another version of this suite";
  if (other.number == 0)
    what =
        "an older version of Agon, which did not note the suites that asked "
        "for its matches";
  else if (other.row.digest == archive::digest_of_plays())
    what = "matches played by hand";
  else if (other.row.name != suite.name)
    what = "suite '" + text::printable(other.row.name) + "'";
  else if (other.row.seed != suite.seed)
    what = fmt::format("this suite under seed {}, not {}", other.row.seed, suite.seed);
  const std::uint64_t fresh = suite.matches() - earlier.finished();
  const std::string which =
      other.number == 0 ? "--all-suites" : "--suite " + std::to_string(other.number);
  return fmt::format(
      "{} was last run with {}: of {} there, {} shared with this suite, {} not "
      "asked for any more; "
      "{} new. Nothing is lost, and reports keep them apart: agon report {} "
      "{}\n",
      text::printable(path), what,
      text::counted(other.matches, "finished match", "finished matches"),
      text::counted(other.shared, "is", "are"),
      text::counted(other.matches - other.shared, "is", "are"), text::counted(fresh, "is", "are"),
      text::shell_word(path), which);
}

}  // namespace agon
