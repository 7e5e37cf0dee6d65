#pragma once

#include <sys/types.h>

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "viewer/match_index.hpp"
#include "viewer/run_state.hpp"

namespace agon::serve {

/// A suite that matches of the archive were played for.
struct ShownSuite {
  std::int64_t number = 0;
  std::string name;
  std::string seed;
  std::int64_t matches = 0;
};
AGON_DESCRIBE(ShownSuite, (number, "in the archive"), (name, "its name"), (seed, "its seed"),
              (matches, "that ended"))

/// A start of the command that wrote the archive.
struct ShownRun {
  std::int64_t number = 0;
  std::int64_t started = 0;
  std::optional<std::int64_t> ended;
  std::string status;
  std::string suite;
  std::string command;
};
AGON_DESCRIBE(ShownRun, (number, "from 1"), (started, "milliseconds since 1970"),
              (ended, "likewise; absent: it has not, or was killed", left_out),
              (status, "how it ended; empty: it has not"), (suite, "its name; empty: not known"),
              (command, "as it was typed"))

/// A scenario under one treatment.
struct ShownTreatment {
  std::string game;
  std::string treatment;
  std::int64_t matches = 0;
  std::int64_t broken = 0;
};
AGON_DESCRIBE(ShownTreatment, (game, "its name"),
              (treatment, "the scenario with what was varied, in words"), (matches, "that ended"),
              (broken, "of these, broken by the game or set aside"))

/// What an agent did, whatever suite it was for.
struct ShownAgent {
  std::string name;
  std::int64_t seats = 0;
  std::int64_t faults = 0;
  std::int64_t fallbacks = 0;
  std::int64_t calls = 0;
  std::int64_t tokens = 0;
  std::string cost;
};
AGON_DESCRIBE(ShownAgent, (name, "as reports show it"), (seats, "in matches that ended"),
              (faults, "attempts at fault"), (fallbacks, "answers that were not its own"),
              (calls, "of models"), (tokens, "of these"),
              (cost, "of these, in words; empty: no calls"))

/// What an archive holds.
struct ArchiveHead {
  std::int64_t suite = 0;
  std::int64_t matches = 0;
  std::vector<ShownSuite> suites;
  std::vector<ShownRun> runs;
  std::vector<ShownTreatment> treatments;
  std::vector<ShownAgent> agents;
};
AGON_DESCRIBE(ArchiveHead, (suite, "whose matches these are; 0: everything that is here"),
              (matches, "of these, that ended"), (suites, "all that are here"),
              (runs, "the last ones first, at most 100"),
              (treatments, "of the suite, by game and name"), (agents, "of the suite, by name"))

/// `suite`: as view_of takes it.
[[nodiscard]] AGON_API ArchiveHead archive_head(const archive::Archive& archive,
                                                const ArchiveRows& rows, const MatchIndex& index,
                                                const std::string& suite);

/// Keeps up with an archive on a thread of its own, while a run may be writing it: an index of its
/// matches, and how its last run stands. What is wrong with the file is said in the state and tried
/// again; another file in its place is read from its start.
class ArchiveWatch {
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
  /// Matches that were set aside are dropped where a run plays them again: then all is read again.
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
