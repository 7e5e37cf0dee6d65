#pragma once

#include <filesystem>

namespace agon::archive {

/// Makes one run the only writer of an archive: an advisory lock (flock) on the file `ARCHIVE.lock`
/// beside it, which names the process. The system drops the lock with the process, however that
/// ends; a file that is left behind does no harm.
class RunLock {
 public:
  /// Throws Error when another run, in this process or another one, holds the lock, or when the
  /// file cannot be made.
  explicit RunLock(const std::filesystem::path& archive);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace agon::archive
