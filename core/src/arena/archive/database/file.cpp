#include "archive/database/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <array>
#include <cerrno>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace agon::archive {
namespace {

/// The files that this process has open. Closing any descriptor of a file drops all locks that
/// SQLite holds on it for this process: https://www.sqlite.org/howtocorrupt.html section 2.2.
class OpenFiles {
 public:
  using FileId = std::pair<dev_t, ino_t>;

  static OpenFiles& get() {
    static OpenFiles files;
    return files;
  }
  void connect(const FileId& file) {
    const std::lock_guard lock(mutex_);
    ++files_[file].connections;
  }
  void disconnect(const FileId& file) {
    const std::lock_guard lock(mutex_);
    --files_[file].connections;
    tidy(file);
  }
  bool is_locked(const FileId& file) const {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    return found != files_.end() && found->second.is_locked;
  }
  void lock(const FileId& file) {
    const std::lock_guard lock(mutex_);
    files_[file].is_locked = true;
  }
  void unlock(const FileId& file) {
    const std::lock_guard lock(mutex_);
    files_[file].is_locked = false;
    tidy(file);
  }
  /// A descriptor of the file that waits to be closed, or -1.
  int take(const FileId& file) {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file);
    if (found == files_.end() || found->second.to_close.empty()) return -1;
    const int descriptor = found->second.to_close.back();
    found->second.to_close.pop_back();
    return descriptor;
  }
  /// Closes a descriptor as soon as no connection has the file.
  void close_later(const FileId& file, int descriptor) {
    const std::lock_guard lock(mutex_);
    files_[file].to_close.push_back(descriptor);
    tidy(file);
  }

 private:
  struct FileUse {
    int connections = 0;
    bool is_locked = false;
    std::vector<int> to_close;
  };

  void tidy(const FileId& file) {
    const auto found = files_.find(file);
    FileUse& use = found->second;
    if (use.connections > 0) return;
    for (const int descriptor : use.to_close) close(descriptor);
    use.to_close.clear();
    if (!use.is_locked) files_.erase(found);
  }

  mutable std::mutex mutex_;
  std::map<FileId, FileUse> files_;
};

OpenFiles::FileId identity(const struct stat& file) {
  return {file.st_dev, file.st_ino};
}

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
// that a crash cut short has its journal beside it, and is SQLite's to repair.
void refuse_foreign(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  using namespace std::string_view_literals;
  constexpr auto magic = "SQLite format 3\0"sv;
  std::error_code code;
  const auto size = fs::file_size(path, code);
  if (code || size == 0) return refuse_log_alone(path);
  for (const char* log : {"-journal", "-wal"})
    if (fs::exists(path.string() + log, code)) return;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;  // who opens it says why
  std::array<char, magic.size()> head{};
  struct stat opened {};
  fstat(file, &opened);
  const ssize_t count = pread(file, head.data(), head.size(), 0);
  OpenFiles::get().close_later(identity(opened), file);
  if (count < 0) return;
  const std::string_view found(head.data(), static_cast<std::size_t>(count));
  if (found == magic) return;
  if (magic.starts_with(found)) {
    throw Error(ErrorKind::failure, "the archive is damaged or cut short", path.string(),
                "take a copy from before the damage, or another name for a new one");
  }
  throw Error(ErrorKind::failure,
              "this is not an Agon archive, but another file of " + std::to_string(size) +
                  (size == 1 ? " byte" : " bytes"),
              path.string(),
              "give the file that 'agon run --out' wrote, or another name for a new one");
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
    throw Error(ErrorKind::failure, "expected an archive, got a folder", path.string(),
                "choose a file in it, such as " + (path / "run.agon").string());
  }
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw Error(ErrorKind::failure, "expected a regular file", path.string(),
                "choose another file");
  }
  if (!fs::exists(status)) {
    if (must_exist) {
      throw Error(ErrorKind::not_found, "archive not found", path.string(),
                  "check the name; 'agon run SUITE --out FILE' writes one");
    }
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (path.filename().empty() || !fs::is_directory(folder, code)) {
      throw Error(ErrorKind::not_found, "the folder of the archive does not exist", folder.string(),
                  "create the folder, or choose another place with --out");
    }
    fs::path full = fs::canonical(folder) / path.filename();
    refuse_log_alone(full);
    return full;
  }
  refuse_foreign(path);
  return fs::canonical(path);
}

namespace {

/// The process that holds the lock, by the system's own list; empty if none does. Another
/// container's processes are not in it.
std::string holder(const struct stat& file) {
  std::ifstream locks("/proc/locks");
  const std::string wanted =
      fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
  // "3: FLOCK  ADVISORY  WRITE 24417 fe:00:11001876 0 EOF"
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, process, inode;
    words >> number >> kind >> advisory >> access >> process >> inode;
    if (kind == "FLOCK" && inode == wanted && process != "0") return process;
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
    if (!is_new_ && OpenFiles::get().is_locked(identity(found)))
      refuse_second(archive, "process " + std::to_string(getpid()));
    file_ = is_new_ ? -1 : OpenFiles::get().take(identity(found));
    if (file_ < 0) file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file_ < 0) {
      throw Error(ErrorKind::failure,
                  "no run can write here: " + std::generic_category().message(errno),
                  path_.string(), "choose a file and a folder that you may write, with --out");
    }
    int reason = flock(file_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (reason == 0 && fstat(file_, &found) != 0) reason = errno;
    if (reason != 0) {
      fstat(file_, &found);
      OpenFiles::get().close_later(identity(found), file_);
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
    close_file();
  }
  OpenFiles::get().lock({device_, inode_});
}

RunLock::~RunLock() {
  struct stat now {};
  // Before the lock goes, so that nobody's new file is removed.
  if (is_new_ && fstat(file_, &now) == 0 && now.st_size == 0 && is_in_place())
    unlink(path_.c_str());
  OpenFiles::get().unlock({device_, inode_});
  close_file();
}

void RunLock::close_file() {
  flock(file_, LOCK_UN);
  OpenFiles::get().close_later({device_, inode_}, file_);
}

OpenedFile::OpenedFile(const std::filesystem::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return;
  OpenFiles::get().connect(identity(found));
  device_ = found.st_dev;
  inode_ = found.st_ino;
  is_open_ = true;
}

OpenedFile::~OpenedFile() {
  if (is_open_) OpenFiles::get().disconnect({device_, inode_});
}

bool is_written(const std::filesystem::path& archive) {
  struct stat found {};
  if (stat(archive.c_str(), &found) != 0) return false;
  return OpenFiles::get().is_locked(identity(found)) || !holder(found).empty();
}

bool RunLock::is_in_place() const {
  struct stat named {};
  return stat(path_.c_str(), &named) == 0 && named.st_dev == device_ && named.st_ino == inode_;
}

}  // namespace agon::archive
