#include "archive_mutation.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "mutation.hpp"

namespace agon::fuzz {
namespace {

/// The file as any other program opens it. What SQLite refuses is left undone: then there is one
/// mutation less.
class Database {
 public:
  explicit Database(const std::filesystem::path& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) throw std::runtime_error("no database");
    // Views without an end are made here, too: what reads one is left undone.
    sqlite3_progress_handler(
        db_, 1'000'000, [](void* left) { return --*static_cast<int*>(left) < 0 ? 1 : 0; },
        &millions_of_steps_);
  }
  ~Database() { sqlite3_close(db_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql) { sqlite3_exec(db_, sql.c_str(), nullptr, nullptr, nullptr); }

  /// All rows of one column, as bytes.
  std::vector<std::string> column(const std::string& sql) {
    std::vector<std::string> rows;
    sqlite3_stmt* row = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &row, nullptr) != SQLITE_OK) return rows;
    while (sqlite3_step(row) == SQLITE_ROW) {
      const auto* data = static_cast<const char*>(sqlite3_column_blob(row, 0));
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, 0));
      rows.emplace_back(data == nullptr ? "" : data, data == nullptr ? 0 : size);
    }
    sqlite3_finalize(row);
    return rows;
  }

  /// Runs `sql` with one parameter, as a text or as bytes.
  void run_with(const std::string& sql, const std::string& value, bool as_text) {
    sqlite3_stmt* row = nullptr;
    if (sqlite3_prepare_v2(db_, sql.c_str(), -1, &row, nullptr) != SQLITE_OK) return;
    if (as_text)
      sqlite3_bind_text64(row, 1, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
    else
      sqlite3_bind_blob64(row, 1, value.data(), value.size(), SQLITE_STATIC);
    sqlite3_step(row);
    sqlite3_finalize(row);
  }

 private:
  sqlite3* db_ = nullptr;
  int millions_of_steps_ = 20;
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string spoil_bytes(const std::filesystem::path& archive, Dice& dice) {
  constexpr std::size_t page = 4096;
  std::string bytes = read(archive);
  const std::size_t pages = bytes.size() / page;
  if (pages < 2) return "too small";
  const std::uint64_t what = dice.below(6);
  for (std::uint64_t n = 1 + dice.below(12); n > 0; --n) {
    // The heads of pages, where their structure stands, more often than what they hold.
    const std::size_t at =
        dice.below(pages) * page + (dice.below(2) == 0 ? dice.below(64) : dice.below(page));
    switch (what) {
      case 0:
        bytes[at] = static_cast<char>(dice.below(256));
        break;
      case 1:
        bytes[at] = static_cast<char>(bytes[at] ^ 1 << dice.below(8));
        break;
      case 2:
        bytes.replace(dice.below(pages) * page, page, bytes.substr(dice.below(pages) * page, page));
        break;
      case 3:
        bytes.replace(at / page * page, page, page, '\0');
        break;
      case 4:
        bytes[dice.below(100)] = static_cast<char>(dice.below(256));
        break;
      default:
        bytes.resize(std::max<std::size_t>(page, dice.below(pages + 1) * page));
        n = 1;
        break;
    }
    if (bytes.size() < pages * page) break;
  }
  write(archive, bytes);
  return fmt::format("bytes {}", what);
}

const std::vector<std::string>& tables() {
  static const std::vector<std::string> kTables{
      "match", "seat",    "record", "call",          "agent", "game",  "scenario",     "content",
      "run",   "partial", "person", "person_answer", "suite", "asked", "asked_partial"};
  return kTables;
}

/// Lets rows hold anything for a while: SQLite checks values by the words of the table.
class Unchecked {
 public:
  explicit Unchecked(const std::filesystem::path& archive) : archive_(archive) {
    rewrite([](Database& db) {
      db.run(
          "create table kept_schema as select name, sql from sqlite_schema where type = 'table' "
          "and "
          "name not like 'kept%'");
      db.run("pragma writable_schema = on");
      db.run(
          "update sqlite_schema set sql = replace(replace(replace(sql, ') strict, without', ') "
          "without'), ') strict', ')'), ' not null', '') where type = 'table'");
    });
  }
  ~Unchecked() {
    rewrite([](Database& db) {
      db.run("pragma writable_schema = on");
      db.run(
          "update sqlite_master set sql = (select k.sql from kept_schema k where k.name = "
          "sqlite_master.name) where name in (select name from kept_schema)");
      db.run("pragma writable_schema = off");
    });
    rewrite([](Database& db) { db.run("drop table kept_schema"); });
  }
  Unchecked(const Unchecked&) = delete;
  Unchecked& operator=(const Unchecked&) = delete;

 private:
  void rewrite(const std::function<void(Database&)>& work) {
    Database db(archive_);
    work(db);
  }
  std::filesystem::path archive_;
};

std::string odd_sql_value(Dice& dice) {
  switch (dice.below(8)) {
    case 0:
      return "null";
    case 1:
      return "9e999";
    case 2:
      return "-9e999";
    case 3:
      return "x''";
    case 4:
      return "zeroblob(100000)";
    case 5:
      return "cast(x'fffe00' as text)";
    default:
      return odd_number(dice);
  }
}

std::string spoil_values(const std::filesystem::path& archive, Dice& dice) {
  const Unchecked free(archive);
  Database db(archive);
  std::string done;
  for (std::uint64_t n = 1 + dice.below(3); n > 0; --n) {
    const std::string& table = one_of(tables(), dice);
    const auto columns = db.column("select name from pragma_table_info('" + table + "')");
    if (columns.empty()) continue;
    const std::string column = one_of(columns, dice);
    const std::string which =
        dice.below(2) == 0 ? ""
                           : fmt::format(" where rowid = (select rowid from {} limit 1 offset {})",
                                         table, dice.below(8));
    done += fmt::format(" {}.{}{}", table, column, which.empty() ? " of all" : "");
    const std::string set = fmt::format("update {} set {} = ", table, column);
    switch (dice.below(6)) {
      case 0:
      case 1:
        db.run(set + odd_sql_value(dice) + which);
        break;
      case 2:
        db.run_with(set + "?" + which, odd_text(dice), dice.below(4) != 0);
        break;
      case 3:
        db.run(set + one_of(columns, dice) + which);
        break;
      case 4:
        db.run(set + column + " + 1" + which);
        break;
      default:
        if (dice.below(2) == 0)
          db.run(fmt::format("delete from {}{}", table, which));
        else
          db.run(set +
                 fmt::format("(select {0} from {1} order by {0} desc limit 1)", column, table) +
                 which);
        break;
    }
  }
  return "values" + done;
}

struct Place {
  const char* table;
  const char* column;
  bool text;
};

/// Changes what stands in one cell, as JSON where it is JSON, else byte by byte.
std::string spoil_inside(const std::filesystem::path& archive, Dice& dice,
                         const std::vector<Place>& places, bool json) {
  Database db(archive);
  const Place& place = one_of(places, dice);
  const auto rows = db.column(fmt::format("select rowid from {}", place.table));
  if (rows.empty()) return "nothing";
  const std::string row = one_of(rows, dice);
  const auto found =
      db.column(fmt::format("select {} from {} where rowid = {}", place.column, place.table, row));
  if (found.empty()) return "nothing";
  std::string value = found.front();
  if (json)
    value = change_json(value, dice);
  else
    change_bytes(value, dice);
  db.run_with(fmt::format("update {} set {} = ? where rowid = {}", place.table, place.column, row),
              value, place.text);
  return fmt::format("{}.{} {}", place.table, place.column, json ? "as JSON" : "bytes");
}

std::string spoil_json(const std::filesystem::path& archive, Dice& dice) {
  static const std::vector<Place> kPlaces{
      {"content", "bytes", false},     {"content", "bytes", false},
      {"content", "bytes", false},     {"run", "command", true},
      {"run", "plugins", true},        {"run", "manifest", true},
      {"run", "versions", true},       {"game", "seat_metrics", true},
      {"game", "match_metrics", true}, {"scenario", "treatment", true},
      {"agent", "spec", true},         {"agent", "factors", true},
      {"match", "metrics", true},      {"partial", "agents", true}};
  return spoil_inside(archive, dice, kPlaces, true);
}

std::string spoil_records(const std::filesystem::path& archive, Dice& dice) {
  static const std::vector<Place> kPlaces{{"record", "bytes", false},
                                          {"record", "bytes", false},
                                          {"partial", "record", false},
                                          {"content", "bytes", false},
                                          {"call", "messages", false}};
  std::string done;
  for (std::uint64_t n = 1 + dice.below(3); n > 0; --n)
    done = spoil_inside(archive, dice, kPlaces, false);
  return done;
}

/// What other programs may have put into the place of what Agon made.
std::string spoil_schema(const std::filesystem::path& archive, Dice& dice) {
  Database db(archive);
  const std::string& table = one_of(tables(), dice);
  const std::uint64_t what = dice.below(12);
  switch (what) {
    case 0:
      db.run("drop table " + table);
      break;
    case 1:
      db.run(
          fmt::format("pragma legacy_alter_table = on; alter table {0} rename to old_{0}; "
                      "create view {0} as select * from old_{0}",
                      table));
      break;
    case 2:
      db.run(fmt::format(
          "pragma legacy_alter_table = on; alter table {0} rename to old_{0}; create view {0} as "
          "with recursive n(i) as (select 1 union all select i + 1 from n) select o.* from "
          "old_{0} o, n",
          table));
      break;
    case 3:
      db.run(
          fmt::format("create trigger t after insert on {} begin delete from content; end", table));
      break;
    case 4:
      db.run(fmt::format("alter table {} add column odd text not null default 'x'", table));
      break;
    case 5:
      db.run(fmt::format("alter table {} add column odd text as (zeroblob(1e9))", table));
      break;
    case 6:
      db.run(
          fmt::format("pragma legacy_alter_table = on; drop table {0}; create virtual table {0} "
                      "using fts5(number, id, bytes, match)",
                      table));
      break;
    case 7:
      db.run(fmt::format("create index odd on {} (abs(rowid))", table));
      break;
    case 8:
      db.run(fmt::format("pragma user_version = {}", odd_number(dice)));
      break;
    case 9:
      db.run("create table sqlite_stat_like (a); analyze; update sqlite_stat1 set stat = '1 1'");
      break;
    case 10:
      db.run(
          fmt::format("pragma writable_schema = on; update sqlite_schema set rootpage = {} where "
                      "name = '{}'",
                      dice.below(40), table));
      break;
    default:
      db.run(
          fmt::format("pragma writable_schema = on; update sqlite_schema set sql = replace(sql, "
                      "'integer', 'text') where name = '{}'",
                      table));
      break;
  }
  return fmt::format("schema {} of {}", what, table);
}

}  // namespace

std::string spoil(const std::filesystem::path& archive, Dice& dice) {
  std::string done;
  for (std::uint64_t n = 1 + dice.below(2); n > 0; --n) {
    if (!done.empty()) done += "; ";
    const std::uint64_t level = dice.below(16);
    if (level < 6)
      done += spoil_values(archive, dice);
    else if (level < 10)
      done += spoil_json(archive, dice);
    else if (level < 12)
      done += spoil_records(archive, dice);
    else if (level < 13)
      done += spoil_schema(archive, dice);
    else
      done += spoil_bytes(archive, dice);
  }
  return done;
}

}  // namespace agon::fuzz
