#include "archive/insert.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "archive/database/schema.hpp"
#include "archive/tables.hpp"

namespace agon::archive {
namespace {

std::int64_t find(Statement& statement) {
  const std::int64_t number = statement.step() ? statement.integer() : 0;
  statement.reset();
  return number;
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

}  // namespace

Inserter::Inserter(Connection& db)
    : begin_(db, "begin immediate"),
      commit_(db, "commit"),
      add_game_(db, insert_into<GameRows>()),
      find_games_(db, "select number, " + names_of<GameRows>() +
                          " from game where name = ? and version = ? and plugin = ? and "
                          "plugin_version = ? and score_decimals = ?"),
      bound_game_(db,
                  "update game set seat_metrics = ?, match_metrics = ?, score_low = ?, "
                  "score_high = ? where number = ?"),
      add_scenario_(db, insert_into<ScenarioRows>()),
      find_scenario_(db,
                     "select number from scenario where name = ? and game = ? and treatment = ? "
                     "and settings = ? and seed is ?"),
      move_scenario_(db, "update scenario set place = ?1 where number = ?2 and place <> ?1"),
      add_agent_(db, insert_into<AgentRows>() +  // labels of the last suite hold: no part of it
                         "on conflict do update set factors = excluded.factors "
                         "where factors is not excluded.factors"),
      find_agent_(db, "select number from agent where hash = ? and name = ?"),
      add_suite_(db, insert_into<SuiteRows>()),
      find_suite_(db, "select number from suite where digest = ?"),
      add_run_(db, insert_into<RunRows>()),
      end_run_(db,
               "update run set ended = ?1, status = ?2, manifest = iif(?4 = '', manifest, ?4) "
               "where number = ?3"),
      add_asked_(db,
                 "insert into requested (run, first, last) values (?, ?, ?) "
                 "on conflict do update set last = excluded.last"),
      add_asked_partial_(
          db, "insert into requested_partial (suite, id) values (?, ?) on conflict do nothing"),
      drop_asked_partial_(db, "delete from requested_partial where id = ?"),
      add_content_(
          db, "insert into content (hash, kind, bytes) values (?, ?, ?) on conflict do nothing"),
      find_content_(db, "select number from content where hash = ?"),
      add_match_(db, insert_into<MatchRows>({"number"}) + "on conflict (id) do nothing"),
      add_seat_(db, insert_into<SeatRows>({"match", "seat"})),
      add_record_(db, "insert into record (match, bytes) values (?, ?)"),
      drop_partial_(db, "delete from partial where id = ?"),
      is_finished_(db, "select 1 from match where id = ?"),
      add_columns_(db,
                   "insert into result_columns (first, matches, scenario, last_block, bytes) "
                   "values (?, ?, ?, ?, ?)"),
      add_partial_(db, insert_into<PartialRows>() +
                           "on conflict (id) do update set sequence = excluded.sequence, "
                           "reason = excluded.reason, saved = excluded.saved, record = "
                           "excluded.record where excluded.sequence >= partial.sequence"),
      add_person_(db, insert_into<PersonRows>() +
                          "on conflict (session) do update set consent = excluded.consent, "
                          "consented = excluded.consented, disclosure = excluded.disclosure"),
      add_answer_(db, insert_into<PersonAnswerRows>() +
                          "on conflict (match, question, attempt) do update set "
                          "first_input = excluded.first_input, answered = excluded.answered, "
                          "disconnects = excluded.disconnects"),
      add_call_(db, insert_into<CallRows>()),
      db_(&db),
      scenarios_(db.integer("select max(number) from scenario")),
      agents_(db.integer("select max(number) from agent")),
      last_match_(std::max({db.integer("select max(number) from match"),
                            db.integer("select max(last) from requested"),
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
  std::int64_t number = 0;
  GameRow wider = row, found;
  while (number == 0 && find_games_.step()) {
    const std::int64_t at = find_games_.integer();
    read_row<GameRows>(find_games_, found);
    if (!same_but_bounds(found.seat_metrics, row.seat_metrics) ||
        !same_but_bounds(found.match_metrics, row.match_metrics))
      continue;
    number = at;
    widen_all(wider.seat_metrics, found.seat_metrics);
    widen_all(wider.match_metrics, found.match_metrics);
    widen(wider.score_min, wider.score_max, found.score_min, found.score_max);
  }
  find_games_.reset();
  if (number > 0) {
    bound_game_.bind_copy(write_json(wider.seat_metrics))
        .bind_copy(write_json(wider.match_metrics))
        .bind(wider.score_min)
        .bind(wider.score_max)
        .bind(number)
        .run();
    return number;
  }
  bind_row<GameRows>(add_game_, row).run();
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
  bind_row<ScenarioRows>(add_scenario_, row).run();
  number = sqlite3_last_insert_rowid(db_->get());
  scenarios_ = std::max(scenarios_, number);
  return number;
}

std::int64_t Inserter::agent(const AgentRow& row) {
  AgentRow named = row;
  if (named.family.empty()) named.family = row.name;
  bind_row<AgentRows>(add_agent_, named).run();
  const std::int64_t number = find(find_agent_.bind(std::span(row.hash)).bind(row.name));
  agents_ = std::max(agents_, number);
  return number;
}

std::int64_t Inserter::suite(const SuiteRow& row) {
  if (row.digest)
    if (const std::int64_t number = find(find_suite_.bind(std::span(*row.digest))); number > 0)
      return number;
  bind_row<SuiteRows>(add_suite_, row).run();
  return sqlite3_last_insert_rowid(db_->get());
}

std::int64_t Inserter::run(const RunRow& row, const Selection& found) {
  bind_row<RunRows>(add_run_, row).run();
  run_ = sqlite3_last_insert_rowid(db_->get());
  suite_ = row.suite_number;
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

std::int64_t Inserter::dictionary(std::string_view bytes) {
  const hash::Digest hash = hash::sha256(bytes);
  content(hash, "dictionary", bytes);
  return content_number(hash);
}

std::int64_t Inserter::content_number(const hash::Digest& hash) {
  return find(find_content_.bind(std::span(hash)));
}

void Inserter::match(const MatchRow& match) {
  check(match.key);
  for (const SeatRow& seat : match.seats) check_agent(seat.agent);
  if (match.focal) check_agent(*match.focal);
  add_match_.bind(last_match_ + 1);
  if (bind_row<MatchRows>(add_match_, match).changes() == 0) return;  // finished before
  const std::int64_t number = number_next(1);
  for (std::size_t i = 0; i < match.seats.size(); ++i) {
    add_seat_.bind(number).bind(i);
    bind_row<SeatRows>(add_seat_, match.seats[i]).run();
  }
  if (match.branch) branch(*match.branch);
  if (!match.record.empty()) add_record_.bind(number).bind_bytes(match.record).run();
  const std::span id(match.key.id.bytes);
  if (drop_partial_.bind(id).changes() > 0) drop_asked_partial_.bind(id).run();
}

void Inserter::branch(const BranchRow& row) {
  if (!add_branch_) {
    if (!has_branches(*db_)) create_branches(*db_);
    add_branch_.emplace(*db_, insert_into<BranchRows>() + "on conflict do nothing");
  }
  bind_row<BranchRows>(*add_branch_, row).run();
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
              " where match in (select number from match where status = 'quarantined')")
                 .c_str());
  if (has_branches(*db_))
    db_->run(
        "delete from branch where match in (select id from match where status = 'quarantined')");
  db_->run("delete from match where status = 'quarantined'");
}

void Inserter::partial(const PartialMatch& match) {
  check(match.key);
  for (const std::int64_t agent : match.agents) check_agent(agent);
  if (find(is_finished_.bind(std::span(match.key.id.bytes))) == 0)
    bind_row<PartialRows>(add_partial_, match).run();
  if (suite_) add_asked_partial_.bind(*suite_).bind(std::span(match.key.id.bytes)).run();
}

void Inserter::call(const CallRow& row) {
  CallRow stored = row;
  stored.messages = lists_.shorten(row.match, row.seat, row.messages);
  bind_row<CallRows>(add_call_, stored).run();
  lists_.note(sqlite3_last_insert_rowid(db_->get()));
}

void Inserter::person(const PersonRow& row) {
  bind_row<PersonRows>(add_person_, row).run();
}

void Inserter::person_answer(const PersonAnswer& row) {
  bind_row<PersonAnswerRows>(add_answer_, row).run();
}

}  // namespace agon::archive
