#include "archive/rescue.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "archive/archive.hpp"
#include "archive/spare_copy.hpp"
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

/// Waits until the disk has a file, or what is in a folder.
void sync(const fs::path& path) {
  const int open_file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int reason = open_file < 0 || fsync(open_file) != 0 ? errno : 0;
  if (open_file >= 0) close(open_file);
  // A folder that the system does not sync, such as one of another machine, is as safe as it gets.
  if (reason != 0 && reason != EINVAL)
    throw fs::filesystem_error("fsync", path, std::error_code(reason, std::generic_category()));
}

/// Copies what the open archive reads, which is all that there is unless the file was overwritten.
void back_up(Connection& archive, const fs::path& to) {
  Connection into(to, Access::write);
  sqlite3_backup* backup = sqlite3_backup_init(into.get(), "main", archive.get(), "main");
  if (backup == nullptr) into.fail(sqlite3_errcode(into.get()));
  sqlite3_backup_step(backup, -1);
  if (const int code = sqlite3_backup_finish(backup); code != SQLITE_OK) into.fail(code);
}

/// Copies to a name of its own first: a copy is whole or not there.
void copy(Connection& archive, SpareCopy* spare, const fs::path& to) {
  fs::path part = to;
  part += ".part-" + std::to_string(getpid());
  std::error_code none;
  try {
    if (spare == nullptr || !spare->write_to(part)) back_up(archive, part);
    Archive::open(part).check();
    sync(part);
    fs::rename(part, to);
    sync(to.parent_path().empty() ? fs::path(".") : to.parent_path());
  } catch (...) {
    fs::remove(part, none);
    throw;
  }
}

}  // namespace

fs::path rescue(Connection& archive, SpareCopy* spare, const fs::path& path) {
  std::error_code none;
  std::vector<fs::path> folders{path.parent_path(), fs::current_path(none),
                                fs::temp_directory_path(none)};
  std::string why;
  for (const fs::path& folder : folders) {
    if (folder.empty() || !fs::is_directory(folder, none)) continue;
    try {
      fs::path to = free_name(folder, path);
      copy(archive, spare, to);
      return to;
    } catch (const Error& error) {
      why = error.problem();
    } catch (const fs::filesystem_error& error) {
      why = error.code().message();
    }
  }
  throw Error(
      ErrorKind::failure,
      "the archive or its log was moved, removed, replaced or overwritten while a run wrote "
      "it, and what it held could not be saved" +
          (why.empty() ? "" : ": " + why),
      path.string(),
      "if it was moved, take the file from there, with the -wal file beside its old place");
}

void publish(const fs::path& archive, const fs::path& to) {
  const auto refuse = [&](const std::string& why, const std::string& mend) {
    throw Error(ErrorKind::failure, "the finished archive could not be put here: " + why,
                to.string(), mend + "; it is complete in " + archive.string());
  };
  std::error_code none;
  if (fs::exists(fs::symlink_status(to, none))) refuse("there is a file", "move that away");
  try {
    Connection from(archive, Access::read);
    copy(from, nullptr, to);
  } catch (const Error& error) {
    refuse(error.problem(), "mend that and run the same command again");
  } catch (const fs::filesystem_error& error) {
    refuse(error.code().message(), "mend that and run the same command again");
  }
}

}  // namespace agon::archive
