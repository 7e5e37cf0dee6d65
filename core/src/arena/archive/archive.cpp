#include "archive/archive.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "archive/database/file.hpp"
#include "archive/database/schema.hpp"
#include "archive/open_archive.hpp"
#include "archive/tables.hpp"
#include "design/lineups.hpp"

namespace agon::archive {
namespace {

// Opens for reading. A folder that may not be written has no room for SQLite's side files; without
// a log beside it, such an archive is complete in itself and changes under nobody.
Connection open_for_reading(const std::filesystem::path& path, FileState& state) {
  std::optional<Connection> db;
  try {
    db.emplace(path, OpenMode::read);
    state = inspect(*db);
    return std::move(*db);
  } catch (const Error&) {
    if (!db || db->has_log()) throw;
  }
  db.emplace(path, OpenMode::immutable);
  state = inspect(*db);
  return std::move(*db);
}

// Ranges of `first` and `last`.
MatchNumbers ranges_of(Statement& rows) {
  std::vector<NumberRange> all;
  while (rows.step()) {
    constexpr std::int64_t most = std::int64_t{1} << 52U;
    const std::int64_t first = rows.integer(1, most);
    all.push_back({first, rows.integer(first, most)});
  }
  return MatchNumbers(std::move(all));
}

// The rows of a table by their numbers.
template <class Table>
std::map<std::int64_t, typename Table::Row> numbered(Connection& db) {
  Statement rows(db, "select number, " + names_of<Table>() + " from " + std::string(Table::name));
  std::map<std::int64_t, typename Table::Row> all;
  while (rows.step()) {
    const std::int64_t number = rows.integer();
    read_row<Table>(rows, all[number]);
  }
  return all;
}

}  // namespace

OpenArchive::OpenArchive(Connection connection)
    : db(std::move(connection)),
      decompressor(db),
      lists(db),
      parts(db, decompressor),
      results(db),
      has_id(db, "select number from match where id = ?"),
      get_content(db, "select bytes, kind from content where hash = ?"),
      calls_of_match(db, "select " + names_of<CallRows>() +
                             " from call where match = ? order by question, attempt, place, "
                             "number") {}

Archive::Archive(std::unique_ptr<OpenArchive> opened) : open_(std::move(opened)) {}
Archive::~Archive() = default;
Archive::Archive(Archive&&) noexcept = default;
Archive& Archive::operator=(Archive&&) noexcept = default;

namespace {

void convert_file(const std::filesystem::path& file) {
  try {
    const RunLock lock(file);
    Connection db(file, OpenMode::write);
    convert(db);
  } catch (const Error& error) {
    throw Error(error.kind(), "written in an earlier format, and not converted: " + error.problem(),
                file.string(),
                "copy the archive to a folder where you can write, and use the copy");
  }
}

}  // namespace

Archive Archive::open(const std::filesystem::path& path) {
  const std::filesystem::path file = resolve(path, true);
  FileState state = FileState::empty;
  std::optional<Connection> opened = open_for_reading(file, state);
  if (state == FileState::former) {
    opened.reset();
    convert_file(file);
    opened = open_for_reading(file, state);
  }
  Connection db = std::move(*opened);
  if (state == FileState::empty) {
    throw Error(ErrorKind::not_found, "the archive is empty: no run has written to it",
                file.string(), "write it with 'agon run SUITE --out FILE'");
  }
  return Archive(std::make_unique<OpenArchive>(std::move(db)));
}

const std::filesystem::path& Archive::path() const {
  return open_->db.path();
}

void Archive::leave_file() const {
  sqlite3_db_config(open_->db.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

// Whatever narrows what this one tells has to narrow what that one tells.
Archive Archive::again() const {
  FileState state = FileState::empty;
  Archive other(std::make_unique<OpenArchive>(open_for_reading(path(), state)));
  other.open_->selection = open_->selection;
  other.open_->added = open_->added;
  return other;
}

Matches Archive::matches() const {
  return Matches(*this, *open_);
}

Calls Archive::calls() const {
  return Calls(*this, *open_);
}

void Archive::damaged(std::string_view what) const {
  throw archive::damaged(path(), what);
}

void Archive::together(const std::function<void()>& work) const {
  const Snapshot snapshot(open_->db);
  work();
}

std::vector<RunRow> Archive::runs() const {
  Statement rows(open_->db, "select number, " + names_of<RunRows>() + " from run order by number");
  std::vector<RunRow> runs;
  while (rows.step()) {
    RunRow run;
    run.number = rows.integer();
    if (open_->selection && !open_->selection->runs.contains(run.number)) continue;
    read_row<RunRows>(rows, run);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::map<std::int64_t, SuiteRow> Archive::suites() const {
  return numbered<SuiteRows>(open_->db);
}

Selection Archive::asked_by(std::int64_t suite, std::int64_t last) const {
  const Snapshot snapshot(open_->db);
  if (last == 0) last = std::numeric_limits<std::int64_t>::max();
  Selection selection;
  Statement runs(open_->db, "select number from run where suite_number = ? and number <= ?");
  runs.bind(suite).bind(last);
  while (runs.step()) selection.runs.insert(runs.integer());
  Statement rows(open_->db,
                 "select first, last from requested where run in "
                 "(select number from run where suite_number = ? and number <= ?)");
  rows.bind(suite).bind(last);
  selection.matches = ranges_of(rows);
  Statement partials(open_->db, "select id from requested_partial where suite = ?");
  partials.bind(suite);
  while (partials.step()) selection.partials.insert(read_id(partials));
  return selection;
}

Selection Archive::asked_by_nobody() const {
  const Snapshot snapshot(open_->db);
  Selection selection;
  Statement runs(open_->db, "select number from run where suite_number is null");
  while (runs.step()) selection.runs.insert(runs.integer());
  Statement rows(open_->db, "select first, last from requested");
  std::vector<NumberRange> rest;
  std::int64_t next = 1;
  const MatchNumbers asked = ranges_of(rows);
  for (const NumberRange& range : asked.ranges()) {
    if (next < range.first) rest.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (const std::int64_t most = matches().last_number(); next <= most) rest.push_back({next, most});
  selection.matches = MatchNumbers(std::move(rest));
  Statement partials(
      open_->db,
      "select id from partial where not exists (select 1 from requested_partial a where a.id = "
      "partial.id)");
  while (partials.step()) selection.partials.insert(read_id(partials));
  return selection;
}

void Archive::narrow(Selection selection) {
  open_->selection = std::move(selection);
}

void Archive::add(std::shared_ptr<const AddedMetrics> metrics) {
  open_->added = std::move(metrics);
  (void)games();
}

std::map<std::int64_t, GameRow> Archive::games() const {
  auto games = numbered<GameRows>(open_->db);
  for (const auto& [number, game] : games)
    if (game.score_min && game.score_max && *game.score_min > *game.score_max)
      damaged("the bounds of a game's scores have nothing between them");
  if (open_->added) open_->added->add_to(games);
  return games;
}

std::map<std::int64_t, ScenarioRow> Archive::scenarios() const {
  auto scenarios = numbered<ScenarioRows>(open_->db);
  std::map<hash::Digest, std::string> draws;  // by settings, which treatments may share
  for (auto& [number, scenario] : scenarios) {
    const auto [at, is_new] = draws.try_emplace(scenario.settings);
    if (is_new) at->second = same_draws_in(content(scenario.settings).value_or(""), path());
    scenario.same_draws_as = at->second;
    if (scenario.name.size() > kLongestScenarioName ||
        scenario.treatment.size() > kLongestTreatment)
      damaged("the name or the treatment of a scenario is longer than any");
  }
  return scenarios;
}

std::map<std::pair<MatchId, int>, std::string> Archive::people() const {
  Statement rows(open_->db,
                 "select a.match, a.seat, p.pseudonym from person_answer a join person p using "
                 "(session) order by a.number");
  std::map<std::pair<MatchId, int>, std::string> people;
  while (rows.step()) {
    const MatchId match = read_id(rows);
    const auto seat = static_cast<int>(rows.integer());
    people.try_emplace({match, seat}, rows.text());
  }
  return people;
}

std::map<std::int64_t, AgentRow> Archive::agents() const {
  auto agents = numbered<AgentRows>(open_->db);
  for (const auto& [number, agent] : agents)
    if (std::max(agent.name.size(), agent.family.size()) > kLongestAgentName)
      damaged("the name of an agent is longer than any");
  return agents;
}

std::optional<std::string> Archive::content(const hash::Digest& hash) const {
  Statement& row = open_->get_content;
  row.reset();
  row.bind(std::span(hash));
  if (!row.step()) return std::nullopt;
  const auto bytes = row.bytes();
  std::string content;
  if (row.text() == "message") {
    if (!open_->decompressor.message(hash, bytes, content))
      damaged("a message to a model cannot be read");
  } else {
    content.assign(bytes.begin(), bytes.end());
  }
  row.reset();
  return content;
}

void Archive::check() const {
  // A file too damaged to be checked to the end throws the same error by itself.
  Statement rows(open_->db, "pragma integrity_check(1)");
  while (rows.step())
    if (rows.text() != "ok") throw database_error(SQLITE_CORRUPT, path(), {}, 0);
  MatchRow match;
  open_->results.columns(1, 0,
                         [&](const ResultReader::PiecePosition&, const ResultColumns& columns) {
                           for (std::size_t i = 0; i < columns.matches; ++i)
                             open_->results.read(columns, i, match);
                           return true;
                         });
}

std::map<MatchId, BranchRow> branches_of(const Archive& archive) {
  std::map<MatchId, BranchRow> branches;
  if (!has_branches(archive.opened().db)) return branches;
  Statement rows(archive.opened().db, "select " + names_of<BranchRows>() + " from branch");
  for (BranchRow row; rows.step();) {
    read_row<BranchRows>(rows, row);
    branches.emplace(row.match, row);
  }
  return branches;
}

std::vector<DecisionRow> decisions_of(const Archive& archive) {
  std::vector<DecisionRow> decisions;
  if (!has_decisions(archive.opened().db)) return decisions;
  Statement rows(archive.opened().db,
                 "select " + names_of<DecisionRows>() +
                     " from decision order by match, question, reference, others, answer");
  while (rows.step()) read_row<DecisionRows>(rows, decisions.emplace_back());
  return decisions;
}

}  // namespace agon::archive
