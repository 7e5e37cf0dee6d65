#include "archive/archive.hpp"

#include <agon/table.hpp>
#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <system_error>
#include <tuple>
#include <utility>

#include "archive/added_metrics.hpp"
#include "archive/database/file.hpp"
#include "archive/database/schema.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/matches/match_reader.hpp"
#include "archive/matches/result_reader.hpp"
#include "archive/tables.hpp"
#include "design/lineups.hpp"

namespace agon::archive {
namespace {

// A read transaction: what is read in it fits together, whatever is committed meanwhile.
class Snapshot {
 public:
  explicit Snapshot(Connection& db) : db_(db), outer_(!db.in_transaction()) {
    if (outer_) db_.run("begin");
  }
  ~Snapshot() {
    if (outer_) db_.roll_back();
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Connection& db_;
  bool outer_;
};

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

}  // namespace

std::map<std::int64_t, std::size_t> scenario_ranks(const Archive& archive) {
  std::vector<std::tuple<std::int64_t, std::string, std::int64_t>> order;
  for (const auto& [number, row] : archive.scenarios())
    order.emplace_back(row.place, row.name, number);
  std::sort(order.begin(), order.end());
  std::map<std::int64_t, std::size_t> ranks;
  for (const auto& [place, name, number] : order) ranks.emplace(number, ranks.size() + 1);
  return ranks;
}

struct Archive::Reader {
  explicit Reader(Connection connection)
      : db(std::move(connection)),
        parts(db),
        results(db),
        has_id(db, "select number from match where id = ?"),
        get_content(db, "select bytes from content where hash = ?"),
        calls(db) {}

  // Ranges of `first` and `last`.
  MatchNumbers ranges(Statement& rows) {
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
  std::map<std::int64_t, typename Table::Row> numbered() {
    Statement rows(db, "select number, " + names_of<Table>() + " from " + std::string(Table::name));
    std::map<std::int64_t, typename Table::Row> all;
    while (rows.step()) {
      const std::int64_t number = rows.integer();
      read_row<Table>(rows, all[number]);
    }
    return all;
  }
  [[nodiscard]] bool wants(std::int64_t number) const {
    return !selection || selection->matches.has(number);
  }
  [[nodiscard]] bool wants_open(const MatchId& id) const {
    return !selection || selection->partials.contains(id);
  }

  Connection db;
  std::optional<Selection> selection;         // none: everything
  std::shared_ptr<const AddedMetrics> added;  // null: none
  MatchReader parts;
  ResultReader results;
  Statement has_id;
  Statement get_content;
  CallReader calls;
};

Archive::Archive(std::unique_ptr<Reader> reader) : reader_(std::move(reader)) {}
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
  return Archive(std::make_unique<Reader>(std::move(db)));
}

const std::filesystem::path& Archive::path() const {
  return reader_->db.path();
}

void Archive::leave_file() const {
  sqlite3_db_config(reader_->db.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

// Whatever narrows what this one tells has to narrow what that one tells.
Archive Archive::again() const {
  FileState state = FileState::empty;
  Archive other(std::make_unique<Reader>(open_for_reading(path(), state)));
  other.reader_->selection = reader_->selection;
  other.reader_->added = reader_->added;
  return other;
}

std::int64_t Archive::last_number() const {
  return std::max(reader_->db.integer("select coalesce(max(number), 0) from match"),
                  reader_->results.last_number());
}

void Archive::damaged(std::string_view what) const {
  throw archive::damaged(path(), what);
}

void Archive::together(const std::function<void()>& work) const {
  const Snapshot snapshot(reader_->db);
  work();
}

std::vector<RunRow> Archive::runs() const {
  Statement rows(reader_->db,
                 "select number, " + names_of<RunRows>() + " from run order by number");
  std::vector<RunRow> runs;
  while (rows.step()) {
    RunRow run;
    run.number = rows.integer();
    if (reader_->selection && !reader_->selection->runs.contains(run.number)) continue;
    read_row<RunRows>(rows, run);
    runs.push_back(std::move(run));
  }
  return runs;
}

std::map<std::int64_t, SuiteRow> Archive::suites() const {
  return reader_->numbered<SuiteRows>();
}

Selection Archive::asked_by(std::int64_t suite, std::int64_t last) const {
  const Snapshot snapshot(reader_->db);
  if (last == 0) last = std::numeric_limits<std::int64_t>::max();
  Selection selection;
  Statement runs(reader_->db, "select number from run where suite_number = ? and number <= ?");
  runs.bind(suite).bind(last);
  while (runs.step()) selection.runs.insert(runs.integer());
  Statement rows(reader_->db,
                 "select first, last from requested where run in "
                 "(select number from run where suite_number = ? and number <= ?)");
  rows.bind(suite).bind(last);
  selection.matches = reader_->ranges(rows);
  Statement partials(reader_->db, "select id from requested_partial where suite = ?");
  partials.bind(suite);
  while (partials.step()) selection.partials.insert(read_id(partials));
  return selection;
}

Selection Archive::asked_by_nobody() const {
  const Snapshot snapshot(reader_->db);
  Selection selection;
  Statement runs(reader_->db, "select number from run where suite_number is null");
  while (runs.step()) selection.runs.insert(runs.integer());
  Statement rows(reader_->db, "select first, last from requested");
  std::vector<NumberRange> rest;
  std::int64_t next = 1;
  const MatchNumbers asked = reader_->ranges(rows);
  for (const NumberRange& range : asked.ranges()) {
    if (next < range.first) rest.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (const std::int64_t most = last_number(); next <= most) rest.push_back({next, most});
  selection.matches = MatchNumbers(std::move(rest));
  Statement partials(
      reader_->db,
      "select id from partial where not exists (select 1 from requested_partial a where a.id = "
      "partial.id)");
  while (partials.step()) selection.partials.insert(read_id(partials));
  return selection;
}

void Archive::narrow(Selection selection) {
  reader_->selection = std::move(selection);
}

void Archive::add(std::shared_ptr<const AddedMetrics> metrics) {
  reader_->added = std::move(metrics);
  (void)games();
}

std::map<std::int64_t, GameRow> Archive::games() const {
  auto games = reader_->numbered<GameRows>();
  for (const auto& [number, game] : games)
    if (game.score_min && game.score_max && *game.score_min > *game.score_max)
      damaged("the bounds of a game's scores have nothing between them");
  if (reader_->added) reader_->added->add_to(games);
  return games;
}

std::map<std::int64_t, ScenarioRow> Archive::scenarios() const {
  auto scenarios = reader_->numbered<ScenarioRows>();
  for (const auto& [number, scenario] : scenarios)
    if (scenario.name.size() > kLongestScenarioName ||
        scenario.treatment.size() > kLongestTreatment)
      damaged("the name or the treatment of a scenario is longer than any");
  return scenarios;
}

std::map<std::pair<MatchId, int>, std::string> Archive::people() const {
  Statement rows(reader_->db,
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
  auto agents = reader_->numbered<AgentRows>();
  for (const auto& [number, agent] : agents)
    if (std::max(agent.name.size(), agent.family.size()) > kLongestAgentName)
      damaged("the name of an agent is longer than any");
  return agents;
}

std::set<std::int64_t> Archive::played_scenarios() const {
  std::set<std::int64_t> played;
  Statement rows(reader_->db, "select number, scenario from match");
  while (rows.step()) {
    const bool wanted = reader_->wants(rows.integer());
    if (const std::int64_t scenario = rows.integer(); wanted) played.insert(scenario);
  }
  reader_->results.places([&](const ResultReader::PiecePosition& place) {
    for (std::int64_t i = 0; i < place.matches && !played.contains(place.scenario); ++i)
      if (reader_->wants(place.first + i)) played.insert(place.scenario);
  });
  Statement open(reader_->db, "select id, scenario from partial");
  while (open.step()) {
    const bool wanted = reader_->wants_open(read_id(open));
    if (const std::int64_t scenario = open.integer(); wanted) played.insert(scenario);
  }
  return played;
}

void Archive::calls(const MatchId* match, const std::function<void(const CallRow&)>& each) const {
  if (match != nullptr || !reader_->selection) {
    reader_->calls.calls(match, each);
    return;
  }
  std::optional<MatchId> last;
  bool wanted = false;
  const MatchId no_match;
  reader_->calls.calls(nullptr, [&](const CallRow& row) {
    if (row.match != last) {
      last = row.match;
      const auto finished = number(row.match);
      wanted = finished ? reader_->wants(*finished) : reader_->wants_open(row.match);
    }
    // Drift checks belong to runs.
    if (row.match == no_match ? reader_->selection->runs.contains(row.run) : wanted) each(row);
  });
}

void Archive::calls_by_agent(
    const std::function<void(std::int64_t, std::int64_t, std::string_view)>& each) const {
  reader_->calls.by_agent(each);
}

CallTotals Archive::call_totals() const {
  return reader_->calls.totals();
}

void Archive::uncounted_calls(const std::function<void(const UncountedCall&)>& each) const {
  reader_->calls.uncounted(each);
}

std::optional<std::string> Archive::content(const hash::Digest& hash) const {
  Statement& row = reader_->get_content;
  row.reset();
  row.bind(std::span(hash));
  if (!row.step()) return std::nullopt;
  const auto bytes = row.bytes();
  std::string content(bytes.begin(), bytes.end());
  row.reset();
  return content;
}

std::int64_t Archive::finished() const {
  if (!reader_->selection) return rows() + reader_->results.finished();
  std::int64_t count = 0;
  finished_numbers([&](std::int64_t) { ++count; });
  return count;
}

std::int64_t Archive::rows() const {
  // `count(*)` would follow pages that point at one another without end.
  return reader_->db.integer("select count(id) from match");
}

void Archive::finished_numbers(const std::function<void(std::int64_t)>& each) const {
  const auto tell = [&](std::int64_t number) {
    if (reader_->wants(number)) each(number);
  };
  Statement rows(reader_->db, "select number from match");
  while (rows.step()) tell(rows.integer());
  reader_->results.places([&](const ResultReader::PiecePosition& place) {
    for (std::int64_t i = 0; i < place.matches; ++i) tell(place.first + i);
  });
}

std::optional<std::int64_t> Archive::number(const MatchId& id) const {
  if (const auto number = row_number(id)) return number;
  const auto found = reader_->results.find(id, id, 1);
  return found.empty() ? std::nullopt : std::optional(found.front().second);
}

std::optional<std::int64_t> Archive::row_number(const MatchId& id) const {
  Statement& row = reader_->has_id;
  row.reset();
  row.bind(std::span(id.bytes));
  if (!row.step()) return std::nullopt;
  const std::int64_t number = row.integer();
  row.reset();
  return number;
}

std::int64_t Archive::last_block() const {
  return std::max({reader_->db.integer("select coalesce(max(block), -1) from match"),
                   reader_->db.integer("select coalesce(max(block), -1) from partial"),
                   reader_->results.last_block()});
}

void Archive::row_ids(const std::function<void(const MatchId&, std::int64_t)>& each) const {
  Statement rows(reader_->db, "select id, number from match");
  while (rows.step()) {
    const MatchId id = read_id(rows);
    if (const std::int64_t number = rows.integer(); reader_->wants(number)) each(id, number);
  }
}

void Archive::done_in_columns(
    const std::function<void(const MatchId&, std::span<const DoneMatch>)>& each) const {
  reader_->results.columns(
      1, 0, [&](const ResultReader::PiecePosition& place, const ResultColumns& all) {
        std::vector<std::vector<DoneMatch>> done(all.seated.size());
        std::vector<std::size_t> any(all.seated.size());
        for (std::size_t i = 0; i < all.matches; ++i) {
          const std::int64_t number = place.first + static_cast<std::int64_t>(i);
          const auto seated = static_cast<std::size_t>(all.integers[ResultColumns::seated_as][i]);
          any[seated] = i;
          if (reader_->wants(number))
            done[seated].push_back({all.integers[ResultColumns::block][i],
                                    all.integers[ResultColumns::repeat][i], number});
        }
        for (std::size_t seated = 0; seated < done.size(); ++seated)
          if (!done[seated].empty())
            each(reader_->results.ids(all, any[seated])(0, 0, 0), done[seated]);
        return true;
      });
}

void Archive::finished_ids(const std::function<void(const MatchId&, std::int64_t)>& each) const {
  row_ids(each);
  reader_->results.columns(
      1, 0, [&](const ResultReader::PiecePosition& place, const ResultColumns& all) {
        for (std::size_t i = 0; i < all.matches; ++i)
          if (const std::int64_t number = place.first + static_cast<std::int64_t>(i);
              reader_->wants(number))
            each(reader_->results.id_of(all, i), number);
        return true;
      });
}

void Archive::broken_ids(const std::function<void(const MatchId&)>& each) const {
  Statement rows(reader_->db, "select id from match where status <> 'finished'");
  while (rows.step()) each(read_id(rows));
}

void Archive::matches(const ReadOptions& wanted,
                      const std::function<bool(std::int64_t number, const MatchRow&)>& each) const {
  if (reader_->added == nullptr || !wanted.seats) return stored_matches(wanted, each);
  const auto scenarios = this->scenarios();
  const auto games = this->games();
  stored_matches(wanted, [&](std::int64_t number, const MatchRow& stored) {
    MatchRow match = stored;
    reader_->added->add_to(match, row(games, row(scenarios, match.key.scenario).game));
    return each(number, match);
  });
}

namespace {

using OptionalNumber = std::optional<std::int64_t>;

/// Selects the rows of matches.
std::string query_of(const ReadOptions& wanted) {
  std::string sql = "select ";
  sql += names_of_match();
  // Also a match whose scenario is missing, so that the caller notices.
  sql += " from match m left join scenario s on s.number = m.scenario";
  sql +=
      " where m.number between ?4 and ?5 and (?1 = 0 or m.number <= ?1) and (?2 = 1 or "
      "abs(m.block % ?2) = ?3)";
  if (!wanted.scenarios.empty()) {
    sql += " and m.scenario in (select value from json_each('";
    sql += write_json(wanted.scenarios);
    sql += "'))";
  }
  if (wanted.in_order)
    sql +=
        " order by s.place, s.name, s.number, m.block, m.repeat, m.position, m.line_up, "
        "m.assignment, m.id";
  else
    sql += " order by m.number";
  return sql;
}

/// The matches in columns, one after the other.
struct ColumnMatches {
  /// `ranks`: of all scenarios, in their order.
  ColumnMatches(ResultReader& reader, const ReadOptions& asked, const NumberRange& range,
                std::function<bool(std::int64_t number, std::int64_t block)> which,
                const std::map<std::int64_t, std::size_t>& ranks);

  /// Reads the next one into `match`; nothing after the last.
  OptionalNumber next();

  MatchRow match;
  ReadOptions wanted;  ///< where rows and columns are merged, ids put them in order

 private:
  ResultReader& results_;
  std::function<bool(std::int64_t number, std::int64_t block)> wants_;
  std::optional<OrderedResults> ordered_;
  std::vector<ResultReader::PiecePosition> places_;  ///< without an order
  std::size_t place_ = 0;
  std::int64_t in_place_ = 0;
};

ColumnMatches::ColumnMatches(ResultReader& reader, const ReadOptions& asked,
                             const NumberRange& range,
                             std::function<bool(std::int64_t number, std::int64_t block)> which,
                             const std::map<std::int64_t, std::size_t>& ranks)
    : wanted(asked), results_(reader), wants_(std::move(which)) {
  const auto scenario_wanted = [&](std::int64_t scenario) {
    return wanted.scenarios.empty() || std::find(wanted.scenarios.begin(), wanted.scenarios.end(),
                                                 scenario) != wanted.scenarios.end();
  };
  if (wanted.in_order) {
    std::vector<std::int64_t> scenarios(ranks.size());
    for (const auto& [scenario, rank] : ranks) scenarios[rank - 1] = scenario;
    std::erase_if(scenarios, [&](std::int64_t scenario) { return !scenario_wanted(scenario); });
    ordered_.emplace(results_, std::move(scenarios), wants_);
    return;
  }
  results_.places([&](const ResultReader::PiecePosition& place) {
    if (scenario_wanted(place.scenario) && place.first <= range.last &&
        place.first + place.matches > range.first)
      places_.push_back(place);
  });
}

OptionalNumber ColumnMatches::next() {
  std::int64_t number = 0;
  if (ordered_)
    return ordered_->next(number, match, wanted) ? OptionalNumber(number) : std::nullopt;
  for (; place_ < places_.size(); ++place_, in_place_ = 0)
    while (in_place_ < places_[place_].matches) {
      number = places_[place_].first + in_place_++;
      if (results_.match(number, match, wanted) && wants_(number, match.key.block)) return number;
    }
  return std::nullopt;
}

}  // namespace

void Archive::stored_matches(
    const ReadOptions& wanted,
    const std::function<bool(std::int64_t number, const MatchRow&)>& each) const {
  const Snapshot snapshot(reader_->db);
  Statement rows(reader_->db, query_of(wanted));
  // Most selections lie close together; what is between them is passed over.
  NumberRange range{std::numeric_limits<std::int64_t>::min(),
                    std::numeric_limits<std::int64_t>::max()};
  if (reader_->selection) {
    const auto& ranges = reader_->selection->matches.ranges();
    if (ranges.empty()) return;
    range = {ranges.front().first, ranges.back().last};
  }
  rows.bind(wanted.last).bind(wanted.shares).bind(wanted.share).bind(range.first).bind(range.last);
  const auto wants = [&](std::int64_t number, std::int64_t block) {
    return number >= range.first && number <= range.last &&
           (wanted.last == 0 || number <= wanted.last) && block % wanted.shares == wanted.share &&
           reader_->wants(number);
  };
  MatchRow match;
  // The next row of a match that is wanted; nothing after the last.
  const auto next_row = [&]() -> OptionalNumber {
    while (rows.step()) {
      const std::int64_t number = reader_->parts.match(rows, match);
      if (!reader_->wants(number)) continue;
      if (wanted.seats) reader_->parts.seats(number, match);
      if (wanted.record) reader_->parts.record(number, match);
      return number;
    }
    return std::nullopt;
  };
  const std::map<std::int64_t, std::size_t> ranks = scenario_ranks(*this);
  reader_->results.places([&](const ResultReader::PiecePosition& place) {
    if (!ranks.contains(place.scenario)) damaged("matches in columns are of a missing scenario");
  });
  ColumnMatches columns(reader_->results, wanted, range, wants, ranks);
  const auto place_of = [&](const MatchRow& row) {
    const MatchKey& key = row.key;
    const auto rank = ranks.find(key.scenario);
    return std::tuple(rank == ranks.end() ? 0 : rank->second, key.block, key.repeat, key.position,
                      std::string_view(key.line_up), key.assignment, key.id);
  };
  OptionalNumber row = next_row();
  columns.wanted.ids = wanted.ids || (row && wanted.in_order);
  OptionalNumber in_columns = columns.next();
  while (row || in_columns) {
    const bool is_row =
        !in_columns ||
        (row && (wanted.in_order ? place_of(match) < place_of(columns.match) : *row < *in_columns));
    if (!each(is_row ? *row : *in_columns, is_row ? match : columns.match)) return;
    (is_row ? row : in_columns) = is_row ? next_row() : columns.next();
  }
}

std::int64_t Archive::find(std::string_view text) const {
  const auto none = [&](std::string_view hint) {
    return Error(ErrorKind::not_found, "no finished match '" + std::string(text) + "'",
                 path().string(), std::string(hint));
  };
  std::string_view digits = text;
  if (digits.starts_with('#')) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (code == std::errc() && end == digits.data() + digits.size() && number > 0) {
    Statement row(reader_->db, "select 1 from match where number = ?");
    row.bind(number);
    MatchRow in_columns;
    if (row.step() || reader_->results.match(number, in_columns)) return number;
  }
  constexpr std::size_t shortest = 4;
  const bool hexadecimal =
      text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  if (!hexadecimal || text.size() < shortest || text.size() > 32)
    throw none("give a running number from 1 to " + std::to_string(finished()) +
               ", or 4 to 32 digits of an id");
  const std::string begin(text);
  const MatchId low = *MatchId::read(begin + std::string(32 - begin.size(), '0'));
  const MatchId high = *MatchId::read(begin + std::string(32 - begin.size(), 'f'));
  Statement rows(reader_->db, "select number, id from match where id between ? and ? limit 3");
  rows.bind(std::span(low.bytes)).bind(std::span(high.bytes));
  std::string ids;
  std::size_t count = 0;
  while (rows.step()) {
    number = rows.integer();
    ids += (count++ == 0 ? "" : ", ") + read_id(rows).hex();
  }
  for (const auto& [id, found] : reader_->results.find(low, high, 3)) {
    number = found;
    ids += (count++ == 0 ? "" : ", ") + id.hex();
  }
  if (count == 0) throw none("list the matches with 'agon show' or 'agon export'");
  if (count > 1) {
    throw Error(ErrorKind::usage, "ambiguous match id '" + begin + "'", path().string(),
                "give more digits: " + ids + (count > 2 ? ", ..." : ""));
  }
  return number;
}

MatchRow Archive::match(std::int64_t number) const {
  const Snapshot snapshot(reader_->db);
  Statement row(reader_->db, "select " + names_of_match() + " from match m where number = ?");
  row.bind(number);
  if (!row.step()) {
    MatchRow in_columns;
    if (reader_->results.match(number, in_columns)) return in_columns;
    throw Error(ErrorKind::not_found, "no finished match number " + std::to_string(number),
                path().string(), "the numbers go from 1 to " + std::to_string(finished()));
  }
  MatchRow match;
  reader_->parts.match(row, match);
  reader_->parts.seats(number, match);
  reader_->parts.record(number, match);
  return match;
}

const std::string& Archive::record_of(const MatchRow& match) const {
  if (match.record.empty())
    throw Error(ErrorKind::not_found,
                "match " + match.key.id.hex().substr(0, 8) +
                    " was played with --no-records: there is no record of it",
                path().string(), "play the suite again into another archive, without --no-records");
  return match.record;
}

std::optional<PartialMatch> Archive::partial(const MatchId& id) const {
  Statement row(reader_->db, "select " + names_of<PartialRows>() + " from partial where id = ?");
  row.bind(std::span(id.bytes));
  if (!row.step()) return std::nullopt;
  return read_partial(row, reader_->db);
}

void Archive::partials(const std::function<void(const PartialMatch&)>& each) const {
  Statement rows(reader_->db, "select " + names_of<PartialRows>() + " from partial order by id");
  while (rows.step()) {
    const PartialMatch partial = read_partial(rows, reader_->db);
    if (reader_->wants_open(partial.key.id)) each(partial);
  }
}

void Archive::check() const {
  // A file too damaged to be checked to the end throws the same error by itself.
  Statement rows(reader_->db, "pragma integrity_check(1)");
  while (rows.step())
    if (rows.text() != "ok") throw database_error(SQLITE_CORRUPT, path(), {}, 0);
  MatchRow match;
  reader_->results.columns(1, 0,
                           [&](const ResultReader::PiecePosition&, const ResultColumns& columns) {
                             for (std::size_t i = 0; i < columns.matches; ++i)
                               reader_->results.read(columns, i, match);
                             return true;
                           });
}

}  // namespace agon::archive
