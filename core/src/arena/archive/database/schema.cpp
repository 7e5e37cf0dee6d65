#include "archive/database/schema.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "text/utf8.hpp"

namespace agon::archive {
namespace {

constexpr std::string_view magic("SQLite format 3\0", 16);

// Calls of models. They name their match by id, because they are there before it is finished.
constexpr const char* kCallTables = R"sql(
create table call (
  number         integer primary key,
  match          blob not null,
  seat           integer not null,
  question       integer not null,
  attempt        integer not null,
  place          integer not null,
  answered       integer not null,
  run            integer not null,
  provider       text not null,
  endpoint       text not null,
  model          text not null,
  purpose        text not null,
  parameters     blob not null,
  messages       blob not null,
  text           text not null,
  reasoning      text not null,
  finish         text not null,
  served_model   text not null,
  fingerprint    text not null,
  request_id     text not null,
  tokens_in      integer,
  tokens_out     integer,
  tokens_cached  integer,
  tokens_thought integer,
  cost           integer,
  provider_cost  integer,
  fault          text not null,
  problem        text not null,
  started        integer not null,
  latency_ms     real not null,
  waited_ms      real not null,
  tries          integer not null
) strict;

create index call_of_match on call (match, question, attempt, place);
)sql";

// Which suite asked for what. A run writes its matches one after the other, so that ranges of
// running numbers hold what it played, and what of others it found.
constexpr const char* kAskedTables = R"sql(
create table suite (
  number integer primary key,
  digest blob unique,
  name   text not null,
  seed   integer not null
) strict;

create table asked (
  run   integer not null references run,
  first integer not null,
  last  integer not null,
  primary key (run, first)
) strict, without rowid;

create table asked_partial (
  suite integer not null references suite,
  id    blob not null,
  primary key (suite, id)
) strict, without rowid;
)sql";

constexpr const char* kScenarioTable = R"sql(
create table scenario (
  number    integer primary key,
  place     integer not null,
  name      text not null,
  game      integer not null references game,
  preset    text not null,
  treatment text not null,
  settings  blob not null,
  seed      integer,
  unique (name, treatment, settings, game, seed)
) strict;
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

// Rows are appended in the order of their numbers; only `match.id` has an index of its own. Records
// stand apart from the matches, so that tables of results are read without them.
constexpr const char* tables = R"sql(
create table content (
  number  integer primary key,
  hash    blob not null unique,
  kind    text not null,
  bytes   blob not null
) strict;

create table run (
  number   integer primary key,
  asked    integer references suite,
  started  integer not null,
  ended    integer,
  outcome  text,
  suite    blob,
  seed     integer not null,
  command  text not null,
  versions text not null,
  plugins  text not null,
  manifest text not null default '{}'
) strict;

create table game (
  number         integer primary key,
  name           text not null,
  version        integer not null,
  plugin         text not null,
  plugin_version text not null,
  score_decimals integer not null,
  seat_metrics   text not null,
  match_metrics  text not null,
  score_low      real,
  score_high     real,
  unique (name, version, plugin, plugin_version, score_decimals, seat_metrics, match_metrics)
) strict;

create table agent (
  number  integer primary key,
  hash    blob not null,
  name    text not null,
  spec    text not null,
  base    text not null default '',
  factors text not null default '{}',
  prompts blob,
  unique (hash, name)
) strict;

create table match (
  number     integer primary key,
  id         blob not null unique,
  scenario   integer not null references scenario,
  block      integer not null,
  repeat     integer not null,
  position   integer not null,
  line_up    text not null,
  assignment integer not null,
  focal      integer references agent,
  cluster    text not null,
  luck       integer not null,
  ended      text not null,
  fault      text,
  metrics    text not null,
  questions  integer not null,
  wall_ms    real not null,
  waiting_ms real not null,
  created    integer not null
) strict;

create table seat (
  match           integer not null references match,
  seat            integer not null,
  name            text not null,
  role            text not null,
  agent           integer not null references agent,
  score           real,
  zero            real,
  one             real,
  rank            integer not null,
  metrics         text not null,
  forced          integer not null,
  ok              integer not null,
  repaired        integer not null,
  illegal         integer not null,
  unparsable      integer not null,
  empty           integer not null,
  truncated       integer not null,
  refused         integer not null,
  timed_out       integer not null,
  crashed         integer not null,
  provider_failed integer not null,
  tokens_in       integer not null,
  tokens_out      integer not null,
  tokens_cached   integer not null,
  tokens_thought  integer not null,
  cost            integer not null,
  waiting_ms      real not null,
  calls           integer not null default 0,
  unpriced        integer not null default 0,
  in_words        integer not null default 0,
  primary key (match, seat)
) strict, without rowid;

create table record (
  match integer primary key references match,
  bytes blob not null
) strict;

create table partial (
  id         blob primary key,
  scenario   integer not null references scenario,
  block      integer not null,
  repeat     integer not null,
  position   integer not null,
  line_up    text not null,
  assignment integer not null,
  agents     text not null,
  sequence   integer not null,
  reason     text not null,
  saved      integer not null,
  record     blob not null
) strict;

create table person (
  session      text primary key,
  pseudonym    text not null,
  consent      blob,
  consented    integer,
  told         text not null,
  started      integer not null
) strict;

create table person_answer (
  number      integer primary key,
  session     text not null references person,
  match       blob not null,
  seat        integer not null,
  question    integer not null,
  attempt     integer not null,
  shown       integer not null,
  first_input integer,
  answered    integer,
  disconnects integer not null,
  unique (match, question, attempt)
) strict;
)sql";

// Views for other programs. Matches in columns are no rows of theirs; instead of showing nothing, a
// row without values says how many there are, and where.
constexpr const char* kViews = R"sql(
create view result as
  select lower(hex(m.id)) as match, s.name as scenario, g.name as game, s.treatment, m.block,
         m.repeat, m.position, m.line_up, m.assignment, m.ended, t.seat, t.name as seat_name,
         t.role, a.name as agent, t.score, t.zero, t.one, t.rank, t.forced
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

void set_version(Connection& db, std::int64_t version) {
  db.run(("pragma user_version = " + std::to_string(version)).c_str());
}

std::string from_version(std::int64_t found, std::int64_t known) {
  return "archive format " + std::to_string(found) + ", this Agon knows up to format " +
         std::to_string(known);
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

// 2: model agents: their calls, factors and prompts, and the manifest of a run.
void to_version_2(Connection& db) {
  db.run(kCallTables);
  db.run(R"sql(
alter table run add column manifest text not null default '{}';
alter table agent add column base text not null default '';
update agent set base = name;
alter table agent add column factors text not null default '{}';
alter table agent add column prompts blob;
alter table seat add column calls integer not null default 0;
alter table seat add column unpriced integer not null default 0;
)sql");
}

// 4: answers found in words have a class of their own.
void to_version_4(Connection& db) {
  db.run("alter table seat add column in_words integer not null default 0");
}

// 5: results as columns.
void to_version_5(Connection& db) {
  db.run(kResultColumnsTable);
  db.run(
      "drop view if exists result; drop view if exists seat_metric; "
      "drop view if exists match_metric");
  db.run(kViews);
}

}  // namespace

std::span<const Migration> migrations() {
  static constexpr std::array<Migration, 4> steps{
      {{1, to_version_2},
       {2, [](Connection& db) { to_format_3(db, kAskedTables, kScenarioTable); }},
       {3, to_version_4},
       {4, to_version_5}}};
  return steps;
}

FileState inspect(Connection& db, std::int64_t version) {
  check_head(db);
  const std::int64_t objects = db.integer("select count(*) from sqlite_schema");
  const std::int64_t application = db.integer("pragma application_id");
  if (objects == 0 && application == 0) return FileState::empty;
  if (application != application_id) {
    throw Error(ErrorKind::failure, "this is a database of another program, not an Agon archive",
                db.path().string(), "give the file that `agon run --out` wrote, or another name");
  }
  const std::int64_t found = db.integer("pragma user_version");
  if (found > version) {
    throw Error(ErrorKind::failure,
                "written by a newer version of Agon (" + from_version(found, version) + ")",
                db.path().string(), "use the newer version, or `agon export` there");
  }
  refuse_actors(db);
  if (found < version) return FileState::older;
  if (version == kSchemaVersion) check_schema(db);
  return FileState::current;
}

void create_tables(Connection& db) {
  db.run(kScenarioTable);
  db.run(tables);
  db.run(kCallTables);
  db.run(kAskedTables);
  db.run(kResultColumnsTable);
  db.run(kViews);
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

void migrate(Connection& db, std::span<const Migration> steps, std::int64_t version) {
  try {
    db.run("pragma synchronous = full; begin immediate");
    std::int64_t now = db.integer("pragma user_version");
    while (now < version) {
      const auto step = std::find_if(steps.begin(), steps.end(),
                                     [&](const Migration& s) { return s.from == now; });
      if (step == steps.end()) {
        throw Error(
            ErrorKind::failure,
            "this archive is too old to be brought up to date (" + from_version(now, version) + ")",
            db.path().string(), "use the version of Agon that wrote it");
      }
      step->apply(db);
      set_version(db, ++now);
    }
    if (version == kSchemaVersion) check_schema(db);
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
    Connection db("", Access::memory);
    create_tables(db);
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
