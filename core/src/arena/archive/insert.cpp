#include "archive/insert.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "archive/match_reader.hpp"
#include "archive/rows.hpp"

namespace agon::archive {
namespace {

std::int64_t find(Statement& statement) {
  const std::int64_t number = statement.step() ? statement.integer() : 0;
  statement.reset();
  return number;
}

Time or_now(Time time) {
  return time == 0 ? now() : time;
}

bool same_but_bounds(const std::vector<Metric>& a, const std::vector<Metric>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Metric& x, const Metric& y) {
    return x.name == y.name && x.unit == y.unit && x.better == y.better && x.decimals == y.decimals;
  });
}

void widen_all(std::vector<Metric>& metrics, const std::vector<Metric>& others) {
  for (std::size_t i = 0; i < metrics.size(); ++i)
    widen(metrics[i].min, metrics[i].max, others[i].min, others[i].max);
}

void bind_key(Statement& statement, const MatchKey& key) {
  statement.bind(std::span(key.id.bytes))
      .bind(key.scenario)
      .bind(key.block)
      .bind(key.repeat)
      .bind(key.position)
      .bind(key.line_up)
      .bind(key.assignment);
}

}  // namespace

EncodedMatch::EncodedMatch(MatchRow match) : row(std::move(match)) {
  metrics = write_metrics(row.metrics);
  seat_metrics.reserve(row.seats.size());
  for (const SeatRow& seat : row.seats) seat_metrics.push_back(write_metrics(seat.metrics));
}

std::size_t EncodedMatch::size() const {
  std::size_t size = sizeof(EncodedMatch) + row.record.size() + metrics.size();
  for (const std::string& text : seat_metrics) size += sizeof(SeatRow) + 2 * text.size();
  return size;
}

Inserter::Inserter(Connection& db)
    : add_game_(db,
                "insert into game (name, version, plugin, plugin_version, score_decimals, "
                "seat_metrics, match_metrics, score_low, score_high) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      find_games_(db,
                  "select number, seat_metrics, match_metrics, score_low, score_high from game "
                  "where name = ? and version = ? and plugin = ? and plugin_version = ? and "
                  "score_decimals = ?"),
      bound_game_(db,
                  "update game set seat_metrics = ?, match_metrics = ?, score_low = ?, "
                  "score_high = ? where number = ?"),
      add_scenario_(db,
                    "insert into scenario (place, name, game, preset, treatment, settings, seed) "
                    "values (?, ?, ?, ?, ?, ?, ?)"),
      find_scenario_(db,
                     "select number from scenario where name = ? and game = ? and treatment = ? "
                     "and settings = ? and seed is ?"),
      move_scenario_(db, "update scenario set place = ?1 where number = ?2 and place <> ?1"),
      add_agent_(
          db,
          "insert into agent (hash, name, spec, base, factors, prompts) values (?, ?, ?, ?, ?, ?) "
          // Labels are no part of what an agent is: those of the last suite hold.
          "on conflict do update set factors = excluded.factors "
          "where factors is not excluded.factors"),
      find_agent_(db, "select number from agent where hash = ? and name = ?"),
      add_suite_(db, "insert into suite (digest, name, seed) values (?, ?, ?)"),
      find_suite_(db, "select number from suite where digest = ?"),
      add_run_(db,
               "insert into run (started, ended, outcome, suite, seed, command, versions, plugins, "
               "manifest, asked) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      end_run_(db,
               "update run set ended = ?1, outcome = ?2, manifest = iif(?4 = '', manifest, ?4) "
               "where number = ?3"),
      add_asked_(db,
                 "insert into asked (run, first, last) values (?, ?, ?) "
                 "on conflict do update set last = excluded.last"),
      add_asked_partial_(
          db, "insert into asked_partial (suite, id) values (?, ?) on conflict do nothing"),
      drop_asked_partial_(db, "delete from asked_partial where id = ?"),
      add_content_(
          db, "insert into content (hash, kind, bytes) values (?, ?, ?) on conflict do nothing"),
      add_match_(db,
                 "insert into match (id, scenario, block, repeat, position, line_up, assignment, "
                 "focal, cluster, luck, ended, fault, metrics, questions, wall_ms, waiting_ms, "
                 "created, number) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                 "on conflict (id) do nothing"),
      add_seat_(
          db,
          "insert into seat (match, seat, name, role, agent, score, zero, one, rank, metrics, "
          "forced, ok, repaired, illegal, unparsable, empty, truncated, refused, timed_out, "
          "crashed, provider_failed, in_words, tokens_in, tokens_out, tokens_cached, "
          "tokens_thought, "
          "cost, waiting_ms, calls, unpriced) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
          "?, ?, ?, ?, ?, ?, "
          "?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      add_record_(db, "insert into record (match, bytes) values (?, ?)"),
      drop_partial_(db, "delete from partial where id = ?"),
      add_columns_(db,
                   "insert into result_columns (first, matches, scenario, last_block, bytes) "
                   "values (?, ?, ?, ?, ?)"),
      add_partial_(db,
                   "insert into partial (id, scenario, block, repeat, position, line_up, "
                   "assignment, agents, sequence, reason, saved, record) "
                   "select ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 "
                   "where not exists (select 1 from match where id = ?1) "
                   "on conflict (id) do update set sequence = excluded.sequence, "
                   "reason = excluded.reason, saved = excluded.saved, record = excluded.record "
                   "where excluded.sequence >= partial.sequence"),
      add_person_(db,
                  "insert into person (session, pseudonym, consent, consented, told, started) "
                  "values (?, ?, ?, ?, ?, ?) on conflict (session) do update set "
                  "consent = excluded.consent, consented = excluded.consented, "
                  "told = excluded.told"),
      add_answer_(db,
                  "insert into person_answer (session, match, seat, question, attempt, shown, "
                  "first_input, answered, disconnects) values (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                  "on conflict (match, question, attempt) do update set "
                  "first_input = excluded.first_input, answered = excluded.answered, "
                  "disconnects = excluded.disconnects"),
      calls_(db),
      db_(&db),
      scenarios_(db.integer("select max(number) from scenario")),
      agents_(db.integer("select max(number) from agent")),
      last_match_(std::max({db.integer("select max(number) from match"),
                            db.integer("select max(last) from asked"),
                            db.integer("select max(first + matches - 1) from result_columns")})) {}

Inserter::Inserter(Connection& db, const Inserter& before) : Inserter(db) {
  run_ = before.run_;
  suite_ = before.suite_;
  asked_ = before.asked_;
  asked_noted_ = asked_.first == 0;
}

void Inserter::check(const MatchKey& key) const {
  if (key.scenario < 1 || key.scenario > scenarios_) {
    throw Error(ErrorKind::failure,
                "a match of an unknown scenario (" + std::to_string(key.scenario) + ")",
                db_->path().string());
  }
}

void Inserter::check_agent(std::int64_t number) const {
  if (number < 1 || number > agents_) {
    throw Error(ErrorKind::failure, "a match of an unknown agent (" + std::to_string(number) + ")",
                db_->path().string());
  }
}

// A version of a game is one row. If it came with other bounds, it keeps to the wider ones: to
// none, if it was ever without.
std::int64_t Inserter::game(const GameRow& row) {
  find_games_.bind(row.name)
      .bind(row.version)
      .bind(row.plugin)
      .bind(row.plugin_version)
      .bind(row.score_decimals);
  const std::filesystem::path& file = db_->path();
  std::int64_t number = 0;
  GameRow wider = row;
  while (number == 0 && find_games_.step()) {
    const std::int64_t found = find_games_.integer();
    const std::vector<Metric> seat = read_metric_cards(find_games_.text(), {file, "seat_metrics"});
    const std::vector<Metric> match =
        read_metric_cards(find_games_.text(), {file, "match_metrics"});
    if (!same_but_bounds(seat, row.seat_metrics) || !same_but_bounds(match, row.match_metrics))
      continue;
    number = found;
    widen_all(wider.seat_metrics, seat);
    widen_all(wider.match_metrics, match);
    const std::optional<double> low = read_optional(find_games_, read_number);
    widen(wider.score_min, wider.score_max, low, read_optional(find_games_, read_number));
  }
  find_games_.reset();
  const std::string seat_metrics = write_metric_cards(wider.seat_metrics);
  const std::string match_metrics = write_metric_cards(wider.match_metrics);
  if (number > 0) {
    bound_game_.bind(seat_metrics)
        .bind(match_metrics)
        .bind(wider.score_min)
        .bind(wider.score_max)
        .bind(number)
        .run();
    return number;
  }
  add_game_.bind(row.name)
      .bind(row.version)
      .bind(row.plugin)
      .bind(row.plugin_version)
      .bind(row.score_decimals)
      .bind(seat_metrics)
      .bind(match_metrics)
      .bind(row.score_min)
      .bind(row.score_max)
      .run();
  return sqlite3_last_insert_rowid(db_->get());
}

std::int64_t Inserter::scenario(const ScenarioRow& row) {
  std::optional<std::int64_t> seed;
  if (row.seed) seed = std::bit_cast<std::int64_t>(*row.seed);
  std::int64_t number = find(find_scenario_.bind(row.name)
                                 .bind(row.game)
                                 .bind(row.treatment)
                                 .bind(std::span(row.settings))
                                 .bind(seed));
  if (number > 0) {
    move_scenario_.bind(row.place).bind(number).run();
    return number;
  }
  add_scenario_.bind(row.place)
      .bind(row.name)
      .bind(row.game)
      .bind(row.preset)
      .bind(row.treatment)
      .bind(std::span(row.settings))
      .bind(seed)
      .run();
  number = sqlite3_last_insert_rowid(db_->get());
  scenarios_ = std::max(scenarios_, number);
  return number;
}

std::int64_t Inserter::agent(const AgentRow& row) {
  add_agent_.bind(std::span(row.hash))
      .bind(row.name)
      .bind(row.spec)
      .bind(row.base.empty() ? row.name : row.base)
      .bind(row.factors)
      .bind(row.prompts)
      .run();
  const std::int64_t number = find(find_agent_.bind(std::span(row.hash)).bind(row.name));
  agents_ = std::max(agents_, number);
  return number;
}

std::int64_t Inserter::suite(const SuiteRow& row) {
  if (row.digest)
    if (const std::int64_t number = find(find_suite_.bind(std::span(*row.digest))); number > 0)
      return number;
  if (row.digest)
    add_suite_.bind(std::span(*row.digest));
  else
    add_suite_.bind_null();
  add_suite_.bind(row.name).bind(std::bit_cast<std::int64_t>(row.seed)).run();
  return sqlite3_last_insert_rowid(db_->get());
}

std::int64_t Inserter::run(const RunRow& row, const Selection& found) {
  add_run_.bind(or_now(row.started))
      .bind(row.ended)
      .bind(row.outcome)
      .bind(row.suite)
      .bind(std::bit_cast<std::int64_t>(row.seed))
      .bind(row.command)
      .bind(row.versions)
      .bind(row.plugins)
      .bind(row.manifest)
      .bind(row.asked)
      .run();
  run_ = sqlite3_last_insert_rowid(db_->get());
  suite_ = row.asked;
  asked_ = {};
  asked_noted_ = true;
  for (const NumberRange& range : found.matches.ranges())
    add_asked_.bind(run_).bind(range.first).bind(range.last).run();
  if (suite_)
    for (const MatchId& id : found.partials)
      add_asked_partial_.bind(*suite_).bind(std::span(id.bytes)).run();
  return run_;
}

void Inserter::note_asked() {
  if (asked_noted_ || run_ == 0) return;
  add_asked_.bind(run_).bind(asked_.first).bind(asked_.last).run();
  asked_noted_ = true;
}

void Inserter::end_run(std::int64_t number, Time ended, std::string_view outcome,
                       std::string_view manifest) {
  end_run_.bind(ended).bind(outcome).bind(number).bind(manifest).run();
}

void Inserter::content(const hash::Digest& hash, std::string_view kind, std::string_view bytes) {
  add_content_.bind(std::span(hash)).bind(kind).bind_bytes(bytes).run();
}

void Inserter::match(const EncodedMatch& match) {
  const MatchRow& row = match.row;
  check(row.key);
  for (const SeatRow& seat : row.seats) check_agent(seat.agent);
  if (row.focal) check_agent(*row.focal);
  bind_key(add_match_, row.key);
  add_match_.bind(row.focal)
      .bind(row.cluster)
      .bind(std::bit_cast<std::int64_t>(row.luck))
      .bind(row.ended)
      .bind(row.fault)
      .bind(match.metrics)
      .bind(row.questions)
      .bind(row.wall_ms)
      .bind(row.waiting_ms)
      .bind(or_now(row.created))
      .bind(last_match_ + 1);
  if (add_match_.changes() == 0) return;  // finished before
  const std::int64_t number = number_next(1);
  for (std::size_t i = 0; i < row.seats.size(); ++i) {
    const SeatRow& seat = row.seats[i];
    add_seat_.bind(number)
        .bind(i)
        .bind(seat.name)
        .bind(seat.role)
        .bind(seat.agent)
        .bind(seat.score)
        .bind(seat.zero)
        .bind(seat.one)
        .bind(seat.rank)
        .bind(match.seat_metrics[i])
        .bind(seat.forced);
    for (const std::int64_t attempts : seat.attempts) add_seat_.bind(attempts);
    add_seat_.bind(seat.tokens_in)
        .bind(seat.tokens_out)
        .bind(seat.tokens_cached)
        .bind(seat.tokens_thought)
        .bind(seat.cost)
        .bind(seat.waiting_ms)
        .bind(seat.calls)
        .bind(seat.unpriced)
        .run();
  }
  if (!row.record.empty()) add_record_.bind(number).bind_bytes(row.record).run();
  if (drop_partial_.bind(std::span(row.key.id.bytes)).changes() > 0)
    drop_asked_partial_.bind(std::span(row.key.id.bytes)).run();
}

std::int64_t Inserter::number_next(std::int64_t matches) {
  const std::int64_t first = last_match_ + 1;
  last_match_ += matches;
  if (asked_.first == 0) asked_.first = first;
  asked_.last = last_match_;
  asked_noted_ = false;
  return first;
}

void Inserter::columns(std::int64_t scenario, std::int64_t matches, std::int64_t last_block,
                       std::string_view bytes) {
  check({.id = {}, .scenario = scenario});
  add_columns_.bind(number_next(matches))
      .bind(matches)
      .bind(scenario)
      .bind(last_block)
      .bind_bytes(bytes)
      .run();
}

void Inserter::forget_set_aside() {
  for (const char* table : {"seat", "record"})
    db_->run((std::string("delete from ") + table +
              " where match in (select number from match where ended = 'set-aside')")
                 .c_str());
  db_->run("delete from match where ended = 'set-aside'");
}

void Inserter::partial(const PartialMatch& match) {
  check(match.key);
  for (const std::int64_t agent : match.agents) check_agent(agent);
  const std::string agents = write_numbers(match.agents);
  bind_key(add_partial_, match.key);
  add_partial_.bind(agents)
      .bind(match.sequence)
      .bind(match.reason)
      .bind(or_now(match.saved))
      .bind_bytes(match.record)
      .run();
  if (suite_) add_asked_partial_.bind(*suite_).bind(std::span(match.key.id.bytes)).run();
}

void Inserter::person(const PersonRow& row) {
  add_person_.bind(row.session)
      .bind(row.pseudonym)
      .bind(row.consent)
      .bind(row.consented)
      .bind(row.told)
      .bind(or_now(row.started))
      .run();
}

void Inserter::person_answer(const PersonAnswer& row) {
  add_answer_.bind(row.session)
      .bind(std::span(row.match.bytes))
      .bind(row.seat)
      .bind(row.question)
      .bind(row.attempt)
      .bind(or_now(row.shown))
      .bind(row.first_input)
      .bind(row.answered)
      .bind(row.disconnects)
      .run();
}

}  // namespace agon::archive
