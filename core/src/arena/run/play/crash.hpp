#pragma once

#include <agon/export.hpp>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "archive/matches/match_id.hpp"
#include "archive/writer.hpp"
#include "table/match.hpp"

namespace agon {

/// What a thread of a run plays: a place in a file that outlives the process.
struct PlayingSlot {
  MatchTrace trace;
  std::atomic<std::int32_t> ended_by{0};  ///< see PlayingFile::kLeft
  archive::MatchId match;
  std::uint64_t scenario = 0;     ///< of the suite
  std::uint64_t planned = 0;      ///< number in the scenario's plan
  std::uint64_t times = 0;        ///< of a suspect, see there
  bool waits = false;             ///< for some of its answers: little of its time is the game's
  std::atomic<bool> left{false};  ///< see PlayingFile::leave()
  std::uint32_t turn = 0;         ///< of the trace, when it was last looked at
  std::uint32_t looks = 0;        ///< in a row that found the same code running
};

/// A match that was played while the process went down.
struct Suspect {
  archive::MatchId match;
  std::uint64_t scenario = 0;  ///< of the suite, as it was then
  std::uint64_t planned = 0;   ///< number in the scenario's plan, likewise
  std::uint64_t times = 0;     ///< how often; only what was certain counts beyond the first time
  std::int32_t ended_by = 0;   ///< a signal, or kLeft; 0: nobody saw what it was
  std::string stage;           ///< of the last question that was put; empty: none
};

/// `ARCHIVE.playing`, while a run writes the archive: which match each of its threads plays. A run
/// that ends removes it; one that goes down, whatever the reason, leaves it to the next.
class PlayingFile {
 public:
  /// Slot::ended_by of a thread that called exit() or its like.
  static constexpr std::int32_t kLeft = -1;

  /// Reads what an earlier run left, and makes a new file with a slot for each thread. The
  /// archive's lock must be held. Where there is no room for the file there are no slots, and a
  /// crash is just a crash.
  AGON_API PlayingFile(const std::filesystem::path& archive, int threads);
  /// Suspects that were neither cleared nor condemned are left to the next run.
  AGON_API ~PlayingFile();
  PlayingFile(const PlayingFile&) = delete;
  PlayingFile& operator=(const PlayingFile&) = delete;

  /// Who was at it when earlier runs went down: the one whose thread got the signal, where that is
  /// known, else all whose game or agent was running. Where answers are waited for code runs for
  /// moments only, and it is chance whom a kill -9 meets in one: of such matches those are suspects
  /// whose code had been running for two looks.
  [[nodiscard]] const std::vector<Suspect>& suspects() const { return suspects_; }
  /// This one is settled.
  AGON_API void clear(const archive::MatchId& match);
  /// Looks which code has been running for long; to be called about ten times a second.
  AGON_API void look();
  /// The run is to end before what is in flight does, as somebody wishes. No match is to blame for
  /// that; one whose thread gets a signal all the same is.
  AGON_API void leave();
  /// A slot for a thread, of the free ones; null if there is none.
  AGON_API PlayingSlot* take();
  AGON_API void give_back(PlayingSlot* slot);

 private:
  void map(std::size_t slots);
  [[nodiscard]] PlayingSlot* slots() const;

  const std::filesystem::path path_;
  std::vector<Suspect> suspects_;
  std::mutex mutex_;  // of what follows
  std::vector<PlayingSlot*> free_;
  std::vector<PlayingSlot*> of_suspects_;
  void* mapped_ = nullptr;
  std::size_t bytes_ = 0;
};

/// "segmentation fault, after a question of stage offer"
[[nodiscard]] AGON_API std::string describe(const Suspect& suspect);

/// The name of a signal that ends a process.
[[nodiscard]] std::string_view name_of_signal(int signal);

}  // namespace agon

/// What is done when a plugin takes the process with it. Plugins run inside the process: all that
/// can be done is to say who broke what, to note it for the next run, and to let what is finished
/// reach the archive.
namespace agon {

/// Which match a thread is playing. What the views point to must outlive the match.
struct Playing {
  std::string_view scenario, game, plugin, match;
  std::int64_t block = 0;
  PlayingSlot* slot = nullptr;  ///< where it is noted; null: nowhere
};

/// While it lives, the match that the thread is playing.
class PlayingNote {
 public:
  explicit PlayingNote(const Playing& playing);
  ~PlayingNote();
  PlayingNote(const PlayingNote&) = delete;
  PlayingNote& operator=(const PlayingNote&) = delete;

 private:
  const Playing playing_;
};

/// While it lives, a crash or an exit() (quick_exit(), _exit()) in the middle of a match is told on
/// standard error, with the match, before the process ends; an exit then is a failure whatever it
/// says. Before that, what was handed to the archive by then has some seconds to be committed. Does
/// nothing in a build with a sanitizer, which tells more.
class CrashNotes {
 public:
  /// `writing`: of the archive, must outlive this; null: there is none.
  explicit CrashNotes(const archive::WriterProgress* writing);
  ~CrashNotes();
  CrashNotes(const CrashNotes&) = delete;
  CrashNotes& operator=(const CrashNotes&) = delete;
};

}  // namespace agon
