#include "run/run_archive.hpp"

#include <fmt/format.h>

#include <agon/sdk_version.hpp>
#include <agon/secrets.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/version.hpp>
#include <cmath>
#include <utility>

#include "archive/result_columns.hpp"
#include "archive/rows.hpp"
#include "describe/read.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "run/manifest.hpp"
#include "run/planned_match.hpp"
#include "suite/prompts.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

/// A bound that is known.
std::optional<double> bound(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What the metric's type allows by itself, within what is declared.
Range range_of(const Field& field, const Type& value) {
  Range range{field.min, field.max};
  if (value.kind == Kind::boolean) range = {std::max(range.min, 0.0), std::min(range.max, 1.0)};
  return range;
}

std::vector<archive::Metric> metrics_of(const Type* type) {
  std::vector<archive::Metric> metrics;
  if (type == nullptr) return metrics;
  for (const Field& f : type->fields) {
    const Type* value = f.type->kind == Kind::optional ? f.type->element : f.type;
    const Range range = range_of(f, *value);
    metrics.push_back({std::string(f.name), std::string(f.unit),
                       f.better == Better::higher  ? "higher"
                       : f.better == Better::lower ? "lower"
                                                   : "",
                       std::max(f.decimals, value->decimals), bound(range.min), bound(range.max)});
  }
  return metrics;
}

archive::GameRow game_row(const Scenario& s, const Catalogue& catalogue) {
  archive::GameRow game;
  game.name = s.game->id;
  game.version = s.game->card.version;
  if (const PluginEntry* plugin = catalogue.plugin_of_game(s.game->id)) game.plugin = plugin->name;
  game.plugin_version = s.plugin_version;
  game.score_decimals = s.game->card.score_decimals;
  game.seat_metrics = metrics_of(s.game->card.seat_metrics);
  game.match_metrics = metrics_of(s.game->card.match_metrics);
  for (archive::Metric& metric : game.match_metrics)
    if (metric.name == s.game->card.stake) metric.stake = true;
  game.score_min = bound(s.game->card.score_range.min);
  game.score_max = bound(s.game->card.score_range.max);
  return game;
}

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

}  // namespace

RunArchive::RunArchive(const Suite& suite, const std::string& path, bool retry_set_aside,
                       std::shared_ptr<record::Shapes> shapes)
    : suite_(suite),
      writer_(path),
      reader_(archive::Archive::open(path)),
      in_columns_(reader_),
      shapes_(shapes != nullptr ? std::move(shapes) : std::make_shared<record::Shapes>()) {
  if (retry_set_aside) writer_.forget_set_aside();
  reader_.row_ids(
      [&](const archive::MatchId& id, std::int64_t number) { rows_.emplace(id, number); });
  reader_.broken_ids([&](const archive::MatchId& id) { broken_.insert(id); });
}

RunArchive::~RunArchive() {
  try {
    close();
  } catch (const std::exception&) {  // close() is for those who want to know
  }
}

void RunArchive::close() {
  const auto leave = [&] {
    if (!writer_.rescued().empty()) reader_.leave_file();
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
  run.versions = json::write(bj::value(bj::object{
      {"agon", AGON_SDK_VERSION_TEXT}, {"compiler", __VERSION__}, {"boost", BOOST_LIB_VERSION}}));
  const std::vector<archive::PluginOfRun> plugins = plugins_at_hand(catalogue);
  run.plugins = write_json(plugins);
  run.manifest = secrets::cut(manifest);
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) enter_scenario(i, catalogue);
  run.suite_number = writer_.suite({suite_digest(), suite_.name, suite_.seed});
  const archive::Selection found = find_asked(*run.suite_number);
  if (finished_before_ > 0) {
    std::vector<const Game*> games;
    for (const Scenario& s : suite_.scenarios) games.push_back(s.game);
    const auto runs = reader_.runs();
    changed_ = agon::changed_plugins(runs, catalogue, plugins, games);
    if (const auto now = read_recorded<Manifest>(manifest))
      changed_programs_ = agon::changed_programs(runs, *now);
  }
  run_ = writer_.begin_run(run, found);
  // Rows must be on the disk before anybody reads them by number.
  writer_.flush();
}

void RunArchive::each_planned(
    std::int64_t last_block,
    const std::function<void(const archive::MatchId&, std::optional<std::int64_t> number)>& each)
    const {
  const auto number = [&](const archive::MatchId& id,
                          const DoneInColumns::LineUpMatches* in_columns,
                          const design::PlannedMatch& planned) -> std::optional<std::int64_t> {
    if (const auto at = rows_.find(id); at != rows_.end()) return at->second;
    if (in_columns == nullptr) return std::nullopt;
    return in_columns->number(static_cast<std::int64_t>(planned.block),
                              static_cast<std::int64_t>(planned.repeat));
  };
  const auto blocks = static_cast<std::uint64_t>(last_block + 1);
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
    const Scenario& s = suite_.scenarios[i];
    // Blocks come one after the other in a plan.
    const std::uint64_t in_block = s.plan->round_size() * s.plan->repeats();
    const std::uint64_t end = std::min(s.plan->blocks(), blocks) * in_block;
    for (std::uint64_t m = 0; m < (s.as_seated ? std::min<std::uint64_t>(1, end) : end); ++m) {
      const design::PlannedMatch planned = s.plan->match(m);
      const archive::MatchIds ids = this->ids(i, planned);
      const DoneInColumns::LineUpMatches* in_columns =
          s.sequence == 1 ? done_in_columns(ids) : nullptr;
      for (std::uint64_t position = 0; position < s.sequence; ++position) {
        const archive::MatchId id =
            ids(static_cast<std::int64_t>(planned.block), static_cast<std::int64_t>(position),
                static_cast<std::int64_t>(planned.repeat));
        each(id, number(id, in_columns, planned));
      }
    }
  }
}

/// Two suites that ask for the same matches, and mean the same with them, are one. The matches of
/// the first block stand for those of all.
hash::Digest RunArchive::suite_digest() const {
  hash::Sha256 sha;
  const auto add = [&](std::string_view text) {
    sha.update(std::to_string(text.size()) + ":");
    sha.update(text);
  };
  for (std::size_t i = 0; i < suite_.scenarios.size(); ++i) {
    const Scenario& s = suite_.scenarios[i];
    if (s.as_seated) return archive::digest_of_plays();
    for (const std::uint64_t count : {s.blocks, s.repeats, s.sequence}) add(std::to_string(count));
    for (const Treatment& t : s.treatments) add(t.values);
    for (std::uint64_t m = 0; m < s.plan->round_size(); ++m) {
      const PlacedMatch match = place(i, s.plan->match(m), 0);
      add(match.key.id.hex());
      add(std::to_string(match.planned.focal));
    }
  }
  add(suite_.name);
  return sha.digest();
}

archive::Selection RunArchive::find_asked(std::int64_t suite) {
  const archive::Selection known = reader_.asked_by(suite);
  archive::Selection last;
  if (const auto runs = reader_.runs(); !runs.empty() && runs.back().suite_number != suite) {
    other_.emplace();
    if (runs.back().suite_number) {
      const auto suites = reader_.suites();
      other_->number = *runs.back().suite_number;
      other_->row = reader_.row(suites, other_->number);
      last = reader_.asked_by(other_->number);
    } else {
      last = reader_.asked_by_nobody();
    }
  }
  std::set<archive::MatchId> open;
  reader_.partials([&](const archive::PartialMatch& partial) {
    if (!known.partials.contains(partial.key.id)) open.insert(partial.key.id);
  });
  const auto count = [this](bool is_broken) {
    ++finished_before_;
    if (is_broken) ++broken_before_;
  };
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
  const bool by_hand = suite_.scenarios.front().as_seated;
  if (finished_before_ < rows_.size() + in_columns_.size() || !open.empty() || by_hand) {
    if (other_) other_->shared = 0;
    std::vector<archive::NumberRange> ranges;
    finished_before_ = broken_before_ = 0;
    each_planned(reader_.last_block(),
                 [&](const archive::MatchId& id, std::optional<std::int64_t> number) {
                   if (open.contains(id)) found.partials.insert(id);
                   if (!number) return;
                   count(broken_.contains(id));
                   if (other_ && last.matches.has(*number)) ++other_->shared;
                   if (!known.matches.has(*number)) ranges.push_back({*number, *number});
                 });
    found.matches = archive::MatchNumbers(std::move(ranges));
  }
  // An older version did not note what a suite asked for: taking it up again is nothing new.
  if (other_ &&
      (other_->matches == 0 || (!other_->row.digest && other_->matches == other_->shared)))
    other_.reset();
  return found;
}

void RunArchive::enter_scenario(std::size_t scenario, const Catalogue& catalogue) {
  const Scenario& s = suite_.scenarios[scenario];
  const std::int64_t game = writer_.game(game_row(s, catalogue));
  std::vector<StoredTreatment>& stored = stored_.emplace_back();
  for (const Treatment& t : s.treatments) {
    for (const auto& [digest, data] : t.settings->data()) writer_.store("data", data);
    archive::ScenarioRow row;
    row.place = places_++;
    row.name = s.name;
    row.game = game;
    row.preset = t.settings->preset();
    row.treatment = t.values;
    row.settings = writer_.store("settings", settings_document(s, t));
    row.seed = suite_.seed;
    stored.push_back({row.settings, writer_.scenario(row)});
  }
  std::map<int, std::int64_t>& rows = agent_rows_.emplace_back();
  for (const int number : s.players()) {
    const AgentSpec& agent = suite_.agents[static_cast<std::size_t>(number)];
    const AgentInGame& in = *agent.in(s.game->id);
    archive::AgentRow row;
    row.hash = agent_identity(in, s);
    row.name = agent.name();
    row.spec = in.spec;
    row.family = agent.base();
    row.factors = agent.factors();
    if (const auto prompts = s.prompts_of(*in.agent))
      row.prompts = writer_.store("prompts", prompts_document(*prompts));
    rows.emplace(number, writer_.agent(row));
  }
}

void RunArchive::end(std::string_view outcome, std::string_view manifest) {
  writer_.end_run(run_, outcome, secrets::cut(std::string(manifest)));
}

archive::CallTotals RunArchive::taken_before(const PriceList& prices) {
  const std::lock_guard lock(reading_);
  return agon::taken_before(reader_, prices);
}

std::vector<drift::Row> RunArchive::drift() {
  writer_.flush();
  const std::lock_guard lock(reading_);
  std::vector<drift::Row> rows = drift::read(reader_);
  std::erase_if(rows, [&](const drift::Row& row) { return row.run != run_; });
  return rows;
}

PlacedMatch RunArchive::place(std::size_t scenario, const design::PlannedMatch& planned,
                              std::uint64_t position) const {
  const Scenario& s = suite_.scenarios[scenario];
  const StoredTreatment& stored = stored_[scenario][planned.treatment];
  const archive::MatchParts parts = match_parts(suite_, s, stored.settings, planned, position);
  archive::MatchKey key;
  key.id = archive::match_id(parts);
  key.scenario = stored.row;
  key.block = parts.block;
  key.repeat = parts.repeat;
  key.position = parts.position;
  key.line_up = line_up_label(s.plan->line_ups()[planned.line_up]);
  key.assignment = static_cast<std::int64_t>(planned.assignment);
  return {scenario, planned, std::move(key)};
}

archive::MatchIds RunArchive::ids(std::size_t scenario, const design::PlannedMatch& planned) const {
  return archive::MatchIds(match_parts(suite_, suite_.scenarios[scenario],
                                       stored_[scenario][planned.treatment].settings, planned, 0));
}

std::string RunArchive::line_up_label(const design::Seating& seating) const {
  return text::joined(seating.assignment(0), " + ",
                      [&](int a) { return suite_.agents[static_cast<std::size_t>(a)].name(); });
}

RunArchive::Before RunArchive::before(const PlacedMatch& match) const {
  const Before before = before_in_rows(match.key.id);
  if (before != Before::not_played || in_columns_.size() == 0 || match.key.position > 0)
    return before;
  const DoneInColumns::LineUpMatches* table = done_in_columns(ids(match.scenario, match.planned));
  return table != nullptr && table->number(match.key.block, match.key.repeat) ? Before::finished
                                                                              : before;
}

RunArchive::Before RunArchive::before_in_rows(const archive::MatchId& id) const {
  if (broken_.contains(id)) return Before::game_fault;
  return rows_.contains(id) ? Before::finished : Before::not_played;
}

archive::MatchRow RunArchive::outcome(const archive::MatchId& id) {
  const std::lock_guard lock(reading_);
  const auto number = reader_.number(id);
  archive::MatchRow match;
  if (number) match = reader_.match(*number);
  match.record.clear();
  return match;
}

archive::MatchRow RunArchive::outcome(const MatchSetup& setup, const MatchResult& result) {
  archive::MatchRow row;
  row.status =
      result.end == End::finished ? archive::MatchStatus::finished : archive::MatchStatus::game_error;
  const auto& metrics = result.outcome.match_metrics();
  row.metrics.assign(metrics.begin(), metrics.end());
  row.cluster = cluster_of(setup.game->card, row.metrics);
  for (std::size_t seat = 0; seat < setup.seats.size(); ++seat)
    row.seats.push_back(seat_row(setup.cards[seat], result, seat));
  return row;
}

std::vector<std::string> RunArchive::carried(const archive::MatchId& id, std::size_t seats) {
  std::vector<std::string> carried(seats);
  const std::lock_guard lock(reading_);
  const auto number = reader_.number(id);
  if (!number) return carried;
  const archive::MatchRow match = reader_.match(*number);
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
  const std::lock_guard lock(reading_);
  return reader_.partial(id);
}

void RunArchive::recall(const archive::MatchId& id, MatchLedger& calls) {
  const std::lock_guard lock(reading_);
  reader_.calls(&id, [&](const archive::CallRow& row) { calls.add_past(row); });
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
  broken_.insert(match.key.id);
}

archive::MatchRow RunArchive::match_row(const PlacedMatch& match, const MatchSetup& setup,
                                        const MatchResult& result,
                                        const std::vector<SeatCalls>& calls) const {
  archive::MatchRow row;
  row.key = match.key;
  if (match.planned.focal >= 0) row.focal = agent_row(match.scenario, match.planned.focal);
  row.rng_key = setup.stream_key;
  row.status =
      result.end == End::finished ? archive::MatchStatus::finished : archive::MatchStatus::game_error;
  if (result.end == End::game_fault) row.fault = result.problem;
  const auto& metrics = result.outcome.match_metrics();
  row.metrics.assign(metrics.begin(), metrics.end());
  row.questions = static_cast<std::int64_t>(result.questions);
  row.cluster = cluster_of(setup.game->card, row.metrics);
  for (std::size_t i = 0; i < match.planned.agents.size(); ++i) {
    archive::SeatRow seat = seat_row(setup.cards[i], result, i);
    seat.agent = agent_row(match.scenario, match.planned.agents[i]);
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
    partial.agents.push_back(agent_row(match.scenario, agent));
  partial.sequence = sequence;
  partial.reason = reason;
  partial.record = record;
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
  person.told = who.told.empty() ? "the names of the seats" : who.told;
  {
    const std::lock_guard lock(sessions_mutex_);
    if (sessions_.insert(person.session).second) writer_.person(person);
  }
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

std::string describe_other_suite(const RunArchive& archive, const std::string& path) {
  if (!archive.other()) return {};
  const OtherSuite& other = *archive.other();
  const Suite& suite = archive.suite();
  std::string what = "another version of this suite";
  if (other.number == 0)
    what = "an older version of Agon, which did not note the suites that asked for its matches";
  else if (other.row.digest == archive::digest_of_plays())
    what = "matches played by hand";
  else if (other.row.name != suite.name)
    what = "suite '" + text::printable(other.row.name) + "'";
  else if (other.row.seed != suite.seed)
    what = fmt::format("this suite under seed {}, not {}", other.row.seed, suite.seed);
  const std::uint64_t fresh = suite.matches() - archive.finished_before();
  const std::string which =
      other.number == 0 ? "--all-suites" : "--suite " + std::to_string(other.number);
  return fmt::format(
      "{} was last run with {}: of {} there, {} shared with this suite, {} not asked for any more; "
      "{} new. Nothing is lost, and reports keep them apart: agon report {} {}\n",
      text::printable(path), what,
      text::counted(other.matches, "finished match", "finished matches"),
      text::counted(other.shared, "is", "are"),
      text::counted(other.matches - other.shared, "is", "are"), text::counted(fresh, "is", "are"),
      text::shell_word(path), which);
}

}  // namespace agon
