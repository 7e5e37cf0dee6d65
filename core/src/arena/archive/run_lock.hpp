#pragma once

#include <sys/types.h>

#include <agon/export.hpp>
#include <filesystem>

namespace agon::archive {

/// Makes one run the only writer of an archive: an advisory lock (flock) on the archive itself, so
/// that it holds under every name that the file has or is given. The system drops the lock with the
/// process, however that ends.
class AGON_API RunLock {
 public:
  /// Makes the file, empty, where there is none. Throws Error when another run, in this process or
  /// another one, holds the lock, or when the file cannot be opened for writing.
  explicit RunLock(const std::filesystem::path& archive);
  /// A file that it made goes with the lock if it is still empty and was not to be kept.
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  /// Something was written to the file: it stays, whatever becomes of it.
  void keep() { is_new_ = false; }
  /// Whether the path still names the file that is locked: it may have been moved, removed or
  /// replaced since.
  [[nodiscard]] bool is_in_place() const;

 private:
  std::filesystem::path path_;
  int file_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool is_new_ = false;
};

/// Whether a run of this process, or of another one that the system's list of locks has, writes the
/// archive now. Opens nothing. Processes of other containers are not in that list.
[[nodiscard]] AGON_API bool is_written(const std::filesystem::path& archive);

}  // namespace agon::archive
