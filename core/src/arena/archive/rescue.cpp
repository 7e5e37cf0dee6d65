#include "archive/rescue.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "archive/sqlite.hpp"

namespace agon::archive {
namespace {

namespace fs = std::filesystem;

/// The first of `NAME.rescued.agon`, `NAME.rescued-2.agon`, ... that is nobody's.
fs::path free_name(const fs::path& folder, const fs::path& archive) {
  const std::string stem =
      (archive.extension() == ".agon" ? archive.stem() : archive.filename()).string();
  fs::path path = folder / (stem + ".rescued.agon");
  std::error_code none;
  for (int n = 2; fs::exists(fs::symlink_status(path, none)); ++n)
    path = folder / (stem + ".rescued-" + std::to_string(n) + ".agon");
  return path;
}

/// Copies to a name of its own first: a copy is whole or not there.
void copy(Connection& archive, const fs::path& to) {
  fs::path part = to;
  part += ".part-" + std::to_string(getpid());
  std::error_code none;
  try {
    {
      Connection into(part, Access::write);
      sqlite3_backup* backup = sqlite3_backup_init(into.get(), "main", archive.get(), "main");
      if (backup == nullptr) into.fail(sqlite3_errcode(into.get()));
      sqlite3_backup_step(backup, -1);
      if (const int code = sqlite3_backup_finish(backup); code != SQLITE_OK) into.fail(code);
    }
    fs::rename(part, to);
  } catch (...) {
    fs::remove(part, none);
    throw;
  }
}

}  // namespace

fs::path rescue(Connection& archive, const fs::path& path, const fs::path& before) {
  if (!before.empty()) {
    copy(archive, before);
    return before;
  }
  std::error_code none;
  std::vector<fs::path> folders{path.parent_path(), fs::current_path(none),
                                fs::temp_directory_path(none)};
  std::string why;
  for (const fs::path& folder : folders) {
    if (folder.empty() || !fs::is_directory(folder, none)) continue;
    try {
      fs::path to = free_name(folder, path);
      copy(archive, to);
      return to;
    } catch (const Error& error) {
      why = error.problem();
    } catch (const fs::filesystem_error& error) {
      why = error.code().message();
    }
  }
  throw Error(ErrorKind::failure,
              "the archive was moved, removed or replaced while a run wrote it, and no folder "
              "takes a copy of what it held" +
                  (why.empty() ? "" : ": " + why),
              path.string(),
              "if it was moved, take the file from there, with the -wal file beside its old place");
}

}  // namespace agon::archive
