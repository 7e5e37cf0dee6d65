#pragma once

#include <sys/types.h>

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace agon::archive {

/// The path without links, so that one file has one lock. Throws Error when the path is a folder or
/// no ordinary file, when its folder does not exist, and when there is no file although it
/// `must_exist`.
std::filesystem::path resolve(const std::filesystem::path& path, bool must_exist);

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
  void close_file();

  std::filesystem::path path_;
  int file_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool is_new_ = false;
};

/// While it lives, no descriptor that is opened here for the file `path` is closed: closing one
/// would drop the locks of a connection that has the file.
class AGON_API OpenedFile {
 public:
  explicit OpenedFile(const std::filesystem::path& path);
  ~OpenedFile();
  OpenedFile(const OpenedFile&) = delete;
  OpenedFile& operator=(const OpenedFile&) = delete;

 private:
  dev_t device_ = 0;
  ino_t inode_ = 0;
  bool is_open_ = false;
};

/// Whether a run of this process, or of another one that the system's list of locks has, writes the
/// archive now. Opens nothing. Processes of other containers are not in that list.
[[nodiscard]] AGON_API bool is_written(const std::filesystem::path& archive);

/// A folder for archives that nobody keeps: a new one, removed in the end.
class ScratchFolder {
 public:
  /// `front`: what its name begins with. Throws Error (failure) where none can be made.
  explicit ScratchFolder(const std::string& front) {
    std::string name = (std::filesystem::temp_directory_path() / (front + "-XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::failure, "cannot make a folder", name,
                  "set TMPDIR to a folder that can be written");
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace agon::archive
