#include "archive/decisions.hpp"

#include <sqlite3.h>

#include <agon/error.hpp>
#include <system_error>

#include "archive/database/file.hpp"
#include "archive/database/schema.hpp"
#include "archive/tables.hpp"

namespace agon::archive {
namespace {

/// All that is committed of the archive, which a run may write meanwhile.
void copy_all(const std::filesystem::path& from, Connection& to) {
  Connection source(from, OpenMode::read);
  sqlite3_backup* copy = sqlite3_backup_init(to.get(), "main", source.get(), "main");
  if (copy == nullptr) to.fail(sqlite3_errcode(to.get()));
  sqlite3_backup_step(copy, -1);
  if (const int code = sqlite3_backup_finish(copy); code != SQLITE_OK) to.fail(code);
}

}  // namespace

void copy_with_decisions(const std::filesystem::path& from, const std::filesystem::path& to,
                         const std::vector<DecisionRow>& decisions) {
  if (std::filesystem::exists(to))
    throw Error(ErrorKind::usage, "there is a file already", to.string(),
                "name another file, or remove this one");
  std::filesystem::path part = to;
  part += ".part";
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  try {
    Connection db(part, OpenMode::write);
    copy_all(resolve(from, true), db);
    db.run("begin");
    if (!has_decisions(db)) create_decisions(db);
    Statement add(db, insert_into<DecisionRows>() + "on conflict do nothing");
    for (const DecisionRow& row : decisions) bind_row<DecisionRows>(add, row).run();
    db.run("commit");
  } catch (...) {
    std::filesystem::remove(part, ignored);
    throw;
  }
  std::filesystem::rename(part, to);
}

}  // namespace agon::archive
