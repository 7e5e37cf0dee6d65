#include "archive/schema_check.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive/schema.hpp"
#include "text/utf8.hpp"

namespace agon::archive {
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
