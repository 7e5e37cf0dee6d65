#include "archive/run_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

namespace agon::archive {
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
