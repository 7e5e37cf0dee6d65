#pragma once

#include <sqlite3.h>
#include <sys/stat.h>

#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>

namespace agon::archive {

class Connection;

/// A second copy of an archive that is being written, in a file without a name that no other
/// program can reach. It has every committed transaction, and gives everything back when somebody
/// truncates or overwrites the archive or its log. Used by the thread that writes, but for
/// looks_whole().
///
/// In WAL mode SQLite changes the file at checkpoints only, which are made here, and the log in
/// transactions only: any other change is made by another program.
class SpareCopy {
 public:
  /// Copies what the file and its log have. `archive` is in WAL mode, and must outlive this. Where
  /// the disk has no room for a copy, there is none, from then on.
  AGON_API explicit SpareCopy(Connection& archive);
  AGON_API ~SpareCopy();
  SpareCopy(const SpareCopy&) = delete;
  SpareCopy& operator=(const SpareCopy&) = delete;

  /// Whether size and time of the file are as the last checkpoint left them. From any thread.
  [[nodiscard]] bool looks_whole() const;
  /// Whether file and log still have what was committed. Outside a transaction.
  [[nodiscard]] AGON_API bool is_whole();
  /// Checks what a commit added to the log, and copies it. False if another program changed the
  /// file or the log meanwhile; nothing is copied then. A checkpoint by another program is no
  /// change.
  [[nodiscard]] AGON_API bool take_commit();
  /// True if the log has grown so long that it is to be moved into the file.
  [[nodiscard]] bool is_due() const { return frames_ - moved_frames_ >= kFramesOfLog; }
  /// Checks the whole log and moves it into the file. False if somebody changed either. Throws
  /// Error where it cannot be written.
  AGON_API bool checkpoint();
  /// Writes all that was taken to a new file. False if there is no copy. Throws filesystem_error
  /// where the file cannot be written.
  AGON_API bool write_to(const std::filesystem::path& path);

 private:
  static constexpr int kFramesOfLog = 16384;     // 64 MiB
  static constexpr std::size_t kLogHeader = 32;  // bytes

  /// The beginning of the log, as far as its sums are right.
  struct Checked {
    std::array<char, kLogHeader> header{};
    int frames = 0;
    std::array<std::uint32_t, 2> sums{};  // of all that comes before
  };

  static int noted(void* self, sqlite3* db, const char* name, int frames);
  bool has_all(bool as_it_looks);
  /// Whether it is the same file as before, and not shorter; `now`: how it is.
  [[nodiscard]] bool is_file_in_place(struct stat& now) const;
  bool is_file_whole();
  bool is_log_whole(bool as_it_looks);
  bool begin_log(Checked& log);
  bool check_log(Checked& log, int frames);
  /// Calls `take` with the frames of the log from `from` to before `to`, in turn, until it returns
  /// false.
  template <class Take>
  bool each_frame(int from, int to, Take take);
  bool copy_frames(int from, int to);
  /// Whether the file has what the copy has, but for pages that it gets from the beginning of the
  /// log, or may have got from it though they are not copied.
  bool has_same_pages(int frames);
  bool take_frames();
  void look();
  void take_file();
  /// Whether there is no log any more, since another program moved all of it into the file.
  bool forget_moved_log();
  void drop_copy();

  Connection& db_;
  const std::string log_path_;
  int copy_ = -1;
  int page_;              // bytes of one
  int frames_ = 0;        // in the log
  int moved_frames_ = 0;  // of these, by the last checkpoint, which readers may hold up
  Checked checked_;       // and copied
  struct stat log_ {};    // of the log, when it was checked
  mutable std::mutex mutex_;
  struct stat last_ {};  // of the file, after the last checkpoint
};

class Connection;
class SpareCopy;

/// Copies all that an open archive held, because its file is not in its place any more or not
/// whole: to `NAME.rescued.agon` beside `path`, where NAME is the archive's without ".agon"; if
/// nothing can be written there, to the current folder or the one for temporary files. Nobody's
/// file is replaced. `spare`: null if there is none. Returns where the copy is, which was read
/// through and is sound. Throws Error if there is none.
std::filesystem::path rescue(Connection& archive, SpareCopy* spare,
                             const std::filesystem::path& path);

/// Removes a database and what SQLite has beside it. Never throws.
void remove_database(const std::filesystem::path& file) noexcept;

/// A database that is written beside the file whose place it is to take, so that the file is whole
/// or not there; removed unless it takes that place.
class PartFile {
 public:
  explicit PartFile(std::filesystem::path to);
  ~PartFile() { remove_database(path_); }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// A name of nobody else, also on other machines and in containers.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Gives the database, which is written and closed, its name: it, its name and what is in it are
  /// on the disk when this returns. Throws filesystem_error, if the name is taken too unless
  /// `replace`, and Error if a log beside it still holds a part of it.
  void move_into_place(bool replace = false) const;

 private:
  std::filesystem::path to_, path_;
};

/// Copies a whole archive that nobody writes to `to`, which appears at once and complete: the copy
/// is written beside it, synced, and renamed. Throws Error (failure), naming both files, if `to` is
/// there already or cannot be written; nothing is left of the copy then.
AGON_API void publish(const std::filesystem::path& archive, const std::filesystem::path& to);

}  // namespace agon::archive
