#pragma once

#include <sys/types.h>

#include <agon/export.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "viewer/run_state.hpp"

namespace agon::serve {

/// Keeps up with an archive on a thread of its own, whoever writes it meanwhile: an index of its
/// matches, and how its last run stands. What is wrong with the file is said in the state and tried
/// again; a file in its place is read anew.
class AGON_API ArchiveWatch {
 public:
  /// Called with the state as JSON whenever it changed, at most once a second.
  using Changed = std::function<void(const std::string& state)>;

  /// `own`: the run of this process that writes it; null: there is none.
  ArchiveWatch(std::string path, const OwnRun* own, Changed changed);
  ~ArchiveWatch();
  ArchiveWatch(const ArchiveWatch&) = delete;
  ArchiveWatch& operator=(const ArchiveWatch&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The state as JSON.
  [[nodiscard]] std::string state() const;
  /// True once it was looked at the file, whatever came of it.
  [[nodiscard]] bool has_looked() const;
  /// True while the last run is played.
  [[nodiscard]] bool is_playing() const;
  /// How far it is known: which file, counted from 1 (0: none yet), and the highest number of its
  /// matches.
  struct Known {
    std::int64_t file = 0;
    std::int64_t last = 0;
  };
  [[nodiscard]] Known known() const;
  /// Looks at what is known, which may take a while: not for the server's thread. Who comes before
  /// the file was looked at waits for that. Throws the Error for an archive that cannot be read.
  void look(const std::function<void(const ArchiveRows&, const MatchIndex&)>& look) const;
  /// Looks at the file at once.
  void hurry();

 private:
  void work();
  /// Reads what is new; true if there is more to read.
  bool refresh();
  /// The file is another one than before, or there is none.
  void find_file();
  /// Matches that were set aside are dropped where a run plays them again: then all is read anew.
  bool has_dropped_matches();
  void publish(RunState state);

  const std::string path_;
  const OwnRun* const own_;
  const Changed changed_;

  mutable std::mutex mutex_;  // of what takes long to read and to look through
  ArchiveRows rows_;
  MatchIndex index_;

  mutable std::mutex state_mutex_;  // of all below, up to what is the thread's
  std::condition_variable wake_;
  mutable std::condition_variable first_look_;
  bool has_looked_ = false;
  bool ending_ = false;
  bool hurried_ = false;
  std::string problem_ = "it was not read yet";
  std::string state_;
  bool is_playing_ = false;
  Known known_;

  // Of the thread alone.
  std::optional<archive::Archive> archive_;
  std::optional<archive::Archive> growing_;  // narrowed to what is new
  std::optional<std::pair<dev_t, ino_t>> file_;
  std::chrono::steady_clock::time_point rows_read_{};
  std::size_t runs_counted_ = 0;  // runs at whose beginning the matches were counted

  std::thread thread_;
};

}  // namespace agon::serve
