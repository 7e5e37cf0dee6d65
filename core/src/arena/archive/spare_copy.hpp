#pragma once

#include <sqlite3.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>

namespace agon::archive {

class Connection;

/// A second copy of an archive that is being written, in a file without a name that no other
/// program can reach. With the log it gives everything back when somebody truncates or overwrites
/// the archive. Used by the thread that writes, but for looks_whole().
///
/// In WAL mode SQLite changes the file at checkpoints only, and these are made here: whatever else
/// changes it is somebody else.
class SpareCopy {
 public:
  /// Copies what the file has. `archive` is in WAL mode, and must outlive this. Where the disk has
  /// no room for a copy, there is none, from then on.
  explicit SpareCopy(Connection& archive);
  ~SpareCopy();
  SpareCopy(const SpareCopy&) = delete;
  SpareCopy& operator=(const SpareCopy&) = delete;

  /// Whether size and time of the file are as the last checkpoint left them. From any thread.
  [[nodiscard]] bool looks_whole() const;
  /// Whether it still has what the last checkpoint left there.
  [[nodiscard]] bool is_whole();
  /// A transaction was committed, and the file was whole before and after it.
  void committed() { whole_frames_ = frames_; }
  /// True if the log has grown so long that it is to be moved into the file.
  [[nodiscard]] bool is_due() const { return frames_ - moved_frames_ >= kFramesOfLog; }
  /// Moves the log into the file and the copy. False if somebody changed the file. Throws Error
  /// where it cannot be written.
  bool checkpoint();
  /// Writes all that was committed up to the last committed() to a new file. False if there is no
  /// copy. Throws filesystem_error where the file cannot be written.
  bool write_to(const std::filesystem::path& path);

 private:
  static constexpr int kFramesOfLog = 16384;  // 64 MiB

  static int noted(void* self, sqlite3* db, const char* name, int frames);
  /// The last frame of each page that the beginning of the log has. False if it cannot be read.
  bool find_pages(int frames, std::map<std::uint32_t, int>& last);
  bool copy_log(int to, int frames);
  bool has_same_pages();
  void look();
  void drop_copy();

  Connection& db_;
  int copy_ = -1;
  int page_;              // bytes of one
  int frames_ = 0;        // in the log
  int whole_frames_ = 0;  // of these: what the copy may lack
  int moved_frames_ = 0;  // of these, by the last checkpoint, which readers may hold up
  mutable std::mutex mutex_;
  struct stat last_ {};  // of the file, after the last checkpoint
};

}  // namespace agon::archive
