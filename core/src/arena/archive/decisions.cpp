#include "archive/decisions.hpp"

#include <agon/error.hpp>
#include <system_error>

#include "archive/database/file.hpp"
#include "archive/database/schema.hpp"
#include "archive/tables.hpp"

namespace agon::archive {

void copy_with_decisions(const std::filesystem::path& from, const std::filesystem::path& to,
                         const std::vector<DecisionRow>& decisions) {
  if (std::filesystem::exists(to))
    throw Error(ErrorKind::usage, "there is a file already", to.string(),
                "name another file, or remove this one");
  std::filesystem::path part = to;
  part += ".part";
  std::error_code ignored;
  std::filesystem::remove(part, ignored);
  {
    Connection db(resolve(from, true), OpenMode::read);
    Statement copy(db, "vacuum into ?");
    copy.bind_copy(part.string()).run();
  }
  try {
    Connection db(part, OpenMode::write);
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
