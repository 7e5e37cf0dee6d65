#include "archive/database/file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace agon::archive {
namespace {

// SQLite removes the log beside a file without content. Of an archive that was truncated or moved
// away that is all there is of its last matches.
void refuse_log_alone(const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::path log = path;
  log += "-wal";
  const auto size = std::filesystem::file_size(log, code);
  if (code || size == 0) return;
  throw Error(ErrorKind::failure,
              "there is no archive here, but the log of one: " + log.string() +
                  " holds what a run wrote last before the archive was moved, removed or truncated",
              path.string(),
              "bring the archive back beside it, or move the log away to begin a new archive");
}

// SQLite takes a file of a few bytes for one without content, and would write over it. An archive
// that a crash cut short has its journal beside it, and is SQLite's to mend.
void refuse_foreign(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  using namespace std::string_view_literals;
  constexpr auto magic = "SQLite format 3\0"sv;
  std::error_code code;
  const auto size = fs::file_size(path, code);
  if (code || size == 0) return refuse_log_alone(path);
  for (const char* log : {"-journal", "-wal"})
    if (fs::exists(path.string() + log, code)) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) return;  // who opens it says why
  std::array<char, magic.size()> head{};
  file.read(head.data(), head.size());
  const std::string_view found(head.data(), static_cast<std::size_t>(file.gcount()));
  if (found == magic) return;
  if (magic.starts_with(found)) {
    throw Error(ErrorKind::failure, "the archive is damaged or cut short", path.string(),
                "take a copy from before the damage, or another name for a new one");
  }
  throw Error(ErrorKind::failure,
              "this is not an Agon archive, but another file of " + std::to_string(size) +
                  (size == 1 ? " byte" : " bytes"),
              path.string(),
              "give the file that `agon run --out` wrote, or another name for a new one");
}

}  // namespace

std::filesystem::path resolve(const std::filesystem::path& path, bool must_exist) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::none) {
    throw Error(ErrorKind::failure, "the archive cannot be reached: " + code.message(),
                path.string(),
                code == std::errc::filename_too_long ? "choose a shorter name"
                                                     : "check the permissions of its folder");
  }
  if (fs::is_directory(status)) {
    throw Error(ErrorKind::failure, "this is a folder, not an archive", path.string(),
                "name a file in it, such as " + (path / "run.agon").string());
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorKind::failure, "an archive must be an ordinary file", path.string(),
                "name another file");
  }
  if (!fs::exists(status)) {
    if (must_exist) {
      throw Error(ErrorKind::not_found, "there is no such archive", path.string(),
                  "check the name; `agon run SUITE --out FILE` writes one");
    }
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (path.filename().empty() || !fs::is_directory(folder, code)) {
      throw Error(ErrorKind::not_found, "there is no folder for the archive", folder.string(),
                  "make the folder, or choose another place with --out");
    }
    fs::path full = fs::canonical(folder) / path.filename();
    refuse_log_alone(full);
    return full;
  }
  refuse_foreign(path);
  return fs::canonical(path);
}

namespace {

using Inode = std::pair<dev_t, ino_t>;

/// The archives that this process has locked. Closing any descriptor of a file drops the locks that
/// SQLite holds on it for this process, so that what is locked here must not even be opened again.
class LockedHere {
 public:
  static LockedHere& get() {
    static LockedHere locked;
    return locked;
  }
  bool holds(const Inode& file) {
    const std::lock_guard lock(mutex_);
    return files_.contains(file);
  }
  void add(const Inode& file) {
    const std::lock_guard lock(mutex_);
    files_.insert(file);
  }
  void remove(const Inode& file) {
    const std::lock_guard lock(mutex_);
    files_.erase(file);
  }

 private:
  std::mutex mutex_;
  std::set<Inode> files_;
};

/// The process that holds the lock, by the system's own list; empty if none does. Another
/// container's processes are not in it.
std::string holder(const struct stat& file) {
  std::ifstream locks("/proc/locks");
  std::ostringstream wanted;
  wanted << std::hex;
  for (const unsigned part : {major(file.st_dev), minor(file.st_dev)}) {
    wanted.width(2);
    wanted.fill('0');
    wanted << part << ':';
  }
  wanted << std::dec << file.st_ino;
  // "3: FLOCK  ADVISORY  WRITE 24417 fe:00:11001876 0 EOF"
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, inode;
    words >> number >> kind >> advisory >> access >> process >> inode;
    if (kind == "FLOCK" && inode == wanted.str() && process != "0") return process;
  }
  return {};
}

[[noreturn]] void refuse_second(const std::filesystem::path& archive, const std::string& who) {
  throw Error(ErrorKind::failure, "another run is writing this archive (" + who + ")",
              archive.string(), "wait for it to end, or choose another file with --out");
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& archive) : path_(archive) {
  for (;;) {
    struct stat found {};
    is_new_ = stat(path_.c_str(), &found) != 0;
    if (!is_new_ && LockedHere::get().holds({found.st_dev, found.st_ino}))
      refuse_second(archive, "process " + std::to_string(getpid()));
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0) {
      throw Error(ErrorKind::failure,
                  "no run can write here: " + std::generic_category().message(errno),
                  path_.string(), "choose a file and a folder that you may write, with --out");
    }
    int reason = flock(file_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (reason == 0 && fstat(file_, &found) != 0) reason = errno;
    if (reason != 0) {
      fstat(file_, &found);
      close(file_);
      if (reason == EWOULDBLOCK) {
        const std::string process = holder(found);
        refuse_second(archive, process.empty() ? "another process" : "process " + process);
      }
      throw Error(ErrorKind::failure,
                  "the archive cannot be locked: " + std::generic_category().message(reason),
                  archive.string(), "keep archives on a local disk");
    }
    device_ = found.st_dev;
    inode_ = found.st_ino;
    if (is_in_place()) break;  // else somebody removed it between opening and locking
    close(file_);
  }
  LockedHere::get().add({device_, inode_});
}

RunLock::~RunLock() {
  struct stat now {};
  // Before the lock goes, so that nobody's new file is removed.
  if (is_new_ && fstat(file_, &now) == 0 && now.st_size == 0 && is_in_place())
    unlink(path_.c_str());
  LockedHere::get().remove({device_, inode_});
  close(file_);
}

bool is_written(const std::filesystem::path& archive) {
  struct stat found {};
  if (stat(archive.c_str(), &found) != 0) return false;
  return LockedHere::get().holds({found.st_dev, found.st_ino}) || !holder(found).empty();
}

bool RunLock::is_in_place() const {
  struct stat named {};
  return stat(path_.c_str(), &named) == 0 && named.st_dev == device_ && named.st_ino == inode_;
}

}  // namespace agon::archive
