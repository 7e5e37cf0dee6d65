#include "archive/database/schema.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive/tables.hpp"
#include "text/utf8.hpp"

namespace agon::archive {
namespace {

constexpr std::string_view magic("SQLite format 3\0", 16);

// Which suite requested what. A run writes its matches one after the other, so that ranges of
// running numbers hold what it played, and what of others it found.
constexpr const char* kRequestedTables = R"sql(
create table requested (
  run   integer not null references run,
  first integer not null,
  last  integer not null,
  primary key (run, first)
) strict, without rowid;

create table requested_partial (
  suite integer not null references suite,
  id    blob not null,
  primary key (suite, id)
) strict, without rowid;
)sql";

// Finished matches without records, many in a row: columns of their results (result_columns.hpp).
constexpr const char* kResultColumnsTable = R"sql(
create table result_columns (
  first      integer primary key,
  matches    integer not null,
  scenario   integer not null references scenario,
  last_block integer not null,
  bytes      blob not null
) strict;
)sql";

constexpr const char* kContentTables = R"sql(
create table content (
  number  integer primary key,
  hash    blob not null unique,
  kind    text not null,
  bytes   blob not null
) strict;

create table record (
  match integer primary key references match,
  bytes blob not null
) strict;
)sql";

// Views for other programs. Matches in columns are no rows of theirs; instead of showing nothing, a
// row without values says how many there are, and where.
constexpr const char* kViews = R"sql(
create view result as
  select lower(hex(m.id)) as match, s.name as scenario, g.name as game, s.treatment, m.block,
         m.repeat, m.position, m.line_up, m.assignment, m.status, t.seat, t.name as seat_name,
         t.role, a.name as agent, t.payoff, t.disagreement, t.ideal, t.rank,
         t.fallbacks
  from match m join scenario s on s.number = m.scenario join game g on g.number = s.game
    join seat t on t.match = m.number join agent a on a.number = t.agent
  union all
  select sum(c.matches) || ' matches stored as columns: agon export gives them as rows', s.name,
         g.name, s.treatment, null, null, null, null, null, null, null, null, null, null, null,
         null, null, null, null
  from result_columns c join scenario s on s.number = c.scenario join game g on g.number = s.game
  group by c.scenario;

create view seat_metric as
  select t.match, t.seat, n.value ->> 'name' as name, v.value as value
  from seat t join match m on m.number = t.match join scenario s on s.number = m.scenario
    join game g on g.number = s.game, json_each(g.seat_metrics) n, json_each(t.metrics) v
  where n.key = v.key
  union all
  select null, null, sum(matches) || ' matches stored as columns: agon export gives them as rows',
         null
  from result_columns group by scenario;

create view match_metric as
  select m.number as match, n.value ->> 'name' as name, v.value as value
  from match m join scenario s on s.number = m.scenario join game g on g.number = s.game,
    json_each(g.match_metrics) n, json_each(m.metrics) v
  where n.key = v.key
  union all
  select null, sum(matches) || ' matches stored as columns: agon export gives them as rows', null
  from result_columns group by scenario;
)sql";

// What format 5 called otherwise.
constexpr std::int64_t kFormerVersion = 5;
constexpr const char* kRenames = R"sql(
drop view if exists result;
drop view if exists seat_metric;
drop view if exists match_metric;
alter table asked rename to requested;
alter table asked_partial rename to requested_partial;
alter table run rename column asked to suite_number;
alter table run rename column outcome to status;
alter table run rename column suite to suite_file;
alter table agent rename column base to family;
alter table match rename column luck to rng_key;
alter table match rename column ended to status;
update match set status = 'game-error' where status = 'game-fault';
update match set status = 'quarantined' where status = 'set-aside';
alter table seat rename column score to payoff;
alter table seat rename column zero to disagreement;
alter table seat rename column one to ideal;
alter table seat rename column forced to fallbacks;
alter table seat rename column tokens_in to input_tokens;
alter table seat rename column tokens_out to output_tokens;
alter table seat rename column tokens_cached to cached_tokens;
alter table seat rename column tokens_thought to reasoning_tokens;
alter table call rename column tokens_in to input_tokens;
alter table call rename column tokens_out to output_tokens;
alter table call rename column tokens_cached to cached_tokens;
alter table call rename column tokens_thought to reasoning_tokens;
alter table person rename column told to disclosure;
alter table partial add column focal integer references agent;
update partial set focal = (select m.focal from match m where m.scenario = partial.scenario
  and m.line_up = partial.line_up and m.focal is not null limit 1);
)sql";

void set_version(Connection& db, std::int64_t version) {
  db.run(("pragma user_version = " + std::to_string(version)).c_str());
}

// Refuses a file that is no database at all, or that ends before its header says so. SQLite does
// not miss the end of the last page.
void check_head(Connection& db) {
  const bool has_log = db.has_log();  // then the file may still be behind its header
  std::array<char, 100> head{};
  const std::uint64_t size = db.file_size(head);
  if (size == 0) return;
  const std::string_view text(head.data(), head.size());
  if (text.substr(0, std::min<std::uint64_t>(size, magic.size())) != magic.substr(0, size))
    db.fail(SQLITE_NOTADB);
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint64_t page_size = byte(16) << 8U | byte(17);
  const std::uint64_t pages = byte(28) << 24U | byte(29) << 16U | byte(30) << 8U | byte(31);
  if (size < 512 || (!has_log && size < pages * (page_size == 1 ? 65536 : page_size)))
    db.fail(SQLITE_CORRUPT);
}

}  // namespace

FileState inspect(Connection& db) {
  check_head(db);
  const std::int64_t objects = db.integer("select count(*) from sqlite_schema");
  const std::int64_t application = db.integer("pragma application_id");
  if (objects == 0 && application == 0) return FileState::empty;
  if (application != application_id) {
    throw Error(ErrorKind::failure, "this is a database of another program, not an Agon archive",
                db.path().string(), "give the file that 'agon run --out' wrote, or another name");
  }
  const std::int64_t found = db.integer("pragma user_version");
  const std::string formats = "(archive format " + std::to_string(found) +
                              ", this Agon reads format " + std::to_string(kSchemaVersion) + ")";
  if (found > kSchemaVersion)
    throw Error(ErrorKind::failure, "written by a newer version of Agon " + formats,
                db.path().string(), "use the newer version, or 'agon export' there");
  if (found < kFormerVersion)
    throw Error(ErrorKind::failure, "written by Agon before its first release " + formats,
                db.path().string(), "use the Agon that wrote it, or 'agon export' there");
  refuse_actors(db);
  if (found == kFormerVersion) return FileState::former;
  check_schema(db);
  return FileState::current;
}

// Rows are appended in the order of their numbers; only `match.id` has an index of its own. Records
// stand apart from the matches, so that tables of results are read without them.
void create_tables(Connection& db) {
  constexpr std::string_view kNumber = "number integer primary key";
  constexpr std::string_view kNoNumber = " strict, without rowid";
  const std::string tables =
      create_table<SuiteRows>({kNumber}) + create_table<RunRows>({kNumber}) +
      create_table<GameRows>({kNumber},
                             "unique (name, version, plugin, plugin_version, score_decimals, "
                             "seat_metrics, match_metrics)") +
      create_table<ScenarioRows>({kNumber}, "unique (name, treatment, settings, game, seed)") +
      create_table<AgentRows>({kNumber}, "unique (hash, name)") +
      create_table<MatchRows>({kNumber}) +
      create_table<SeatRows>({"match integer not null references match", "seat integer not null"},
                             "primary key (match, seat)", kNoNumber) +
      create_table<PartialRows>({}) + create_table<PersonRows>({}) +
      create_table<PersonAnswerRows>({kNumber}, "unique (match, question, attempt)") +
      create_table<CallRows>({kNumber}) +
      "create index call_of_match on call (match, question, attempt, place);\n";
  db.run(tables.c_str());
  db.run(kContentTables);
  db.run(kRequestedTables);
  db.run(kResultColumnsTable);
  db.run(kViews);
}

bool has_branches(Connection& db) {
  return db.integer("select count(*) from sqlite_schema where name = 'branch'") > 0;
}

void create_branches(Connection& db) {
  db.run(create_table<BranchRows>({}).c_str());
}

bool has_decisions(Connection& db) {
  return db.integer("select count(*) from sqlite_schema where name = 'decision'") > 0;
}

void create_decisions(Connection& db) {
  db.run(create_table<DecisionRows>({}, "unique (match, question, reference, others, answer)")
             .c_str());
}

void set_current_version(Connection& db) {
  if (db.integer("pragma user_version") != kSchemaVersion) set_version(db, kSchemaVersion);
}

void convert(Connection& db) {
  try {
    db.run("begin immediate");
    // Somebody else may have done it meanwhile.
    if (inspect(db) == FileState::former) {
      db.run(kRenames);
      db.run(kViews);
      set_version(db, kSchemaVersion);
      check_schema(db);
    }
    db.run("commit");
  } catch (...) {
    db.roll_back();
    throw;
  }
}

void create_schema(Connection& db) {
  db.run("pragma page_size = 4096; pragma journal_mode = wal; pragma synchronous = full");
  try {
    db.run("begin immediate");
    create_tables(db);
    db.run(("pragma application_id = " + std::to_string(application_id)).c_str());
    set_version(db, kSchemaVersion);
    db.run("commit");
  } catch (...) {
    db.roll_back();
    throw;
  }
}

namespace {

struct Object {
  std::string type;   // "table", "index", "view", "trigger"
  std::string table;  // which it belongs to
  std::string sql;    // empty for an index that a constraint brings
};

using Objects = std::map<std::string, Object>;  // by name

Objects objects_of(Connection& db) {
  Statement rows(db, "select name, type, tbl_name, sql from sqlite_schema");
  Objects objects;
  while (rows.step()) {
    std::string name(rows.text());
    Object& object = objects[std::move(name)];
    object.type = rows.text();
    object.table = rows.text();
    object.sql = rows.text();
  }
  return objects;
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// One space for each run of white space, none at the ends.
std::string squeezed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

// What a table is: its columns and constraints without their order, which `alter table` changes,
// and how it is stored.
std::vector<std::string> parts_of(std::string_view sql) {
  std::vector<std::string> parts;
  const std::size_t open = std::min(sql.find('('), sql.size());
  std::size_t begin = std::min(open + 1, sql.size());
  std::size_t at = begin;
  for (int depth = 1; at < sql.size() && depth > 0; ++at) {
    const char c = sql[at];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if ((c != ',' || depth != 1) && depth > 0) continue;
    parts.push_back(squeezed(sql.substr(begin, at - begin)));
    begin = at + 1;
  }
  std::sort(parts.begin(), parts.end());
  parts.push_back(squeezed(sql.substr(std::min(begin, sql.size()))));
  return parts;
}

bool same(const Object& a, const Object& b) {
  if (a.table != b.table) return false;
  return a.type == "table" ? parts_of(a.sql) == parts_of(b.sql)
                           : squeezed(a.sql) == squeezed(b.sql);
}

// The format's own tables and indices.
const Objects& format() {
  static const Objects objects = [] {
    Connection db("", OpenMode::memory);
    create_tables(db);
    create_branches(db);
    create_decisions(db);
    Objects all = objects_of(db);
    std::erase_if(all, [](const auto& entry) { return entry.second.type == "view"; });
    return all;
  }();
  return objects;
}

Error foreign(const Connection& db, const std::string& what) {
  return {ErrorKind::failure, "this archive was changed by another program: " + what,
          db.path().string(), "take a copy from before the change"};
}

std::string quoted(const std::string& name) {
  return "'" + text::printable(name) + "'";
}

bool is_virtual(const Object& object) {
  // SQLite writes the first words itself.
  return object.type == "table" && object.sql.starts_with("CREATE VIRTUAL");
}

}  // namespace

void refuse_actors(Connection& db) {
  for (const auto& [name, object] : objects_of(db)) {
    if (object.type == "trigger") throw foreign(db, "it has the trigger " + quoted(name));
    if (is_virtual(object)) throw foreign(db, "it has the virtual table " + quoted(name));
  }
}

void check_schema(Connection& db) {
  const Objects found = objects_of(db);
  for (const auto& [name, expected] : format()) {
    const auto at = found.find(name);
    if (at == found.end() &&
        (expected.table == BranchRows::name || expected.table == DecisionRows::name))
      continue;  // made by need
    if (at == found.end())
      throw damaged(db.path(), "the " + expected.type + " " + quoted(name) + " is missing");
    const Object& object = at->second;
    if (object.type != expected.type)
      throw foreign(
          db, quoted(name) + " is a " + text::printable(object.type) + ", not a " + expected.type);
    if (!same(object, expected))
      throw foreign(db, "the " + expected.type + " " + quoted(name) + " is not as Agon makes it");
  }
  for (const auto& [name, object] : found)
    if (object.type == "index" && format().contains(object.table) && !format().contains(name))
      throw foreign(db, "it has the index " + quoted(name));
}

}  // namespace agon::archive
